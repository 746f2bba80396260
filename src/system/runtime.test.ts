import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { homeLayout } from './home.ts'
import {
  canStart,
  currentRuntime,
  installRuntime,
  pruneRuntimes,
  startCommand,
  watchCurrent,
} from './runtime.ts'

/** Copies of the build of this repository. */
let folder: string
let home: ReturnType<typeof homeLayout>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-runtime-'))
  home = homeLayout(join(folder, 'home'), {})
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const names = () => readdirSync(home.runtime).sort()

describe('installing the copy', () => {
  it('creates one folder named after its content, and a link to it', () => {
    const installed = installRuntime(home)
    expect(currentRuntime(home)).toEqual(installed)
    expect(names()).toEqual([readlinkSync(join(home.runtime, 'current')), 'current'].sort())
    for (const file of [
      'dist/hook.cjs',
      'dist/programs.cjs',
      'node_modules/jiti/package.json',
      'skills/mux/SKILL.md',
    ]) {
      expect(existsSync(join(installed.folder, file)), file).toBe(true)
    }
    expect(existsSync(join(installed.folder, 'dist', 'lib'))).toBe(false)
  })

  it('does nothing the second time', () => {
    const first = installRuntime(home)
    const made = statSync(first.folder).ino
    expect(installRuntime(home)).toEqual(first)
    expect(statSync(first.folder).ino).toBe(made)
  })

  it.each<[string, (copy: string) => void]>([
    ['lost a file', (copy) => rmSync(join(copy, 'dist', 'journal.cjs'))],
    ['has an empty file', (copy) => writeFileSync(join(copy, 'dist', 'hook.cjs'), '')],
    ['lost its manifest', (copy) => rmSync(join(copy, 'runtime.json'))],
  ])('creates a copy again that %s', (_name, damage) => {
    const { folder: copy } = installRuntime(home)
    damage(copy)
    installRuntime(home)
    expect(readFileSync(join(copy, 'dist', 'hook.cjs'), 'utf8')).not.toBe('')
    expect(existsSync(join(copy, 'dist', 'journal.cjs'))).toBe(true)
    expect(names()).toHaveLength(2)
  })

  it('keeps the existing copy, and nothing incomplete, if it cannot write', () => {
    const { folder: copy } = installRuntime(home)
    const before = names()
    rmSync(copy, { recursive: true })
    writeFileSync(copy, 'in the way')
    // A folder that is not empty cannot be replaced by a link.
    rmSync(join(home.runtime, 'current'))
    mkdirSync(join(home.runtime, 'current'))
    writeFileSync(join(home.runtime, 'current', 'file'), '')
    expect(() => installRuntime(home)).toThrow()
    expect(names()).toEqual(before)
  })
})

describe('the copy in use', () => {
  it('is watched by a daemon, which is outdated if another copy or none is current', () => {
    expect(watchCurrent(home)()).toBe(true)
    installRuntime(home)
    // This code runs from the repository: if there is a copy, a new process would run that.
    expect(watchCurrent(home)()).toBe(false)
  })

  it('is started by the installed launcher if there is one', () => {
    expect(startCommand(home, 'daemon')[0]).toBe(process.execPath)
    expect(canStart(home, 'daemon')).toBe(true)
    mkdirSync(join(home.folder, 'bin'), { recursive: true })
    writeFileSync(home.nodeProgram, '')
    expect(startCommand(home, 'daemon')).toEqual([home.nodeProgram, 'daemon'])
    expect(canStart(home, 'daemon')).toBe(false)
    installRuntime(home)
    expect(canStart(home, 'daemon')).toBe(true)
  })
})

describe('old copies', () => {
  const HOURS_AGO = new Date(Date.now() - 3 * 60 * 60 * 1000)

  it('are removed when they are unused and an hour has passed', () => {
    installRuntime(home)
    for (const name of ['old', 'fresh', 'used']) mkdirSync(join(home.runtime, name))
    for (const name of ['old', 'used']) utimesSync(join(home.runtime, name), HOURS_AGO, HOURS_AGO)
    pruneRuntimes(home, (each) => each.endsWith('used'))
    expect(names().filter((name) => /^[a-z]+$/.test(name))).toEqual(['current', 'fresh', 'used'])
  })

  it('are kept while it is unknown which one is current', () => {
    mkdirSync(join(home.runtime, 'old'), { recursive: true })
    utimesSync(join(home.runtime, 'old'), HOURS_AGO, HOURS_AGO)
    pruneRuntimes(home, () => false)
    symlinkSync('gone', join(home.runtime, 'current'))
    expect(names()).toEqual(['current', 'old'])
  })
})
