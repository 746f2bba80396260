import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { installer } from '../../src/hosts/claude-code/install.ts'
import { installSettings, restoreSettings } from '../../src/system/settings-file.ts'

const OPTIONS = { command: '/opt/bin/holdpoint-hook', home: '/opt/home', version: undefined }
const BEFORE = '{\n  "model": "x" // mine\n}\n'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-settings-'))
  file = join(folder, 'settings.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const content = () => readFileSync(file, 'utf8')
const install = () => installSettings(file, installer, OPTIONS)
const restore = () => restoreSettings(file, installer)
const installedOver = (before: string) => {
  const text = installer.install(before, OPTIONS)
  if (!text.ok) throw new Error(text.problem.message)
  return text.value
}

/** Separate processes that run the real code. */
describe('with several processes and a settings file,', () => {
  let script: string
  beforeAll(async () => {
    script = join(mkdtempSync(join(tmpdir(), 'holdpoint-settings-script-')), 'child.cjs')
    await build({
      stdin: {
        contents: CHILD,
        resolveDir: join(import.meta.dirname, '..', '..', 'src', 'system'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      outfile: script,
    })
    return () => rmSync(join(script, '..'), { recursive: true })
  })

  const run = (...args: readonly string[]) =>
    new Promise<{ code: number | null; out: string }>((resolve) => {
      const child = spawn(process.execPath, [script, file, ...args])
      let out = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          out += chunk
        })
      }
      child.on('close', (code) => resolve({ code, out }))
    })

  /** As if ten seconds had passed. Returns true if there is a lock. */
  const ageLock = () => {
    const lock = `${file}.holdpoint-lock`
    if (existsSync(lock)) utimesSync(lock, 1_700_000_000, 1_700_000_000)
    return existsSync(lock)
  }

  const countCalls = async () => {
    const { out } = await run('count', '0')
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    writeFileSync(file, BEFORE)
    return JSON.parse(out).calls as number
  }

  it('eight at once lose no change', async () => {
    writeFileSync(file, '{\n  "start": 1\n}\n')
    const ended = await Promise.all(
      Array.from({ length: 8 }, (_, me) => (me % 2 === 0 ? run('install', `${me}`) : run('edit', `${me}`))),
    )
    expect(ended.filter(({ code }) => code !== 0)).toEqual([])
    const { hooks, ...rest } = JSON.parse(content())
    expect(Object.keys(hooks)).toEqual(installer.events)
    expect(JSON.stringify(hooks).match(/holdpoint-hook/g)).toHaveLength(installer.events.length)
    const edits = [1, 3, 5, 7].flatMap((me) => [0, 1, 2, 3, 4].map((round) => `edit-${me}-${round}`))
    expect(Object.keys(rest).toSorted()).toEqual([...edits, 'start'].toSorted())
    expect(readdirSync(folder).toSorted()).toEqual(['settings.json', 'settings.json.holdpoint-backup'])
  })

  it('one that is killed at any moment leaves a complete file, and the next installation cleans up', async () => {
    writeFileSync(file, BEFORE)
    const calls = await countCalls()
    expect(calls).toBeGreaterThan(8)
    const ends = new Set<string>()
    for (let nth = 1; nth <= calls; nth += 1) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      writeFileSync(file, BEFORE)
      expect((await run('kill', `${nth}`)).code).toBe(null)
      ends.add(content())
      expect([BEFORE, installedOver(BEFORE)]).toContain(content())
      ageLock()
      expect(install().ok).toBe(true)
      expect(content()).toBe(installedOver(BEFORE))
      expect(restore().ok).toBe(true)
      expect(content()).toBe(BEFORE)
      expect(readdirSync(folder).filter((name) => !name.endsWith('-lock'))).toEqual(['settings.json'])
    }
    expect(ends).toEqual(new Set([BEFORE, installedOver(BEFORE)]))
  })

  it('a full disk at any moment leaves a complete file, and is reported', async () => {
    writeFileSync(file, BEFORE)
    const calls = await countCalls()
    let locksLeft = 0
    for (let nth = 1; nth <= calls; nth += 1) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      writeFileSync(file, BEFORE)
      const { out } = await run('fail', `${nth}`)
      const { result } = JSON.parse(out)
      expect([BEFORE, installedOver(BEFORE)]).toContain(content())
      if (content() === BEFORE)
        expect(result).toMatchObject({ ok: false, problem: { file: expect.stringContaining(file) } })
      if (ageLock()) locksLeft += 1
      expect(install().ok).toBe(true)
      expect(restore().ok).toBe(true)
      expect(content()).toBe(BEFORE)
    }
    // Only if removing the lock itself fails.
    expect(locksLeft).toBeLessThanOrEqual(1)
  })
})

const CHILD = `
import fs from 'node:fs'
import { installer } from '../hosts/claude-code/install.ts'
import { installSettings, readSettings, writeSettings } from './settings-file.ts'
const [, , file, what, number] = process.argv
const options = (home) => ({ command: '/opt/bin/holdpoint-hook', home, version: undefined })
if (what === 'install') {
  for (let round = 0; round < 5; round += 1) {
    const result = installSettings(file, installer, options('/opt/' + number + '/' + round))
    if (!result.ok) throw new Error(JSON.stringify(result))
  }
} else if (what === 'edit') {
  for (let round = 0; round < 5; ) {
    const before = readSettings(file).value
    const key = JSON.stringify('edit-' + number + '-' + round)
    if (writeSettings(file, before, before.replace('{', '{ ' + key + ': 1,')).ok) round += 1
  }
} else {
  let calls = 0
  for (const name of ['openSync', 'writeSync', 'writeFileSync', 'fchmodSync', 'fsyncSync', 'closeSync', 'renameSync', 'rmSync', 'mkdirSync']) {
    const real = fs[name]
    fs[name] = (...args) => {
      calls += 1
      if (calls === Number(number) && what === 'kill') process.kill(process.pid, 'SIGKILL')
      if (calls === Number(number) && what === 'fail') {
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      }
      return real(...args)
    }
  }
  const result = installSettings(file, installer, options('/opt/home'))
  process.stdout.write(JSON.stringify({ calls, result }))
}
`
