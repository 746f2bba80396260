import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkRunFolder, prepareRunFolder } from './run-folder.ts'

let base: string
let folder: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'holdpoint-run-'))
  folder = join(base, 'home', 'run')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(base, { recursive: true, force: true })
})

describe('the run folder', () => {
  const make = (mode: number) => {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, mode)
  }
  it.each<[string, string | undefined, () => void]>([
    ['is accepted with mode 0700', undefined, () => make(0o700)],
    ['is accepted with mode 0755', undefined, () => make(0o755)],
    ['is refused if it is missing', 'is missing', () => {}],
    ['is refused with mode 0770', 'is writable for other users', () => make(0o770)],
    ['is refused with mode 0702', 'is writable for other users', () => make(0o702)],
    ['is refused with mode 1777, as of /tmp', 'is writable for other users', () => make(0o1777)],
    [
      'is refused if it is a file',
      'is not a folder',
      () => {
        mkdirSync(join(folder, '..'), { recursive: true })
        writeFileSync(folder, '')
      },
    ],
    [
      'is refused if it is a link to a good folder',
      'is not a folder',
      () => {
        make(0o700)
        symlinkSync(folder, `${folder}-link`)
        folder = `${folder}-link`
      },
    ],
    [
      'is refused if it belongs to another user',
      'belongs to another user',
      () => {
        make(0o700)
        const owner = statSync(folder).uid
        vi.spyOn(process, 'geteuid').mockReturnValue(owner + 1)
      },
    ],
  ])('%s', (_name, wrong, prepare) => {
    prepare()
    const checked = checkRunFolder(folder)
    expect(checked.ok).toBe(wrong === undefined)
    if (!checked.ok) {
      expect(checked.problem).toMatchObject({
        code: 'DAEMON_FOLDER',
        message: expect.stringContaining(wrong ?? ''),
      })
    }
  })

  it('is created with mode 700 if it is missing, and refused if it cannot be created', () => {
    expect(prepareRunFolder(folder)).toMatchObject({ ok: true })
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    writeFileSync(join(base, 'file'), '')
    expect(prepareRunFolder(join(base, 'file', 'run'))).toMatchObject({
      ok: false,
      problem: { code: 'DAEMON_FOLDER' },
    })
  })
})
