import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Ran, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const RULES = `version: 1
rules:
  - id: no-prod-database
    match: Bash
    when: { shell: { command: psql, argument: "*prod*" } }
    deny: The production database is off limits. Use the replica.
  - id: generated
    when: { path: { glob: "gen/**", access: write } }
    ask: Change a generated file?
  - id: design-first
    when:
      path: { glob: "src/**", access: write }
      not: { seen: { on: [PostToolUse], path: docs/DESIGN.md } }
    deny: Read docs/DESIGN.md first.
  - id: three-times
    match: Bash
    when: { shell: { command: flaky }, repeated: { times: 3, within: 10m } }
    deny: That is enough.
  - id: hint
    match: Bash
    when: { shell: { command: make } }
    once: true
    context: Use npm run build.
  - id: short
    match: Bash
    when: { input: { timeout: { above: 1000 } } }
    rewrite: { timeout: 1000 }
  - id: careful
    match: WebFetch
    when: { input: { url: { regex: "^http:" } } }
    warn: Not encrypted.
`

let calls = 0
/** One call, as each of the two agents sends it. */
function ask(host: string, tool: string, input: object, more: object = {}): Promise<Ran> {
  calls += 1
  const payload = call(tool, input, { cwd: sandbox.project, tool_use_id: `call_${calls}`, ...more })
  const codex = { turn_id: 't', transcript_path: null, model: 'gpt-5.5', permission_mode: 'default' }
  return sandbox.hook(host === 'codex' ? { ...payload, ...codex } : payload, [], { host })
}

function said(ran: Ran): { effect: string; text: string; context?: string; input?: object; told?: string } {
  const reply = ran.stdout.trim() === '' ? {} : JSON.parse(ran.stdout)
  const {
    permissionDecision: effect = 'pass',
    permissionDecisionReason: text = '',
    additionalContext: context,
    updatedInput: input,
  } = reply.hookSpecificOutput ?? {}
  return { effect, text, context, input, told: reply.systemMessage }
}

const seen = (host: string, file: string) =>
  ask(host, 'Bash', { command: `cat ${file}` }, { hook_event_name: 'PostToolUse', tool_response: '' })

describe.each(['claude-code', 'codex'])('rules for %s', (host) => {
  const bash = async (command: string, more: object = {}) =>
    said(await ask(host, 'Bash', { command, ...more }))

  beforeEach(async () => {
    sandbox.config(RULES)
    await sandbox.person(['trust', '--yes'])
  })

  it('stop a command in every wrapper, with their own message', async () => {
    const denied = { effect: 'deny', text: 'The production database is off limits. Use the replica.' }
    expect(await bash('psql -h prod.db')).toMatchObject(denied)
    expect(await bash("sudo bash -c 'psql -h prod.db'")).toMatchObject(denied)
    expect(await bash('psql -h "$HOST"')).toMatchObject({
      effect: 'deny',
      text: expect.stringContaining('not certain'),
    })
    expect(await bash('psql -h test.db')).toMatchObject({ effect: 'pass' })
  })

  it('follow a link to its file', async () => {
    mkdirSync(join(sandbox.project, 'gen'))
    symlinkSync('gen', join(sandbox.project, 'link'))
    const { effect } = await bash('echo x > link/a')
    expect(effect).toBe(host === 'codex' ? 'deny' : 'ask')
  })

  it('know earlier calls, from one process to the next', async () => {
    expect(await bash('echo x > src/a')).toMatchObject({ effect: 'deny', text: 'Read docs/DESIGN.md first.' })
    await seen(host, 'README.md')
    expect(await bash('echo x > src/a')).toMatchObject({ effect: 'deny' })
    await seen(host, 'docs/DESIGN.md')
    expect(await bash('echo x > src/a')).toMatchObject({ effect: 'pass' })
  })

  it('count calls, also denied ones', async () => {
    const effects: string[] = []
    for (let i = 0; i < 4; i += 1) effects.push((await bash('flaky')).effect)
    expect(effects).toEqual(['pass', 'pass', 'deny', 'deny'])
  })
})

describe('rules on Claude Code', () => {
  it('inform the agent once, change its input, and warn the user', async () => {
    sandbox.config(RULES)
    await sandbox.person(['trust', '--yes'])
    expect(said(await ask('claude-code', 'Bash', { command: 'make' }))).toMatchObject({
      context: 'Use npm run build.',
    })
    expect(said(await ask('claude-code', 'Bash', { command: 'make' })).context).toBeUndefined()
    expect(said(await ask('claude-code', 'Bash', { command: 'ls', timeout: 5000 }))).toMatchObject({
      input: { command: 'ls', timeout: 1000 },
    })
    expect(said(await ask('claude-code', 'WebFetch', { url: 'http://x' })).told).toContain('Not encrypted.')
  })

  it('from an untrusted file only block and warn', async () => {
    sandbox.config(RULES)
    expect(said(await ask('claude-code', 'Bash', { command: 'psql prod' })).effect).toBe('deny')
    expect(said(await ask('claude-code', 'WebFetch', { url: 'http://x' })).told).toContain('Not encrypted.')
    const told = said(await ask('claude-code', 'Bash', { command: 'make' }))
    expect([told.context, told.told]).toEqual([undefined, expect.stringContaining('holdpoint trust')])
    const changed = said(await ask('claude-code', 'Bash', { command: 'ls', timeout: 5000 }))
    expect([changed.input, changed.told]).toEqual([undefined, expect.stringContaining('holdpoint trust')])
  })

  it('that depend on a state deny if the state cannot be read', async () => {
    sandbox.config(RULES)
    await sandbox.person(['trust', '--yes'])
    sandbox.write('../home/state', 'in the way')
    const { effect, text } = said(await ask('claude-code', 'Bash', { command: 'echo x > src/a' }))
    expect([effect, text]).toEqual(['deny', expect.stringContaining('state')])
    expect(said(await ask('claude-code', 'Bash', { command: 'ls' })).effect).toBe('pass')
  })
})

describe('rules on the command line', () => {
  it('are shown by test with their message and id', async () => {
    sandbox.config(RULES)
    const ran = await sandbox.run(['test', '--tool', 'Bash', '--args', '{"command": "psql prod"}'])
    expect(ran).toMatchObject({ exitCode: 2, stdout: 'BLOCKED: The production database is off limits\n' })
    expect(ran.stderr).toContain('no-prod-database')
    const passed = await sandbox.run(['test', '--tool', 'Bash', '--args', '{"command": "psql test"}'])
    expect(passed).toMatchObject({ exitCode: 0, stdout: 'ALLOWED\n' })
  })

  it('are shown by explain with their file and line', async () => {
    sandbox.config(RULES)
    const { stdout } = await sandbox.run(['explain', '--tool', 'Bash', '--args', '{"command": "psql prod"}'])
    expect(stdout).toMatch(/deny +no-prod-database .*config\.yaml:3/)
  })

  it('that are wrong are reported with their line, and the others apply', async () => {
    sandbox.config(`${RULES}  - { id: wrong, when: { shel: { command: x } }, deny: a }\n`)
    await sandbox.person(['trust', '--yes'])
    const ran = await sandbox.run(['test', '--tool', 'Bash', '--args', '{"command": "psql prod"}'])
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('rules[7].when.shel')
    expect(ran.stderr).toContain('Did you mean `shell`?')
  })
})
