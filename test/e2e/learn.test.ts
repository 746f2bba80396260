import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from './command.ts'

let sandbox: Sandbox
let user: string
beforeEach(() => {
  sandbox = createSandbox()
  user = join(sandbox.folder, 'user')
})
afterEach(() => sandbox.remove())

const run = (args: readonly string[]) => sandbox.run(args, { env: { HOME: user } })

interface Made {
  readonly session: string
  readonly command: string
  readonly refused?: boolean
}

/** Transcripts of Claude Code in this project. */
function writeCalls(calls: readonly Made[]): void {
  for (const [index, { session, command, refused = false }] of calls.entries()) {
    const file = join(user, '.claude/projects/-srv-project', `${session}.jsonl`)
    mkdirSync(dirname(file), { recursive: true })
    const base = {
      sessionId: session,
      cwd: sandbox.project,
      timestamp: new Date().toISOString(),
      version: '2.1.325',
    }
    const use = { type: 'tool_use', id: `toolu_${index}`, name: 'Bash', input: { command } }
    const result = { type: 'tool_result', tool_use_id: `toolu_${index}`, is_error: refused, content: 'x' }
    const decision = refused ? { permissionDecision: { decision: 'reject', source: 'user_reject' } } : {}
    const lines = [
      { ...base, type: 'assistant', message: { content: [use] } },
      { ...base, ...decision, type: 'user', message: { content: [result] } },
    ]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flag: 'a' })
  }
}

it('suggest proposes a rule for a call that the user refused every time, with its effect, and writes nothing', async () => {
  sandbox.config('version: 1\n')
  const calls = Array.from({ length: 6 }, (_, n) => ({
    session: `s${n % 2}`,
    command: 'terraform apply',
    refused: true,
  }))
  writeCalls([...calls, { session: 's0', command: 'ls' }])
  const json = JSON.parse((await run(['suggest', '--json'])).stdout)
  expect(json).toMatchObject({
    least: { times: 5, sessions: 2 },
    events: 7,
    suggestions: [{ id: 'no-terraform-apply', effect: { changes: { 'newly stopped': 6 } } }],
  })
  const shown = await run(['suggest'])
  expect(shown.stdout).toContain('id: no-terraform-apply')
  expect(shown.stdout).toContain('6 newly stopped')
  const refused = await run(['suggest', '--accept', 'no-terraform-apply'])
  expect(refused.exitCode).toBe(64)
  expect(refused.stderr).toContain('only for people, and this is not a terminal')
})

it('audit finds the call for which no hook ran', async () => {
  const hook = (command: string, id: string) =>
    sandbox.hook(call('Bash', { command }, { session_id: 's1', cwd: sandbox.project, tool_use_id: id }), [], {
      env: { HOME: user },
    })
  await hook('ls', 'toolu_0')
  const entry = { host: 'claude-code', scope: 'user', file: join(user, '.claude/settings.json'), entries: 1 }
  writeFileSync(join(sandbox.home, 'installs.json'), JSON.stringify({ version: 1, installs: [entry] }))
  writeCalls([{ session: 's1', command: 'ls' }])
  const whole = await run(['audit'])
  expect(whole.stdout).toContain('Holdpoint decided 1 of them: 100 %')
  expect(whole.stdout).toContain('The journal: 1 record,')
  expect(whole.exitCode).toBe(0)
  writeCalls([
    { session: 's1', command: 'ls' },
    { session: 's1', command: 'ls' },
  ])
  const open = await run(['audit', '--json'])
  expect(JSON.parse(open.stdout)).toMatchObject({ gaps: { hole: 1 }, ok: false })
  expect(open.exitCode).toBe(1)
})

it('test --coverage --mutate prints one JSON object, and fails for changes that no test notices', async () => {
  sandbox.config(
    'version: 1\nrules:\n  - { id: no-make, match: Bash, when: { shell: { command: make } }, deny: Use just. }\n',
  )
  sandbox.write(
    '.holdpoint/tests/a.yaml',
    'version: 1\ncases:\n  - { name: a, command: make, expect: deny }\n',
  )
  const ran = await run(['test', '--coverage', '--mutate', '--json'])
  const json = JSON.parse(ran.stdout)
  expect(json).toMatchObject({
    passed: 1,
    coverage: { percent: 50 },
    mutation: { survived: [{ id: 'no-make' }] },
  })
  expect(ran.exitCode).toBe(1)
  sandbox.write(
    '.holdpoint/tests/a.yaml',
    'version: 1\ncases:\n  - { name: a, command: make, expect: deny }\n  - { name: b, command: ls, expect: pass }\n',
  )
  expect((await run(['test', '--coverage', '--mutate'])).exitCode).toBe(0)
})
