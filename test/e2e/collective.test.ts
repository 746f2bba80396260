import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Ran, type Sandbox } from './command.ts'

/** `hook collective`: one request from its check to its answer, with its inputs and outputs. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const speak = (payload: object, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  sandbox.hook({ session_id: 's1', ...payload }, [], { host: 'collective', env: { TZ: 'UTC', ...env } })
const said = async (payload: object, env?: Readonly<Record<string, string>>) =>
  JSON.parse((await speak(payload, env)).stdout)
const asks = (command: string) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
})
const ran = (command: string) => ({
  ...asks(command),
  hook_event_name: 'PostToolUse',
  tool_use_id: 'u1',
  tool_response: { stdout: 'a' },
  duration_ms: 7,
})
const returned = (text: string) => ({
  hook_event_name: 'PostToolUse',
  tool_name: 'Task',
  tool_input: { subagent_type: 'module-development-agent' },
  tool_response: { content: [{ type: 'text', text }] },
})
const metrics = () =>
  readFileSync(join(sandbox.project, '.claude-collective/metrics/sessions/s1.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
/** A test suite that fails until the file `fixed` exists. */
const suite = () =>
  sandbox.write(
    'package.json',
    JSON.stringify({ scripts: { test: 'test -e fixed || { echo "2 failed"; exit 1; }' } }),
  )

const READY = 'The module is done, with tests.\n\nCOLLECTIVE_HANDOFF_READY'
const HANDS = `${READY}\n\nUse the unit-testing-agent subagent to test the module.`
const ROUTE = 'Handoff from module-development-agent. Use the unit-testing-agent subagent to test the module.'
const ALLOW = { decision: 'allow' }

describe('a request of the collective', () => {
  it('is checked before it runs: blocked with a message for the user, or allowed without output (R-002-17, R-002-18, R-002-19)', async () => {
    const blocked = await speak(asks('rm -rf build'))
    const { decision, reason } = JSON.parse(blocked.stdout)
    expect([decision, blocked.exitCode]).toEqual(['block', 0])
    expect(reason).toContain('collective/block-destructive-commands/rm-rf')
    expect(blocked.stderr).toContain(reason)
    expect(await speak(asks('ls'))).toEqual({ stdout: '{"decision":"allow"}\n', stderr: '', exitCode: 0 })
  })

  it('that ran is recorded, and the work continues (R-002-20)', async () => {
    expect(await speak(ran('ls'))).toEqual({ stdout: '{"decision":"allow"}\n', stderr: '', exitCode: 0 })
    expect(metrics()).toMatchObject([{ eventType: 'tool', data: { tool: 'Bash', durationMs: 7 } }])
  })

  it('of an agent is validated by its tests, then handed on, or returned to the user as it is (R-002-21, R-002-22, R-002-23, R-002-24)', async () => {
    suite()
    const held = await said(returned(HANDS))
    expect(held).toMatchObject({ decision: 'block', reason: expect.stringContaining('2 failed') })
    expect(held.reason).toContain('use the module-development-agent subagent to fix this')
    sandbox.write('fixed', '')
    expect(await said(returned(HANDS))).toMatchObject({ decision: 'block', reason: ROUTE })
    const untouched = { stdout: '{"decision":"allow"}\n', stderr: '', exitCode: 0 }
    expect(await speak(returned('The module is built.'))).toEqual(untouched)
  })
})

it('hook collective reads standard input, the environment and the files of the project (R-002-73)', async () => {
  const ends = (text: string) => ({
    hook_event_name: 'SubagentStop',
    agent_id: 'a1',
    agent_type: 'module-development-agent',
    last_assistant_message: text,
  })
  const text = 'Done, with tests.\nFiles: a.ts\nUse the research-agent subagent to go on.'
  // Standard input: the message of the agent.
  expect((await said(ends(text))).message).toContain('Handoff token: there is none')
  expect(await said(ends('Done.'))).toEqual(ALLOW)
  // The environment: the token.
  const token = { HANDOFF_TOKEN: 'TASK_20260115_120000' }
  expect(await said({ ...ends(text), agent_id: 'a2' }, token)).toEqual(ALLOW)
  // Project files: which tests exist.
  expect((await said({ ...ends(READY), agent_id: 'a3' })).message).toContain('No tests were run')
  suite()
  expect(await said({ ...ends(READY), agent_id: 'a4' })).toMatchObject({ decision: 'block' })
})

it('hook collective answers on standard output, informs users on standard error, logs, and stores metrics (R-002-74)', async () => {
  const blocked = await speak(asks('rm -rf build'))
  expect(JSON.parse(blocked.stdout)).toEqual({ decision: 'block', reason: expect.any(String) })
  expect(blocked.stderr).toContain('rm -rf')
  await speak(ran('ls'))
  const logs = join(sandbox.home, 'state', 'logs')
  expect(readdirSync(logs)).toEqual(['block-destructive-commands.log'])
  const log = readFileSync(join(logs, 'block-destructive-commands.log'), 'utf8')
  expect(log).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] .*rm-rf.*\n$/)
  expect(metrics().map(({ eventType }) => eventType)).toEqual(['tool'])
})
