import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWorld, type World } from './command.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

const run = (args: readonly string[] = []) =>
  world.run(['lint', ...args], { env: { HOME: join(world.folder, 'user') } })

const OBJECT_MATCHER = {
  hooks: {
    PreToolUse: [
      { matcher: { toolName: 'Bash' }, hooks: [{ type: 'command', command: './gone.sh', timeout: 5000 }] },
    ],
  },
}

it('says what is wrong, where, why and what to write, and exits with 1', async () => {
  world.write('.claude/settings.json', JSON.stringify(OBJECT_MATCHER, null, 2))
  const ran = await run()
  expect(ran.exitCode).toBe(1)
  const file = join(world.project, '.claude/settings.json')
  expect(ran.stdout).toContain(`${file}:5:20 error object-matcher The matcher is an object.`)
  expect(ran.stdout).toContain('drop the whole file')
  expect(ran.stdout).toContain('Instead: Write the pattern itself')
  for (const rule of ['timeout-milliseconds', 'script-missing', 'relative-script', 'fails-open'])
    expect(ran.stdout).toContain(rule)
})

it('finds nothing wrong where nothing is', async () => {
  world.config('version: 1\npacks: { safety: true }\n')
  world.write('.claude/settings.json', '{"permissions": {}}')
  expect(await run()).toMatchObject({ exitCode: 0, stdout: 'Nothing is wrong.\n' })
})

it('a warning alone is no failure', async () => {
  world.write('.claude/settings.json', JSON.stringify({ preToolUseHook: { script: './x.py' } }))
  const ran = await run(['--json'])
  expect(ran.exitCode).toBe(0)
  expect(JSON.parse(ran.stdout)).toMatchObject({
    errors: 0,
    warnings: 1,
    findings: [{ rule: 'skill-hook', line: 1, severity: 'warning' }],
  })
})

it('reports our own files by their codes, and says a thing once', async () => {
  world.userConfig('version: 1\nimports: [claude-settings]\n')
  world.config('version: 1\nhooks:\n  PreTolUse: []\n')
  world.write('.claude/settings.json', '{"hooks": {"preToolUse": []}}')
  const { findings } = JSON.parse((await run(['--json'])).stdout)
  expect(findings.map(({ rule, line }: { rule: string; line: number }) => `${rule} ${line}`)).toEqual([
    'unknown-event 1',
    'CONFIG_KEY 3',
  ])
})

it('reads the files named, of whatever kind', async () => {
  world.write('a.json', '{"disableAllHooks": true}')
  world.write('b.yaml', 'version: 2\n')
  const { findings } = JSON.parse((await run(['--json', 'a.json', 'b.yaml', 'gone.json'])).stdout)
  expect(findings.map(({ rule }: { rule: string }) => rule)).toEqual([
    'hooks-off',
    'CONFIG_VERSION',
    'CONFIG_UNREADABLE',
  ])
})

it.each([
  ['not JSON', 'hello'],
  ['ten megabytes', ' '.repeat(10 * 1024 * 1024)],
  ['a NUL byte', '{"hooks": "\0"}'],
  ['a list', '[]'],
])('bad input is a finding: %s', async (_name, text) => {
  world.write('.claude/settings.json', text)
  const ran = await run(['--json'])
  expect(ran.exitCode).toBe(1)
  expect(JSON.parse(ran.stdout).errors).toBe(1)
})
