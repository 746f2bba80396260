import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'
import { personAt } from '../e2e/terminal.ts'
import { installedPackage } from '../installed.ts'

/** What takes protection away needs a person, whichever home, record or program the command comes with. */

let sandbox: Sandbox
let user: string
beforeEach(async () => {
  sandbox = createSandbox()
  user = join(sandbox.folder, 'user')
  mkdirSync(user)
  expect(await order(NOBODY, 'init', '--host', 'claude-code', '--scope', 'user', '--yes')).toMatchObject({
    exitCode: 0,
  })
})
afterEach(() => sandbox.remove())

const NOBODY = {}
/** As below an agent: its programs inherit this. */
const AGENT = { CLAUDECODE: '1' }
const settings = () => join(user, '.claude', 'settings.json')

function order(who: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const home = words.includes('--home') ? [] : ['--home', sandbox.home]
  return sandbox.run([...words, ...home], { env: { HOME: user, ...who }, process: true })
}

const WEAKER = ['init', '--host', 'claude-code', '--scope', 'user', '--only', '--pack', 'secrets', '--yes']
const other = () => ['--home', join(sandbox.folder, 'other')]

describe.each([
  ['an agent', AGENT],
  ['nobody', NOBODY],
])('for %s, the hooks stay as they are', (_who, env) => {
  it.each<[string, () => readonly string[]]>([
    ['uninstall', () => ['uninstall', '--yes']],
    ['uninstall, from another home', () => ['uninstall', '--yes', '--scope', 'user', ...other()]],
    ['fewer packs', () => WEAKER],
    ['fewer packs, from another home', () => [...WEAKER, ...other()]],
    ['the same packs, from another home', () => ['init', '--host', 'claude-code', '--yes', ...other()]],
  ])('%s', async (_what, words) => {
    const before = readFileSync(settings(), 'utf8')
    const said = await order(env, ...words())
    expect(said.stderr).toContain('is only for people')
    expect(said.exitCode).toBe(64)
    expect(readFileSync(settings(), 'utf8')).toBe(before)
  })

  it('fewer packs, when the record of the hooks was deleted', async () => {
    rmSync(join(sandbox.home, 'installs.json'))
    const before = readFileSync(settings(), 'utf8')
    expect((await order(env, ...WEAKER)).stderr).toContain('is only for people')
    expect(readFileSync(settings(), 'utf8')).toBe(before)
  })
})

it('an agent cannot exchange the Node that hooks start, and may renew what is there', async () => {
  const evil = join(sandbox.folder, 'evil', 'node')
  mkdirSync(join(evil, '..'))
  copyFileSync(process.execPath, evil)
  // One that only root can write would be taken for the system's.
  chmodSync(evil, 0o777)
  const program = join(installedPackage(), 'dist', 'holdpoint.cjs')
  const start = join(sandbox.folder, 'start')
  writeFileSync(start, `#!/bin/sh\nexec '${evil}' '${program}' "$@"\n`, { mode: 0o755 })
  const { spawnSync } = await import('node:child_process')
  const renewed = spawnSync(start, ['init', '--renew', '--home', sandbox.home], {
    cwd: sandbox.project,
    env: { PATH: process.env.PATH, HOME: user, ...AGENT },
    encoding: 'utf8',
  })
  expect(renewed.stderr).toContain('is only for people')
  expect(readFileSync(join(sandbox.home, 'installs.json'), 'utf8')).not.toContain(evil)
  expect(await order(AGENT, 'init', '--renew')).toMatchObject({ exitCode: 0 })
})

it('an agent cannot put folders in front of the ones in which hooks look for programs', async () => {
  const before = readFileSync(join(sandbox.home, 'path'), 'utf8')
  const PATH = `/nowhere/evil:${process.env.PATH}`
  await order({ ...AGENT, PATH }, 'init', '--host', 'claude-code', '--scope', 'user', '--yes')
  expect(readFileSync(join(sandbox.home, 'path'), 'utf8')).toBe(before)
})

it('a person may put hooks in order whose home is gone', async () => {
  rmSync(sandbox.home, { recursive: true, force: true, maxRetries: 5 })
  const words = ['init', '--host', 'claude-code', '--yes', ...other()]
  expect((await order(AGENT, ...words)).exitCode).toBe(64)
  expect((await order(NOBODY, ...words)).exitCode).toBe(64)
  expect((await sandbox.person(words, { HOME: user }, { process: true })).exitCode).toBe(0)
  expect(existsSync(join(sandbox.folder, 'other'))).toBe(true)
})

it('a PIN of a home that only the command names agrees to nothing, and none is forgotten by a script', async () => {
  const before = readFileSync(settings(), 'utf8')
  const place = { cwd: sandbox.project, env: { HOME: user }, home: join(sandbox.folder, 'other') }
  for (const words of [
    ['uninstall', '--yes', '--scope', 'user', ...other()],
    [...WEAKER, ...other()],
  ])
    expect(personAt(place, words)).toMatchObject({ exitCode: 64 })
  expect(readFileSync(settings(), 'utf8')).toBe(before)
  expect(personAt(place, ['pin', 'reset', ...other()])).toMatchObject({ exitCode: 64 })
})
