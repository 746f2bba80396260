import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const run = (args: readonly string[] = []) =>
  sandbox.run(['lint', ...args], { env: { HOME: join(sandbox.folder, 'user') } })

const OBJECT_MATCHER = {
  hooks: {
    PreToolUse: [
      { matcher: { toolName: 'Bash' }, hooks: [{ type: 'command', command: './gone.sh', timeout: 5000 }] },
    ],
  },
}

it('lint says what is wrong, where, why and what to write, and exits with 1', async () => {
  sandbox.write('.claude/settings.json', JSON.stringify(OBJECT_MATCHER, null, 2))
  const ran = await run()
  expect(ran.exitCode).toBe(1)
  const file = join(sandbox.project, '.claude/settings.json')
  expect(ran.stdout).toContain(`${file}:5:20 error object-matcher The matcher is an object.`)
  expect(ran.stdout).toContain('ignores the whole file')
  expect(ran.stdout).toContain('Instead: Write the pattern itself')
  for (const rule of ['timeout-milliseconds', 'script-missing', 'relative-script', 'fails-open'])
    expect(ran.stdout).toContain(rule)
})

it('lint accepts a correct configuration', async () => {
  sandbox.config('version: 1\npacks: { safety: true }\n')
  sandbox.write('.claude/settings.json', '{"permissions": {}}')
  expect(await run()).toMatchObject({ exitCode: 0, stdout: 'No problems found.\n' })
})

it('lint does not fail for a warning alone', async () => {
  sandbox.write('.claude/settings.json', JSON.stringify({ preToolUseHook: { script: './x.py' } }))
  const ran = await run(['--json'])
  expect(ran.exitCode).toBe(0)
  expect(JSON.parse(ran.stdout)).toMatchObject({
    errors: 0,
    warnings: 1,
    findings: [{ rule: 'skill-hook', line: 1, severity: 'warning' }],
  })
})

it('lint reports problems of Holdpoint files with their error codes, each once', async () => {
  sandbox.userConfig('version: 1\nimports: [claude-settings]\n')
  sandbox.config('version: 1\nhooks:\n  PreTolUse: []\n')
  sandbox.write('.claude/settings.json', '{"hooks": {"preToolUse": []}}')
  const { findings } = JSON.parse((await run(['--json'])).stdout)
  expect(findings.map(({ rule, line }: { rule: string; line: number }) => `${rule} ${line}`)).toEqual([
    'unknown-event 1',
    'CONFIG_KEY 3',
  ])
})

it('lint reads the given files, whatever their format', async () => {
  sandbox.write('a.json', '{"disableAllHooks": true}')
  sandbox.write('b.yaml', 'version: 2\n')
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
])('lint reports invalid input: %s', async (_name, text) => {
  sandbox.write('.claude/settings.json', text)
  const ran = await run(['--json'])
  expect(ran.exitCode).toBe(1)
  expect(JSON.parse(ran.stdout).errors).toBe(1)
})

const HOOKS = `version: 1
hooks:
  PreToolUse:
    - { id: a, match: Bash, run: ./gone.sh, onFailure: deny }
    - { id: b, match: Bash, run: ./broken.mjs, onFailure: deny }
    # holdpoint-lint-ignore no-on-failure: the default is meant
    - { id: c, match: Bash, run: jq . }
`

it('lint checks hooks for missing scripts and modules that do not load; a comment with a reason silences it', async () => {
  sandbox.config(HOOKS)
  sandbox.write('broken.mjs', 'export default (=> null\n')
  const { findings } = JSON.parse((await run(['--json'])).stdout)
  expect(findings.map(({ rule, line }: { rule: string; line: number }) => `${rule} ${line}`)).toEqual([
    'hook-script-missing 4',
    'module-syntax 5',
  ])
})

it('lint corrects only problems with one right answer', async () => {
  const wrong =
    'version: 1\nrules:\n  - id: no-push\n    match: Bash\n    wehn: { branch: main }\n    deny: No.\n'
  sandbox.config(wrong)
  const ran = await run(['--fix'])
  expect(ran).toMatchObject({ exitCode: 0, stdout: 'No problems found.\n' })
  expect(ran.stderr).toContain('corrected ')
  expect(readFileSync(join(sandbox.project, '.holdpoint/config.yaml'), 'utf8')).toBe(
    wrong.replace('wehn', 'when'),
  )
  // The correction would write a second `when`, and make the file worse.
  const twice = wrong.replace('    deny', '    when: { branch: x }\n    deny')
  sandbox.config(twice)
  expect((await run(['--fix'])).exitCode).toBe(1)
  expect(readFileSync(join(sandbox.project, '.holdpoint/config.yaml'), 'utf8')).toBe(twice)
})

it('lint prints formats for GitHub and code scanning, and counts warnings', async () => {
  sandbox.config('version: 1\nhooks:\n  PreToolUse:\n    - { id: c, match: Bash, run: jq . }\n')
  expect((await run(['--format', 'github'])).stdout).toMatch(
    /^::warning file=.holdpoint\/config.yaml,line=4,col=7,title=holdpoint no-on-failure::/,
  )
  const log = JSON.parse((await run(['--format', 'sarif'])).stdout)
  expect(log.runs[0].results).toMatchObject([{ ruleId: 'no-on-failure', level: 'warning' }])
  expect((await run()).exitCode).toBe(0)
  expect((await run(['--max-warnings', '1'])).exitCode).toBe(0)
  expect((await run(['--max-warnings', '0'])).exitCode).toBe(1)
  expect((await run(['--max-warnings', 'x'])).stderr).toContain('--max-warnings')
})
