import { execFileSync } from 'node:child_process'
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
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { good, type Result } from '../core/errors.ts'
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

describe('installing hooks in a settings file', () => {
  it('creates a file and its folder, and restoring removes the file again', () => {
    const deep = join(folder, '.claude', 'settings.json')
    expect(install(deep)).toEqual(good({ file: deep, changed: true }))
    expect(content(deep)).toBe(installedOver(undefined))
    expect(statSync(deep).mode & 0o777).toBe(0o644 & ~process.umask())
    expect(install(deep)).toEqual(good({ file: deep, changed: false }))
    expect(restore(deep)).toEqual(good({ file: deep, changed: true }))
    expect(readdirSync(join(folder, '.claude'))).toEqual([])
  })

  it('is not needed for restoring, which then creates nothing', () => {
    const deep = join(folder, '.claude', 'settings.json')
    expect(restore(deep)).toEqual(good({ file: deep, changed: false }))
    expect(existsSync(join(folder, '.claude'))).toBe(false)
    writeFileSync(file, BEFORE)
    expect(restore()).toEqual(good({ file, changed: false }))
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it('keeps the text before the first hook, whatever is installed later', () => {
    writeFileSync(file, BEFORE)
    expect(install()).toEqual(good({ file, changed: true, backup: backup() }))
    expect(content(backup())).toBe(BEFORE)
    installSettings(file, installer, { ...OPTIONS, home: '/other', version: '2.1.138' })
    expect(content(backup())).toBe(BEFORE)
    expect(restore()).toEqual(good({ file, changed: true }))
    expect(content()).toBe(BEFORE)
    expect(readdirSync(folder)).toEqual(['settings.json'])
  })

  it('is undone in a changed file by removing only the hooks, and the backup is kept', () => {
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

  it('is undone to an object if the user emptied an existing file', () => {
    writeFileSync(file, BEFORE)
    install()
    writeFileSync(file, installedOver(undefined))
    restore()
    expect(content()).toBe('{}\n')
  })

  it('is undone by removing a created file, even after a newer version wrote it again', () => {
    install()
    installSettings(file, installer, { ...OPTIONS, version: '2.1.138' })
    restore()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not undone with a backup that another program created', () => {
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

  it('works for five megabytes', () => {
    const big = `{"a": "${'x'.repeat(5_000_000)}"}`
    writeFileSync(file, big)
    expect(install().ok).toBe(true)
    restore()
    expect(content() === big).toBe(true)
  })

  it('works for a file full of Holdpoint hooks', () => {
    const entry = '{"type":"command","command":"/x/holdpoint-hook y"}'
    const events = Array.from({ length: 2_000 }, (_, each) => `"E${each}":[{"hooks":[${entry}]},1]`)
    writeFileSync(file, `{"hooks":{${events.join(',')}}}`)
    expect(install().ok).toBe(true)
    expect(content().match(/holdpoint-hook/g)).toHaveLength(installer.events.length)
  })
})

describe('links to a settings file', () => {
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

describe('a settings file that must not be changed', () => {
  const asRoot = process.getuid?.() === 0
  it.each<[string, () => void, RegExp, RegExp]>([
    ['is not JSON', () => writeFileSync(file, 'hooks: []'), /not JSON/, /nothing was changed/],
    ['is a list', () => writeFileSync(file, '[]'), /Expected an object/, /nothing was changed/],
    ['is read-only', () => (writeFileSync(file, '{}'), chmodSync(file, 0o444)), /read-only/, /chmod u\+w/],
    [
      'in a read-only folder',
      () => (writeFileSync(file, '{}'), chmodSync(folder, 0o555)),
      /folder/,
      /chmod u\+w/,
    ],
    ['is missing in a read-only folder', () => chmodSync(folder, 0o555), /folder/, /chmod u\+w/],
    ['is a folder', () => mkdirSync(file), /not a file/, /Move it away/],
    ['is a pipe', () => execFileSync('mkfifo', [file]), /not a file/, /Move it away/],
    ['is a device', () => symlinkSync('/dev/zero', file), /not a file|another user/, /./],
    ['is a broken link', () => symlinkSync('nowhere', file), /leads to nothing/, /remove the link/],
    ['is a link to itself', () => symlinkSync('settings.json', file), /leads back/, /./],
    [
      'is larger than 8 MiB',
      () => writeFileSync(file, `{}${' '.repeat(8 * 1024 * 1024)}`),
      /8 MiB/,
      /smaller/,
    ],
    ['is not UTF-8', () => writeFileSync(file, Buffer.from('{"a":"\xe9"}', 'latin1')), /UTF-8/, /Save it/],
    ['is UTF-16', () => writeFileSync(file, '\uFEFF{}', 'utf16le'), /UTF-8/, /Save it/],
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
  ])('because it %s is reported and kept', (_name, prepare, says, todo) => {
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

  it('may be read-only if nothing must be changed', () => {
    install()
    chmodSync(file, 0o444)
    chmodSync(folder, 0o555)
    expect(install()).toEqual(good({ file, changed: false }))
  })

  it('is reported if another process holds the lock', () => {
    writeFileSync(file, BEFORE)
    mkdirSync(`${file}.holdpoint-new`)
    const result = install()
    expect(result.ok).toBe(false)
    expect(content()).toBe(BEFORE)
    expect(existsSync(`${file}.holdpoint-lock`)).toBe(false)
  })
})

describe('if another program writes a settings file at the same time,', () => {
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

  it('its text is not lost', () => {
    writeFileSync(file, '{"edit": "first"}')
    expect(installSettings(file, meddling(3), OPTIONS)).toMatchObject({ ok: true, value: { changed: true } })
    expect(content()).toBe(installedOver('{"edit": 0}'))
    expect(content(backup())).toBe('{"edit": 0}')
  })

  it('and does so again and again, nothing is written', () => {
    writeFileSync(file, '{"edit": "first"}')
    const result = installSettings(file, meddling(1_000), OPTIONS)
    expect(result).toMatchObject({ ok: false, problem: { message: expect.stringMatching(/all the time/) } })
    expect(content()).toMatch(/^\{"edit": \d+\}$/)
  })

  it('a text that was made from the old one is rejected', () => {
    writeFileSync(file, 'new')
    expect(writeSettings(file, 'old', 'mine')).toMatchObject({ ok: false, problem: { file } })
    expect(writeSettings(file, undefined, 'mine').ok).toBe(false)
    expect(content()).toBe('new')
    expect(writeSettings(file, 'new', 'mine')).toEqual(good({ file, changed: true, backup: backup() }))
    expect(readSettings(file)).toEqual(good('mine'))
    expect(readSettings(join(folder, 'none'))).toEqual(good(undefined))
  })
})
