import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const bash = (command: string, more: object = {}) => call('Bash', { command }, more)
const decisionOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput?.permissionDecision ?? 'none'

describe('holdpoint log', () => {
  const records = async (...args: string[]) =>
    (await sandbox.run(['log', '--json', ...args])).stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))

  it('lists every event, masked, and filters them', async () => {
    await sandbox.hook(bash('export API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz012345 && ls'))
    await sandbox.hook(bash('git push --force', { agent_id: 'a1', agent_type: 'worker', tool_use_id: '2' }))
    await sandbox.hook({ session_id: 'other', hook_event_name: 'UserPromptSubmit', prompt: 'hello' })
    await sandbox.hook('garbage')
    const all = await records()
    expect(all.map((each) => [each.event, each.effect, each.agentType ?? ''])).toEqual([
      ['PreToolUse', 'pass', ''],
      ['PreToolUse', 'deny', 'worker'],
      ['UserPromptSubmit', 'pass', ''],
      ['Unknown', 'deny', ''],
    ])
    expect(JSON.stringify(all)).not.toContain('abcdefghijklmnop')
    expect(await records('--effect', 'deny')).toHaveLength(2)
    expect(await records('--agent', 'a1')).toHaveLength(1)
    expect(await records('--session', 'other')).toHaveLength(1)
    expect(await records('--tool', 'Bash', '--limit', '1')).toMatchObject([{ effect: 'deny' }])
    expect(await records('--hook', 'safety/git/force-push')).toHaveLength(1)
    expect(await records('--since', '1h')).toHaveLength(4)
    expect(await records('--since', '2999-01-01')).toHaveLength(0)
    expect((await sandbox.run(['log', '--since', 'yesterday'])).stderr).toContain('30m, 2h, 7d')
    const lines = (await sandbox.run(['log'])).stdout.trimEnd().split('\n')
    // The lines below a denied call say which hook stopped it, and how to allow it.
    expect(lines.filter((line) => /^\d\d:\d\d|^\d{4}-/.test(line))).toHaveLength(4)
  })

  it('also masks what the configuration names', async () => {
    sandbox.userConfig('version: 1\nsettings: { redact: ["EMP-[0-9]+"] }\n')
    await sandbox.hook(bash('echo EMP-4711'))
    expect(await records()).toMatchObject([{ input: 'echo [redacted:custom]' }])
  })

  it('verifies the hash chain, and finds a changed record', async () => {
    for (const id of ['1', '2', '3']) await sandbox.hook(bash('ls', { tool_use_id: id }))
    const good = await sandbox.run(['log', '--verify'])
    expect(good).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('intact') })
    const { default: Database } = await import('libsql')
    const db = new Database(join(sandbox.home, 'journal', 'journal.db'))
    const [table] = db
      .prepare("select name from sqlite_master where type='table' and sql like '%hash%' and sql like '%seq%'")
      .all() as { name: string }[]
    const columns = db.prepare(`pragma table_info(${table?.name})`).all() as { name: string }[]
    const text = columns.find((column) => ['record', 'json', 'text'].includes(column.name))?.name
    db.exec(`update ${table?.name} set ${text} = replace(${text}, '"ls"', '"rm"') where seq = 2`)
    db.close()
    const broken = await sandbox.run(['log', '--verify'])
    expect(broken).toMatchObject({ exitCode: 65, stdout: expect.stringContaining('broken') })
    expect(broken.stderr).toContain('[JOURNAL_BROKEN]')
  })

  it('follows new records while it runs', async () => {
    await sandbox.hook(bash('ls', { tool_use_id: '1' }))
    const following = sandbox.follow(['log', '--follow', '--json'])
    await following.until((lines) => lines.length === 1)
    await sandbox.hook(bash('pwd', { tool_use_id: '2' }))
    const lines = await following.until((seen) => seen.length === 2)
    expect(lines.map((line) => JSON.parse(line).input)).toEqual(['ls', 'pwd'])
    following.stop()
  })

  it('is empty if the journal is switched off', async () => {
    sandbox.userConfig('version: 1\nsettings: { journal: { enabled: false } }\n')
    await sandbox.hook(bash('ls'))
    expect(await records()).toEqual([])
  })
})

describe('a skill', () => {
  it('begins and ends for one actor, and its rules apply in between', async () => {
    sandbox.userConfig(
      'version: 1\nhooks:\n  PreToolUse:\n    - { actor: { skill: mux }, run: "echo delegate >&2; exit 2" }\n',
    )
    const effect = async (more: object = {}) => decisionOf((await sandbox.hook(bash('ls', more))).stdout)
    expect(await effect()).toBe('none')
    expect((await sandbox.run(['skill', 'start', 'mux', '--session', 'session-1'])).stdout).toContain(
      'active: mux',
    )
    expect(await effect({ tool_use_id: '2' })).toBe('deny')
    expect(await effect({ tool_use_id: '3', agent_id: 'sub' })).toBe('none')
    expect(await effect({ tool_use_id: '4', session_id: 'another' })).toBe('none')
    await sandbox.run(['skill', 'end', 'mux', '--session', 'session-1'])
    expect(await effect({ tool_use_id: '5' })).toBe('none')
  })

  it('can be started by the agent itself, and stays active in the next process', async () => {
    sandbox.userConfig(
      'version: 1\nhooks:\n  PreToolUse:\n    - { actor: { skill: mux }, run: "echo delegate >&2; exit 2" }\n',
    )
    await sandbox.hook({
      ...call('Skill', { skill: 'mux' }),
      hook_event_name: 'PostToolUse',
      tool_response: { success: true },
    })
    expect(decisionOf((await sandbox.hook(bash('ls', { tool_use_id: '2' }))).stdout)).toBe('deny')
  })
})

describe('hooks of one session', () => {
  it('are all answered and recorded if 30 run at once, and the hash chain is intact', async () => {
    sandbox.config('version: 1\npacks: { safety: true }\n')
    const ran = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        sandbox.hook(bash(i % 2 === 0 ? 'ls' : 'git push -f', { tool_use_id: `t${i}` })),
      ),
    )
    expect(ran.map((each) => decisionOf(each.stdout))).toEqual(
      Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 'none' : 'deny')),
    )
    const [log] = await Promise.all([
      sandbox.run(['log', '--json']),
      sandbox.run(['log', '--verify']),
      sandbox.run(['log']),
    ])
    expect(log.stdout.trim().split('\n')).toHaveLength(30)
    expect((await sandbox.run(['log', '--verify'])).exitCode).toBe(0)
  })
})
