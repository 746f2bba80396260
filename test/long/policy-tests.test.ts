import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../e2e/command.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

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
    world.write('audit.sh', '#!/bin/sh\necho audited >&2\nexit 2\n', 0o755)
    world.config(CONFIG)
    world.write('.holdpoint/tests/good.yaml', GOOD)
    await world.run(['trust', '--yes'])
  })

  it('runs the test files of the project, and says what none of them exercises', async () => {
    const ran = await world.run(['test'])
    expect(ran.stdout).toContain('✓ nobody pushes with force')
    expect(ran.stdout).toContain('✓ writes are audited')
    expect(ran.stdout).toContain('3 passed')
    expect(ran.stdout).toContain('not exercised by any case: never-tried (.holdpoint/config.yaml:6)')
    expect(ran.exitCode).toBe(0)
  })

  it('fails with what differs, where, and how to look closer; one wrong case spoils no other', async () => {
    world.write('.holdpoint/tests/bad.yml', BAD)
    const ran = await world.run(['test'])
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

  it('runs the file named in place of the folder', async () => {
    world.write('elsewhere.yaml', BAD)
    const ran = await world.run(['test', '--file', 'elsewhere.yaml'])
    expect(ran.stdout).toContain('0 passed, 2 failed')
    expect((await world.run(['test', '--file', 'gone.yaml'])).exitCode).toBe(1)
    expect((await world.run(['test', '--file', 'elsewhere.yaml', '--tool', 'Bash'])).exitCode).toBe(2)
  })

  it('tells programs the same', async () => {
    world.write('.holdpoint/tests/bad.yaml', BAD)
    const ran = await world.run(['test', '--json'])
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

  it('does not take untrusted code for a policy that agrees', async () => {
    world.write('audit.sh', '#!/bin/sh\nexit 0\n', 0o755)
    const ran = await world.run(['test'])
    expect(ran.exitCode).toBe(1)
    expect(ran.stdout).toContain('got pass only because audit could not answer (untrusted')
  })

  it('leaves nothing behind', async () => {
    const before = await world.run(['log', '--json'])
    await world.run(['test'])
    expect((await world.run(['log', '--json'])).stdout).toBe(before.stdout)
  })

  it('watches until Ctrl-C, and ends with what the last run said', async () => {
    const bin = join(import.meta.dirname, '..', '..', 'dist', 'holdpoint.cjs')
    const env = { PATH: process.env.PATH ?? '', HOME: '/home/dev', HOLDPOINT_HOME: world.home }
    const child = spawn(process.execPath, [bin, 'test', '--watch'], { cwd: world.project, env })
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
    const watching = world.follow(['test', '--watch'])
    const runs = (lines: readonly string[]) => lines.filter((line) => line.startsWith('watching')).length
    try {
      await watching.until((lines) => runs(lines) === 1)
      world.write('.holdpoint/tests/bad.yaml', BAD)
      const second = await watching.until((lines) => runs(lines) === 2)
      expect(second).toContain('3 passed, 2 failed')
      world.write('audit.sh', '#!/bin/sh\nexit 0\n', 0o755)
      const third = await watching.until((lines) => runs(lines) === 3)
      expect(third.join('\n')).toContain('untrusted')
      world.config('version: 1\npacks: { safety: true }\n')
      await watching.until((lines) => runs(lines) === 4)
      world.config('version: 1\npacks: [\n')
      await watching.until((lines) => runs(lines) === 5)
    } finally {
      watching.stop()
    }
  })
})

it('without test files it says where they go', async () => {
  world.config('version: 1\n')
  const ran = await world.run(['test'])
  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toContain('.holdpoint/tests/*.yaml')
})

it.each([
  ['--args', '{"command": "ls"}'],
  ['--skill', 'mux'],
  ['--agent-type', 'worker'],
])('with %s alone it does not guess what is meant', async (...words) => {
  world.write('.holdpoint/tests/a.yaml', GOOD)
  const ran = await world.run(['test', ...words])
  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toContain('Name the tool to try')
})

it('files without cases have shown nothing', async () => {
  world.config('version: 1\n')
  world.write('.holdpoint/tests/empty.yaml', 'version: 1\ncases: []\n')
  expect((await world.run(['test'])).exitCode).toBe(1)
})
