import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FAREWELLS, farewell, type Signs, watchFile } from './life.ts'

const WELL: Signs = {
  idleMs: 5,
  idleMaxMs: 10,
  hasPlace: true,
  isCurrent: true,
  hasParent: true,
  needsParent: false,
}

describe('a daemon', () => {
  it.each<[string | undefined, Partial<Signs>]>([
    [undefined, {}],
    [undefined, { idleMs: 10 }],
    [undefined, { idleMs: 1e12, idleMaxMs: Number.POSITIVE_INFINITY }],
    ['idle', { idleMs: 11 }],
    ['replaced', { hasPlace: false }],
    ['orphaned', { hasParent: false }],
    ['outdated', { isCurrent: false }],
    // Its supervisor starts a new program only for this one.
    ['outdated', { isCurrent: false, hasPlace: false, hasParent: false, idleMs: 11 }],
    // Somebody sits there already: nobody needs another supervisor.
    ['replaced', { hasPlace: false, hasParent: false, idleMs: 11 }],
    ['unsupervised', { needsParent: true }],
    ['replaced', { hasPlace: false, needsParent: true }],
  ])('%s when %j', (reason, signs) => {
    expect(farewell({ ...WELL, ...signs })).toBe(reason)
  })

  it('says by its exit code whether another should follow', () => {
    expect(FAREWELLS).toEqual({
      ...{ stopped: 0, idle: 0, replaced: 0, unsupervised: 0 },
      ...{ outdated: 75, orphaned: 76 },
    })
  })
})

describe('a watched file', () => {
  it.each<[string, boolean, (path: string) => void]>([
    ['untouched', true, () => {}],
    ['removed', false, (path) => rmSync(path)],
    ['longer', false, (path) => writeFileSync(path, 'program, changed')],
    ['of another time', false, (path) => utimesSync(path, 1, 1)],
    [
      'another of the same size and time',
      false,
      (path) => {
        writeFileSync(`${path}.new`, 'PROGRAM')
        utimesSync(`${path}.new`, 1_000, 1_000)
        renameSync(`${path}.new`, path)
      },
    ],
  ])('%s', (_name, same, change) => {
    const path = join(mkdtempSync(join(tmpdir(), 'holdpoint-life-')), 'file')
    writeFileSync(path, 'program')
    utimesSync(path, 1_000, 1_000)
    const isCurrent = watchFile(path)
    change(path)
    expect(isCurrent()).toBe(same)
    rmSync(join(path, '..'), { recursive: true })
  })
})
