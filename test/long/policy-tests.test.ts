import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'
import { holdpointProgram } from '../installed.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const CONFIG = `version: 1
packs: { safety: true }
hooks:
  PreToolUse:
    - { id: audit, match: Write, run: ./audit.sh }
    - { id: never-tried, match: WebFetch, run: ./audit.sh }
`
const GOOD = `version: 1
cases:
  - name: nobody pushes with force
    command: git push --force
    expect: deny
    by: safety/git/force-push
  - { name: writes are audited, tool: Write, input: { file_path: a, content: b }, expect: deny, by: audit }
  - { name: looking is fine, command: ls, expect: pass }
`
const BAD = `cases:
  - { name: force is fine, command: git push --force, expect: pass }
  - { name: misspelled, command: ls, expct: pass }
`

describe('holdpoint test without a call', () => {
  beforeEach(async () => {
    sandbox.write('audit.sh', '#!/bin/sh\necho audited >&2\nexit 2\n', 0o755)
    sandbox.config(CONFIG)
    sandbox.write('.holdpoint/tests/good.yaml', GOOD)
    await sandbox.person(['trust', '--yes'])
  })

  it('runs the test files of the project, and lists the hooks that none of them uses', async () => {
    const ran = await sandbox.run(['test'])
    expect(ran.stdout).toContain('✓ nobody pushes with force')
    expect(ran.stdout).toContain('✓ writes are audited')
    expect(ran.stdout).toContain('3 passed')
    expect(ran.stdout).toContain('not exercised by any case: never-tried (.holdpoint/config.yaml:6)')
    expect(ran.exitCode).toBe(0)
  })

  it('fails with what differs, where, and how to explain it; other cases are not affected', async () => {
    sandbox.write('.holdpoint/tests/bad.yml', BAD)
    const ran = await sandbox.run(['test'])
    expect(ran.exitCode).toBe(1)
    expect(ran.stdout).toContain('✗ force is fine')
    expect(ran.stdout).toContain('expected pass, got deny by safety/git/force-push')
    expect(ran.stdout).toContain('at .holdpoint/tests/bad.yml:2')
    expect(ran.stdout).toContain('holdpoint explain --tool Bash --args \'{"command":"git push --force"}\'')
    expect(ran.stdout).toContain(
      'bad.yml:3:38 cases[1].expct: `expct` is not a key here. Did you mean `expect`?',
    )
    expect(ran.stdout).toContain('3 passed, 2 failed')
  })

  it('runs a named file instead of the folder', async () => {
    sandbox.write('elsewhere.yaml', BAD)
    const ran = await sandbox.run(['test', '--file', 'elsewhere.yaml'])
    expect(ran.stdout).toContain('0 passed, 2 failed')
    expect((await sandbox.run(['test', '--file', 'gone.yaml'])).exitCode).toBe(1)
    expect((await sandbox.run(['test', '--file', 'elsewhere.yaml', '--tool', 'Bash'])).exitCode).toBe(64)
  })

  it('prints the same as JSON for programs', async () => {
    sandbox.write('.holdpoint/tests/bad.yaml', BAD)
    const ran = await sandbox.run(['test', '--json'])
    expect(ran.exitCode).toBe(1)
    const report = JSON.parse(ran.stdout)
    expect(report).toMatchObject({ passed: 3, failed: 2, unexercised: [{ id: 'never-tried' }] })
    expect(report.cases[0]).toMatchObject({
      name: 'force is fine',
      line: 2,
      ok: false,
      expected: 'pass',
      actual: 'deny',
      by: ['safety/git/force-push'],
    })
  })

  it('does not count untrusted code as a policy that agrees', async () => {
    sandbox.write('audit.sh', '#!/bin/sh\nexit 0\n', 0o755)
    const ran = await sandbox.run(['test'])
    expect(ran.exitCode).toBe(1)
    expect(ran.stdout).toContain('got pass only because audit failed (untrusted')
  })

  it('leaves nothing behind', async () => {
    const before = await sandbox.run(['log', '--json'])
    await sandbox.run(['test'])
    expect((await sandbox.run(['log', '--json'])).stdout).toBe(before.stdout)
  })

  it('watches until Ctrl-C, and exits with the result of the last run', async () => {
    const env = { PATH: process.env.PATH ?? '', HOME: '/home/dev', HOLDPOINT_HOME: sandbox.home }
    const child = spawn(holdpointProgram(), ['test', '--watch'], { cwd: sandbox.project, env })
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
    let text = ''
    for await (const chunk of child.stdout) {
      text += chunk
      if (text.includes('watching')) break
    }
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 0, signal: null })
  })

  it('runs again when a test, the configuration or a program changes', async () => {
    const watching = sandbox.follow(['test', '--watch'])
    const runs = (lines: readonly string[]) => lines.filter((line) => line.startsWith('watching')).length
    try {
      await watching.until((lines) => runs(lines) === 1)
      sandbox.write('.holdpoint/tests/bad.yaml', BAD)
      const second = await watching.until((lines) => runs(lines) === 2)
      expect(second).toContain('3 passed, 2 failed')
      sandbox.write('audit.sh', '#!/bin/sh\nexit 0\n', 0o755)
      const third = await watching.until((lines) => runs(lines) === 3)
      expect(third.join('\n')).toContain('untrusted')
      sandbox.config('version: 1\npacks: { safety: true }\n')
      await watching.until((lines) => runs(lines) === 4)
      sandbox.config('version: 1\npacks: [\n')
      await watching.until((lines) => runs(lines) === 5)
    } finally {
      watching.stop()
    }
  })
})

it('holdpoint test without test files says where they belong', async () => {
  sandbox.config('version: 1\n')
  const ran = await sandbox.run(['test'])
  expect(ran.exitCode).toBe(64)
  expect(ran.stderr).toContain('.holdpoint/tests/git.yaml')
})

it.each([
  ['--args', '{"command": "ls"}'],
  ['--skill', 'mux'],
  ['--agent-type', 'worker'],
])('holdpoint test with only %s %s reports what is missing', async (...words) => {
  sandbox.write('.holdpoint/tests/a.yaml', GOOD)
  const ran = await sandbox.run(['test', ...words])
  expect(ran.exitCode).toBe(64)
  expect(ran.stderr).toContain('--tool')
})

it('holdpoint test fails for files without cases', async () => {
  sandbox.config('version: 1\n')
  sandbox.write('.holdpoint/tests/empty.yaml', 'version: 1\ncases: []\n')
  expect((await sandbox.run(['test'])).exitCode).toBe(1)
})
