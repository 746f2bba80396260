import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWorld, type World } from './command.ts'

/** What `hook scratchpad` brings by itself, and whom it leaves to answer. */

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

const hook = (payload: object, ...args: string[]) =>
  world.hook(payload, args, { host: 'scratchpad', env: { TZ: 'UTC' } })
const ofClaudeCode = { session_id: 's', transcript_path: '/tmp/t.jsonl' }

it('turns its pack on', async () => {
  const { stdout } = await hook({ agent_type: 'spec-writer' }, '--event', 'SubagentStop')
  expect(JSON.parse(stdout).reason).toContain('Scratchpad missing or incomplete.')
})

it('lets Claude Code answer what Claude Code sent, in words it obeys', async () => {
  const stop = { ...ofClaudeCode, hook_event_name: 'SubagentStop', agent_id: 'a', agent_type: 'spec-writer' }
  expect(JSON.parse((await hook(stop)).stdout)).toMatchObject({
    decision: 'block',
    systemMessage: expect.stringContaining('Holdpoint denied SubagentStop'),
  })
  const call = { ...ofClaudeCode, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't' }
  const pushed = await hook({ ...call, tool_input: { command: 'git push --force' } }, '--pack', 'safety')
  expect(JSON.parse(pushed.stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  const { stdout } = await world.run(['log', '--json'])
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).host),
  ).toEqual(['claude-code', 'claude-code'])
})
