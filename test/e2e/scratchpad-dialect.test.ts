import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './command.ts'

/** What `hook scratchpad` switches on by itself, and which format it answers with. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const hook = (payload: object, ...args: string[]) =>
  sandbox.hook(payload, args, { host: 'scratchpad', env: { TZ: 'UTC' } })
const ofClaudeCode = { session_id: 's', transcript_path: '/tmp/t.jsonl' }

it('hook scratchpad turns its pack on', async () => {
  const { stdout } = await hook({ agent_type: 'spec-writer' }, '--event', 'SubagentStop')
  expect(JSON.parse(stdout).reason).toContain('Scratchpad missing or incomplete.')
})

it('hook scratchpad answers an event of Claude Code in the format of Claude Code', async () => {
  const stop = { ...ofClaudeCode, hook_event_name: 'SubagentStop', agent_id: 'a', agent_type: 'spec-writer' }
  expect(JSON.parse((await hook(stop)).stdout)).toMatchObject({
    decision: 'block',
    systemMessage: expect.stringContaining('Holdpoint denied SubagentStop'),
  })
  const call = { ...ofClaudeCode, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't' }
  const pushed = await hook({ ...call, tool_input: { command: 'git push --force' } }, '--pack', 'safety')
  expect(JSON.parse(pushed.stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  const { stdout } = await sandbox.run(['log', '--json'])
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).host),
  ).toEqual(['claude-code', 'claude-code'])
})
