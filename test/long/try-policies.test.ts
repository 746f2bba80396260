import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const args = (input: object) => ['--args', JSON.stringify(input)]
const BASH = (command: string) => ['--tool', 'Bash', ...args({ command })]
const CONFIG = `version: 1
packs: { safety: true, secrets: true }
rules:
  - { id: dry, match: Bash, when: { shell: { command: rsync } }, rewrite: { command: "rsync --dry-run a b" } }
  - { id: hint, match: Read, context: Read the guide first. }
  - { id: sure, match: WebFetch, ask: "Fetch this?" }
  - { id: never, match: Bash, when: { shell: { command: git, subcommand: push } }, deny: Not from here. }
`

describe('holdpoint test and explain', () => {
  beforeEach(async () => {
    sandbox.config(CONFIG)
    await sandbox.person(['trust', '--yes'])
  })

  it('show the changed input and the context for the agent', async () => {
    const tested = await sandbox.run(['test', ...BASH('rsync a b')])
    expect(tested).toMatchObject({ exitCode: 0, stdout: 'ALLOWED\n' })
    expect(tested.stderr).toContain(
      'input becomes {"command":"rsync --dry-run a b"} (was {"command":"rsync a b"})',
    )
    const read = ['--tool', 'Read', ...args({ file_path: 'a' })]
    expect((await sandbox.run(['test', ...read])).stderr).toContain(
      'context for the agent: Read the guide first.',
    )
    expect((await sandbox.run(['explain', ...read])).stdout).toContain(
      'context for the agent: Read the guide first.',
    )
  })

  it('show how an agent handles a question', async () => {
    const fetch = ['--tool', 'WebFetch', ...args({ url: 'https://example.com' })]
    expect((await sandbox.run(['test', ...fetch])).exitCode).toBe(3)
    const codex = await sandbox.run(['test', '--host', 'codex', ...fetch])
    expect(codex.exitCode).toBe(2)
    expect((await sandbox.run(['test', '--host', 'nobody', ...fetch])).stderr).toContain('nobody')
  })

  it('say that a skill enabled a pack that is not configured', async () => {
    const ran = await sandbox.run(['test', '--skill', 'mux', ...BASH('ls')])
    expect(ran.stderr).toContain('the pack mux is not on in this folder')
  })

  it('show context of several lines as lines, and none of them as a line of Holdpoint', async () => {
    const read = ['--tool', 'Read', '--skill', 'mux', ...args({ file_path: 'a' })]
    const { stderr } = await sandbox.run(['test', ...read])
    expect(stderr).toContain('context for the agent: PROTOCOL VIOLATION')
    expect(stderr).toMatch(/\n {4}You must delegate this work via Task\(\):\n/)
    expect(stderr).not.toContain('\\u000a')
  })

  it('say that imports of a file that is not trusted are ignored', async () => {
    const ls = BASH('ls')
    sandbox.config('version: 1\nimports: [claude-settings]\n')
    const note =
      'config.yaml are ignored, because the file is not trusted. To use them, run `holdpoint trust`'
    expect((await sandbox.run(['test', ...ls])).stderr).toContain(note)
    expect(JSON.parse((await sandbox.run(['test', '--json', ...ls])).stdout).ignoredImports).toHaveLength(1)
    await sandbox.person(['trust', '--yes'])
    expect((await sandbox.run(['test', ...ls])).stderr).not.toContain('ignored')
  })

  it('say that hooks of Claude Code are left out for Claude Code', async () => {
    const deny = { type: 'command', command: 'echo no >&2; exit 2' }
    const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [deny] }] } }
    sandbox.write('.claude/settings.json', JSON.stringify(settings))
    sandbox.config('version: 1\nimports: [claude-settings]\n')
    await sandbox.person(['trust', '--yes'])
    const left = await sandbox.run(['test', ...BASH('ls')])
    expect(left).toMatchObject({ exitCode: 0, stdout: 'ALLOWED\n' })
    expect(left.stderr).toContain('settings.json are left out, because claude-code runs them itself.')
    const other = await sandbox.run(['test', '--host', 'codex', ...BASH('ls')])
    expect(other).toMatchObject({ exitCode: 2 })
    expect(other.stderr).not.toContain('left out')
  })

  it('do not print eighty findings for a call without arguments, and neither does a hook or the log', async () => {
    sandbox.config('version: 1\npacks: { safety: true, secrets: true }\n')
    const rest = /\d\d more guards could not check this call\./
    const tested = await sandbox.run(['test', '--tool', 'Bash'])
    expect(tested.stderr.split('\n').length).toBeLessThan(6)
    expect(tested.stderr).toMatch(rest)
    const explained = (await sandbox.run(['explain', '--tool', 'Bash'])).stdout
    expect(explained.split('\n').length).toBeLessThan(40)
    expect(explained).toMatch(rest)
    const replied = (await sandbox.hook(call('Bash', {}, { permission_mode: 'default' }))).stdout
    expect(JSON.parse(replied).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringMatching(rest),
    })
    expect(replied.length).toBeLessThan(1_000)
    expect((await sandbox.run(['log'])).stdout).toMatch(/ and \d\d more\]/)
  })

  it('show one code and one line to type for a call, even if several guards object', async () => {
    sandbox.config('version: 1\npacks: { safety: true, secrets: true }\n')
    await sandbox.hook(call('Bash', { command: 'cat .env && git push --force && rm -rf ~' }))
    const last = (await sandbox.run(['explain', '--last'])).stdout
    for (const guard of ['safety/git/force-push', 'safety/files/delete-root', 'secrets/env-file/read'])
      expect(last).toContain(`${guard} deny`)
    expect(last.match(/^To allow exactly this call once, run `holdpoint allow \w{4}-\w{4}`/gm)).toHaveLength(
      1,
    )
  })

  it('show only codes that `allow` would find', async () => {
    for (const command of ['test', 'explain']) {
      const ran = await sandbox.run([command, ...BASH('git reset --hard && cat .env')])
      expect(ran.stdout + ran.stderr).not.toMatch(/holdpoint allow \w{4}-\w{4}/)
    }
  })
})

