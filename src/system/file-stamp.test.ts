import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isOlder, isStillSame, stampOf, watchStamps } from './file-stamp.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-stamp-'))
  mkdirSync(at('here'))
  writeFileSync(at('here', 'file'), 'one')
  symlinkSync(at('nowhere', 'end'), at('here', 'link'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (...names: readonly string[]) => join(folder, ...names)
const watched = () =>
  [at('here', 'file'), at('here', 'missing'), at('here', 'deep', 'er', 'missing'), at('here', 'link')].map(
    stampOf,
  )

/** A change has a time of its own only if it comes later than the clock of files can tell. */
async function untilOld(): Promise<void> {
  const folders = [folder, at('here')].map(stampOf)
  while (!folders.every((stamp) => isOlder(stamp, Date.now()))) await sleep(5)
}

describe('watched files', () => {
  it.each<[string, () => void]>([
    ['a file is written', () => writeFileSync(at('here', 'file'), 'two')],
    ['a file is replaced', () => replace(at('here', 'file'), 'one')],
    ['a file is removed', () => rmSync(at('here', 'file'))],
    ['a missing file appears', () => writeFileSync(at('here', 'missing'), '')],
    ['a missing file is moved in', () => replace(at('here', 'missing'), '')],
    ['the folders of a missing file appear, with it', () => makeDeep()],
    ['the end of a link appears', () => [mkdirSync(at('nowhere')), writeFileSync(at('nowhere', 'end'), '')]],
    ['their folder is replaced', () => [renameSync(at('here'), at('before')), mkdirSync(at('here'))]],
  ])('have changed when %s', async (_name, change) => {
    await untilOld()
    const areSame = watchStamps(watched())
    expect([areSame(), areSame()]).toEqual([true, true])
    change()
    expect(areSame()).toBe(false)
  })

  it.each<[string, () => void]>([
    ['nothing happens', () => {}],
    ['another file appears', () => writeFileSync(at('here', 'other'), '')],
    ['the first of several missing folders appears', () => mkdirSync(at('here', 'deep'))],
    ['a missing file was there for a moment', () => [makeDeep(), rmSync(at('here', 'deep'), RECURSIVE)]],
  ])('are the same when %s, and noticed when they change later', async (_name, change) => {
    await untilOld()
    const areSame = watchStamps(watched())
    expect(areSame()).toBe(true)
    change()
    expect(areSame()).toBe(true)
    await untilOld()
    expect([areSame(), areSame()]).toEqual([true, true])
    makeDeep()
    expect(areSame()).toBe(false)
  })

  it('are looked at one by one while their folder is new', () => {
    const areSame = watchStamps(watched())
    // Within one tick of the clock of files, a change cannot be seen at the folder.
    for (let i = 0; i < 200; i += 1) {
      expect(areSame()).toBe(true)
      writeFileSync(at('here', 'missing'), '')
      expect(areSame()).toBe(false)
      rmSync(at('here', 'missing'))
    }
  })

  it('are as a look at each of them says, whatever happens', async () => {
    const changes = [
      () => writeFileSync(at('here', 'missing'), ''),
      () => rmSync(at('here', 'missing'), { force: true }),
      () => makeDeep(),
      () => rmSync(at('here', 'deep'), RECURSIVE),
      () => writeFileSync(at('other'), ''),
    ]
    for (let round = 0; round < 40; round += 1) {
      if (round % 3 === 0) await untilOld()
      const stamps = watched()
      const areSame = watchStamps(stamps)
      areSame()
      changes[(round * 7) % changes.length]?.()
      expect(areSame()).toBe(stamps.every(isStillSame))
    }
  })
})

describe('the time of a file', () => {
  const changedMs = 1_700_000_000_000
  it.each([
    ['a later tick of a fine clock', changedMs + 0.5, 11, true],
    ['the same tick of a fine clock', changedMs + 0.5, 10, false],
    ['the next second of a clock without parts of a second', changedMs, 1_500, false],
    ['three seconds later', changedMs, 3_000, true],
  ])('tells changes apart: %s', (_name, timeMs, laterMs, isTold) => {
    const stamp = { path: '/a', found: [timeMs, timeMs, 1, 1] as const }
    expect(isOlder(stamp, timeMs + laterMs)).toBe(isTold)
  })
})

const RECURSIVE = { recursive: true, force: true } as const

function makeDeep(): void {
  mkdirSync(at('here', 'deep', 'er'), { recursive: true })
  writeFileSync(at('here', 'deep', 'er', 'missing'), '')
}

function replace(path: string, text: string): void {
  writeFileSync(at('new'), text)
  renameSync(at('new'), path)
}
