import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
  sandbox.userConfig('version: 1\npacks: { safety: true, secrets: true, collective: true }\n')
})
afterEach(() => sandbox.remove())

const METRICS = '.claude-collective/metrics'
const at = (...path: string[]) => join(sandbox.project, METRICS, ...path)
const linesOf = (session: string) =>
  readFileSync(at('sessions', `${session}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const event = (name: string, more: object = {}) => ({
  session_id: 'session-1',
  transcript_path: '/tmp/transcript.jsonl',
  hook_event_name: name,
  ...more,
})
const post = (tool: string, input: object, more: object = {}) =>
  call(tool, input, { hook_event_name: 'PostToolUse', tool_response: {}, duration_ms: 20, ...more })
const agent = { agent_id: 'a1', agent_type: 'research-agent' }

/** A small session: one denied call, three calls that ran, and one sub-agent. */
async function session(): Promise<void> {
  const events = [
    event('SessionStart', { source: 'startup' }),
    call('Bash', { command: 'git push --force' }),
    call('Agent', { subagent_type: 'research-agent', prompt: 'p' }, { tool_use_id: 'u1' }),
    event('SubagentStart', agent),
    post('Read', { file_path: 'README.md' }, { ...agent, tool_use_id: 'u2', duration_ms: 7 }),
    post(
      'Bash',
      { command: 'npm test' },
      { tool_use_id: 'u3', tool_response: { stdout: 'Tests  3 passed (3)' } },
    ),
    post(
      'Agent',
      { subagent_type: 'research-agent', prompt: 'p' },
      { tool_use_id: 'u1', tool_response: { agentId: 'a1', agentType: 'research-agent' }, duration_ms: 900 },
    ),
    event('SessionEnd', { reason: 'exit' }),
  ]
  for (const each of events) await sandbox.hook(each)
}

describe('metrics', () => {
  it('are collected as JSON lines, summed up and left out of git (R-002-11, R-002-20, R-002-57, R-002-58, R-002-59, R-002-74)', async () => {
    await session()
    expect(linesOf('session-1').map(({ eventType }) => eventType)).toEqual([
      'session-start',
      'agent-start',
      'tool',
      'tool',
      'tool',
      'session-end',
    ])
    expect(readFileSync(at('.gitignore'), 'utf8')).toBe('*\n')
    const [snapshot = ''] = readdirSync(at('snapshots'))
    const { figures } = JSON.parse(readFileSync(at('snapshots', snapshot), 'utf8'))
    expect(figures).toMatchObject({
      sessions: 1,
      routes: [{ from: 'main', to: 'research-agent', count: 1 }],
      tests: [{ runner: 'npm test', passed: 1 }],
    })
    expect(readdirSync(at('aggregations'))).toHaveLength(1)
    expect(readdirSync(at('reports'))).toHaveLength(1)
  })

  it('change no answer, and contain no secret', async () => {
    const ran = await sandbox.hook(
      post('Bash', { command: 'curl -H "Authorization: Bearer abcdefghij0123456789" https://example.com' }),
    )
    expect(ran).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
    expect(readFileSync(at('sessions', 'session-1.jsonl'), 'utf8')).not.toContain('abcdefghij')
  })

  it('are also collected for a turn whose stop is blocked', async () => {
    sandbox.userConfig(
      'version: 1\npacks: { collective: true }\nrules:\n  - { id: hold, on: Stop, deny: Not yet. }\n',
    )
    expect((await sandbox.hook(event('Stop', { stop_hook_active: false }))).stdout).toContain('Not yet.')
    expect(linesOf('session-1').map(({ eventType }) => eventType)).toEqual(['stop'])
  })

  it('lose nothing when many are collected at once', async () => {
    const ran = Array.from({ length: 12 }, (_, n) =>
      sandbox.hook(post('Read', { n }, { tool_use_id: `u${n}` })),
    )
    await Promise.all(ran)
    expect(new Set(linesOf('session-1').map(({ id }) => id)).size).toBe(12)
  })

  it('that cannot be stored are reported at the end of the turn, and stop nothing', async () => {
    mkdirSync(at('sessions', 'session-1.jsonl'), { recursive: true })
    expect(await sandbox.hook(post('Read', {}))).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
    const stop = await sandbox.hook(event('Stop', { stop_hook_active: false }))
    expect(stop.exitCode).toBe(0)
    expect(JSON.parse(stop.stdout)).toEqual({ systemMessage: expect.stringContaining('could not keep') })
  })
})

describe('holdpoint report', () => {
  it('prints decisions, tool time, routing and tests of this project', async () => {
    await session()
    const { stdout, exitCode } = await sandbox.run(['report'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/8 decisions · 1 denied/)
    expect(stdout).toMatch(/^safety\/git\/force-push +1 +0 +0 +0 +█+$/m)
    expect(stdout).toMatch(/^Agent +1 +0 +900 ms +900 ms +900 ms +█+$/m)
    expect(stdout).toMatch(/^main +research-agent +1 +█+$/m)
    expect(stdout).toMatch(/^npm test +1 +0 +0 +█+$/m)
    const elsewhere = await sandbox.run(['report'], { cwd: sandbox.folder })
    expect(elsewhere.stdout).toMatch(/0 decisions/)
    expect((await sandbox.run(['report', '--all'], { cwd: sandbox.folder })).stdout).toContain('force-push')
  })

  it('prints JSON, CSV, Markdown or a page', async () => {
    await session()
    const json = JSON.parse((await sandbox.run(['report', '--json'])).stdout)
    expect(json).toMatchObject({
      schema: 1,
      decisions: { records: 8 },
      work: { sessions: 1 },
      unread: { lines: 0 },
    })
    const csv = (await sandbox.run(['report', '--csv'])).stdout
    expect(csv).toContain('guards,safety/git/force-push,,Denied,1\r\n')
    expect((await sandbox.run(['report', '--markdown'])).stdout).toContain('| main | research-agent | 1 |')
    const ran = await sandbox.run(['report', '--html', 'report.html'])
    expect([ran.stdout, ran.exitCode]).toEqual(['', 0])
    const page = readFileSync(join(sandbox.project, 'report.html'), 'utf8')
    expect(page).toMatch(/^<!doctype html>/)
    expect(page).not.toMatch(/<script|https?:\/\//)
  })

  it('can be limited to a time or a session', async () => {
    await session()
    await sandbox.hook({ ...post('Read', {}), session_id: 'session-2' })
    const records = async (...args: string[]) =>
      JSON.parse((await sandbox.run(['report', '--json', ...args])).stdout).decisions.records
    expect(await records()).toBe(9)
    expect(await records('--session', 'session-2')).toBe(1)
    expect(await records('--since', '1h')).toBe(9)
    expect(await records('--since', '2999-01-01')).toBe(0)
  })

  it('works without data, and counts lines that it cannot read', async () => {
    expect((await sandbox.run(['report'])).stdout).toContain('nothing recorded yet')
    await session()
    writeFileSync(at('sessions', 'other.jsonl'), 'not JSON\n{"torn')
    expect((await sandbox.run(['report'])).stdout).toContain('2 lines of the metrics could not be read')
  })

  it('shows hostile names as text', async () => {
    const name = '<img src=x onerror=alert(1)>'
    await sandbox.hook(post(name, {}))
    await sandbox.run(['report', '--html', 'report.html'])
    const page = readFileSync(join(sandbox.project, 'report.html'), 'utf8')
    expect(page).not.toContain('<img')
    expect(page).toContain('&#60;img src=x onerror=alert(1)&#62;')
  })

  it('reports what it cannot do', async () => {
    const both = await sandbox.run(['report', '--json', '--csv'])
    expect([both.exitCode, both.stderr]).toEqual([64, expect.stringContaining('cannot be used together')])
    const nowhere = await sandbox.run(['report', '--html', 'no/such/folder/report.html'])
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([64, expect.stringContaining('--html')])
    const when = await sandbox.run(['report', '--since', 'soon'])
    expect([when.exitCode, when.stderr]).toEqual([64, expect.stringContaining('is not a time')])
  })

  it('does not change the project', async () => {
    await session()
    rmSync(at(), { recursive: true })
    await sandbox.run(['report'])
    expect(existsSync(at())).toBe(false)
  })
})