describe('a policy test', () => {
  it('can expect a changed input and a context', async () => {
    sandbox.config(CONFIG)
    await sandbox.person(['trust', '--yes'])
    sandbox.write(
      '.holdpoint/tests/a.yaml',
      `cases:
  - { name: rsync only pretends, command: rsync a b, expect: pass, rewrite: { command: rsync --dry-run a b } }
  - { name: readers are told, tool: Read, input: { file_path: a }, expect: pass, context: the guide }
  - { name: wrong input, command: rsync a b, expect: pass, rewrite: { command: rsync a b } }
  - { name: wrong context, command: rsync a b, expect: pass, context: the guide }
  - { name: no change, command: ls, expect: pass, rewrite: { command: ls } }
`,
    )
    const { cases } = JSON.parse((await sandbox.run(['test', '--json'])).stdout)
    expect(cases.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false, false, false])
    expect(cases[2].differences[0]).toContain('expected `command` to become "rsync a b"')
    expect(cases[4].differences[0]).toBe('expected the input to be changed, but it was not')
  })
})

describe('holdpoint check', () => {
  const rows = '{"id":1,"command":"git push"}\n{"id":2,"command":"ls"}\n'
  const effects = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).effect)

  it('uses the policies of the folder or of a file on request', async () => {
    sandbox.config(CONFIG)
    expect(effects((await sandbox.run(['check', '--jsonl'], { stdin: rows })).stdout)).toEqual([
      'pass',
      'pass',
    ])
    const own = await sandbox.run(['check', '--jsonl', '--project'], { stdin: rows })
    expect(effects(own.stdout)).toEqual(['deny', 'pass'])
    sandbox.write('other.yaml', 'version: 1\nrules: [{ id: x, match: Bash, deny: No. }]\n')
    const file = await sandbox.run(['check', '--jsonl', '--config', 'other.yaml'], { stdin: rows })
    expect(effects(file.stdout)).toEqual(['deny', 'deny'])
    const both = await sandbox.run(['check', '--jsonl', '--project', '--level', 'strict'], { stdin: rows })
    expect(both.stderr).toContain('--level')
  })

  it('reports what is wrong with the configuration, and fails', async () => {
    sandbox.config('version: 1\nrules: [{ id: x, match: Bash, wehn: {}, deny: No. }]\n')
    await sandbox.person(['trust', '--yes'])
    const ran = await sandbox.run(['check', '--jsonl', '--project'], { stdin: rows })
    expect(effects(ran.stdout)).toEqual(['deny', 'deny'])
    expect(ran.exitCode).toBe(78)
    expect(ran.stderr).toContain('rules[0].wehn')
  })
})

describe('a denied call at the hook', () => {
  const codesIn = (text: string) => text.match(/holdpoint allow \w{4}-\w{4}/g) ?? []

  it('has one code, even if three guards object', async () => {
    sandbox.config('version: 1\npacks: { safety: true, secrets: true }\n')
    const ran = await sandbox.hook(
      call('Bash', { command: 'git push --force && git reset --hard && cat .env' }),
    )
    expect(codesIn(ran.stdout)).toHaveLength(1)
  })

  it('has no code if a rule denies too, which no code can allow', async () => {
    sandbox.config(CONFIG)
    const ran = await sandbox.hook(call('Bash', { command: 'git push --force' }))
    expect(ran.stdout).toContain('Not from here.')
    expect(codesIn(ran.stdout)).toEqual([])
  })

  it('has no code without a journal, in which it would be looked up', async () => {
    sandbox.userConfig('version: 1\npacks: { safety: true }\nsettings: { journal: { enabled: false } }\n')
    const ran = await sandbox.hook(call('Bash', { command: 'git push --force' }))
    expect(ran.stdout).toContain('"deny"')
    expect(codesIn(ran.stdout)).toEqual([])
  })
})
