import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { good, type Result } from '../errors.ts'
import { installer } from '../hosts/claude-code/install.ts'
import { installSettings, readSettings, restoreSettings, writeSettings } from './settings-file.ts'

const OPTIONS = { command: '/opt/bin/holdpoint-hook', home: '/opt/home', version: undefined }
const BEFORE = '{\n  "model": "x" // mine\n}\n'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-settings-'))
  file = join(folder, 'settings.json')
})
afterEach(() => {
  chmodSync(folder, 0o755)
  rmSync(folder, { recursive: true, force: true })
})

const content = (path = file) => readFileSync(path, 'utf8')
const install = (path = file) => installSettings(path, installer, OPTIONS)
const restore = (path = file) => restoreSettings(path, installer)
const installedOver = (before: string | undefined) => {
  const text = installer.install(before, OPTIONS)
  if (!text.ok) throw new Error(text.problem.message)
  return text.value
}
const backup = () => `${file}.holdpoint-backup`

describe('installing and restoring', () => {
  it('makes a file and its folder, and removes the file again', () => {
    const deep = join(folder, '.claude', 'settings.json')
    expect(install(deep)).toEqual(good({ file: deep, changed: true }))
    expect(content(deep)).toBe(installedOver(undefined))
    expect(statSync(deep).mode & 0o777).toBe(0o644 & ~process.umask())
    expect(install(deep)).toEqual(good({ file: deep, changed: false }))
    expect(restore(deep)).toEqual(good({ file: deep, changed: true }))
    expect(readdirSync(join(folder, '.claude'))).toEqual([])
  })

  it('does nothing where there is nothing to restore, not even a folder', () => {
    const deep = join(folder, '.claude', 'settings.json')
    expect(restore(deep)).toEqual(good({ file: deep, changed: false }))
    expect(existsSync(join(folder, '.claude'))).toBe(false)
    writeFileSync(file, BEFORE)
    expect(restore()).toEqual(good({ file, changed: false }))
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it('keeps the text before the first entry, whatever is installed after it', () => {
    writeFileSync(file, BEFORE)
    expect(install()).toEqual(good({ file, changed: true, backup: backup() }))
    expect(content(backup())).toBe(BEFORE)
    installSettings(file, installer, { ...OPTIONS, home: '/other', version: '2.1.138' })
    expect(content(backup())).toBe(BEFORE)
    expect(restore()).toEqual(good({ file, changed: true }))
    expect(content()).toBe(BEFORE)
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it('takes only its entries out of a file that was changed since, and leaves the backup', () => {
    writeFileSync(file, BEFORE)
    install()
    writeFileSync(file, content().replace('"x"', '"y"'))
    expect(restore()).toEqual(good({ file, changed: true, backup: backup() }))
    expect(content()).toBe(BEFORE.replace('"x"', '"y"'))
    expect(content(backup())).toBe(BEFORE)
    writeFileSync(file, '{"new": 1}')
    install()
    expect(content(backup())).toBe('{"new": 1}')
  })

  it('leaves an object where a person emptied a file that was there', () => {
    writeFileSync(file, BEFORE)
    install()
    writeFileSync(file, installedOver(undefined))
    restore()
    expect(content()).toBe('{}\n')
  })

  it('removes a file of its own also after a newer version wrote it again', () => {
    install()
    installSettings(file, installer, { ...OPTIONS, version: '2.1.138' })
    restore()
    expect(readdirSync(folder)).toEqual([])
  })

  it('does not put a backup back that somebody else put there', () => {
    writeFileSync(file, BEFORE)
    install()
    writeFileSync(backup(), '{"env": {"PATH": "/evil"}}')
    restore()
    expect(content()).toBe(BEFORE)
    install()
    for (const other of ['{"old": 1}', BEFORE]) {
      writeFileSync(file, installedOver(BEFORE))
      writeFileSync(backup(), installedOver(other))
      restore()
      expect(content()).toBe(BEFORE)
    }
  })

  test.each([0o600, 0o640, 0o664, 0o755])('keeps the mode %o, of the backup too', (mode) => {
    writeFileSync(file, BEFORE)
    chmodSync(file, mode)
    install()
    expect(statSync(file).mode & 0o7777).toBe(mode)
    expect(statSync(backup()).mode & 0o7777).toBe(mode)
    restore()
    expect(statSync(file).mode & 0o7777).toBe(mode)
  })

  it('works on five megabytes', () => {
    const big = `{"a": "${'x'.repeat(5_000_000)}"}`
    writeFileSync(file, big)
    expect(install().ok).toBe(true)
    restore()
    expect(content() === big).toBe(true)
  })

  it('is quick with a file full of our own entries', () => {
    const entry = '{"type":"command","command":"/x/holdpoint-hook y"}'
    const events = Array.from({ length: 20_000 }, (_, each) => `"E${each}":[{"hooks":[${entry}]},1]`)
    writeFileSync(file, `{"hooks":{${events.join(',')}}}`)
    expect(install().ok).toBe(true)
    expect(content().match(/holdpoint-hook/g)).toHaveLength(installer.events.length)
  })
})

describe('links', () => {
  it.each([
    ['one', () => symlinkSync('real/settings.json', file)],
    [
      'two in a row',
      () => (symlinkSync('real/link', file), symlinkSync('settings.json', join(folder, 'real', 'link'))),
    ],
    ['absolute', () => symlinkSync(join(folder, 'real', 'settings.json'), file)],
  ])('are kept, and followed: %s', (_name, link) => {
    const real = join(folder, 'real', 'settings.json')
    mkdirSync(join(folder, 'real'))
    writeFileSync(real, BEFORE)
    link()
    expect(install()).toMatchObject({
      ok: true,
      value: { changed: true, backup: `${real}.holdpoint-backup` },
    })
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(content(real)).toBe(installedOver(BEFORE))
    restore()
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(content(real)).toBe(BEFORE)
    expect(readdirSync(folder)).toEqual(['real', 'settings.json'])
  })
})

describe('a file that must be left alone', () => {
  const asRoot = process.getuid?.() === 0
  it.each<[string, () => void, RegExp, RegExp]>([
    ['no JSON', () => writeFileSync(file, 'hooks: []'), /not JSON/, /nothing was changed/],
    ['a list', () => writeFileSync(file, '[]'), /must be an object/, /nothing was changed/],
    ['read-only', () => (writeFileSync(file, '{}'), chmodSync(file, 0o444)), /read-only/, /chmod u\+w/],
    [
      'in a read-only folder',
      () => (writeFileSync(file, '{}'), chmodSync(folder, 0o555)),
      /folder/,
      /chmod u\+w/,
    ],
    ['missing in a read-only folder', () => chmodSync(folder, 0o555), /folder/, /chmod u\+w/],
    ['a folder', () => mkdirSync(file), /not a file/, /Move it away/],
    ['a pipe', () => execFileSync('mkfifo', [file]), /not a file/, /Move it away/],
    ['a device', () => symlinkSync('/dev/zero', file), /not a file|another user/, /./],
    ['a link to nothing', () => symlinkSync('nowhere', file), /leads to nothing/, /remove the link/],
    ['a link to itself', () => symlinkSync('settings.json', file), /leads back/, /./],
    ['over 8 MiB', () => writeFileSync(file, `{}${' '.repeat(8 * 1024 * 1024)}`), /8 MiB/, /smaller/],
    ['not UTF-8', () => writeFileSync(file, Buffer.from('{"a":"\xe9"}', 'latin1')), /UTF-8/, /Save it/],
    ['UTF-16', () => writeFileSync(file, '\uFEFF{}', 'utf16le'), /UTF-8/, /Save it/],
    [
      'of another user',
      () =>
        asRoot ? (writeFileSync(file, '{}'), chownSync(file, 12_345, 12_345)) : linkSync('/etc/passwd', file),
      /another user/,
      /chown/,
    ],
    [
      'below a file',
      () => ((file = join(folder, 'x', 'y')), writeFileSync(join(folder, 'x'), '')),
      /ENOTDIR/,
      /./,
    ],
  ])('%s', (_name, prepare, says, todo) => {
    prepare()
    const left = readdirSync(folder)
    const bytes = existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined
    const result = install()
    expect(result.ok).toBe(false)
    if (result.ok) return
    expect(result.problem.message).toMatch(says)
    expect(result.problem.file).toMatch(/holdpoint-settings-|^\/dev\/zero$/)
    expect(`${result.problem.fix ?? 'from the table of errors'}`).toMatch(todo)
    expect(readdirSync(folder)).toEqual(left)
    if (bytes !== undefined) expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('may be read-only where nothing is to be changed', () => {
    install()
    chmodSync(file, 0o444)
    chmodSync(folder, 0o555)
    expect(install()).toEqual(good({ file, changed: false }))
  })

  it('is reported when a lock is in the way', () => {
    writeFileSync(file, BEFORE)
    mkdirSync(`${file}.holdpoint-new`)
    const result = install()
    expect(result.ok).toBe(false)
    expect(content()).toBe(BEFORE)
    expect(existsSync(`${file}.holdpoint-lock`)).toBe(false)
  })
})

describe('somebody else writes at the same time', () => {
  const meddling = (times: number) => {
    let left = times
    return {
      ...installer,
      install(text: string | undefined): Result<string> {
        if (left-- > 0) writeFileSync(file, `{"edit": ${left}}`)
        return installer.install(text, OPTIONS)
      },
    }
  }

  it('and what was written is not lost', () => {
    writeFileSync(file, '{"edit": "first"}')
    expect(installSettings(file, meddling(3), OPTIONS)).toMatchObject({ ok: true, value: { changed: true } })
    expect(content()).toBe(installedOver('{"edit": 0}'))
    expect(content(backup())).toBe('{"edit": 0}')
  })

  it('without end, and nothing is written', () => {
    writeFileSync(file, '{"edit": "first"}')
    const result = installSettings(file, meddling(1_000), OPTIONS)
    expect(result).toMatchObject({ ok: false, problem: { message: expect.stringMatching(/all the time/) } })
    expect(content()).toMatch(/^\{"edit": \d+\}$/)
  })

  it('and a text made from the old one is refused', () => {
    writeFileSync(file, 'new')
    expect(writeSettings(file, 'old', 'mine')).toMatchObject({ ok: false, problem: { file } })
    expect(writeSettings(file, undefined, 'mine').ok).toBe(false)
    expect(content()).toBe('new')
    expect(writeSettings(file, 'new', 'mine')).toEqual(good({ file, changed: true, backup: backup() }))
    expect(readSettings(file)).toEqual(good('mine'))
    expect(readSettings(join(folder, 'none'))).toEqual(good(undefined))
  })
})

/** Processes of their own, with the real code in them. */
describe('processes', () => {
  let script: string
  beforeAll(async () => {
    script = join(mkdtempSync(join(tmpdir(), 'holdpoint-settings-script-')), 'child.cjs')
    await build({
      stdin: { contents: CHILD, resolveDir: import.meta.dirname, loader: 'ts' },
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

  /** As if ten seconds had passed. True when there is a lock. */
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

  it('eight at once, and every change of each is there', async () => {
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

  it('one killed at any moment leaves a whole file, and the next install cleans up', async () => {
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

  it('a full disk at any moment leaves a whole file, and says so', async () => {
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
    // Only where taking the lock away is itself what fails.
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
