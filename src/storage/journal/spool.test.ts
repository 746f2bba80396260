import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { eraseFromSpools } from './erase-spool.ts'
import { ingestSpool, OLD_SPOOL, type SpoolStore } from './ingest.ts'
import { appendToOwnSpool, appendToSpool, SPOOL } from './spool.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { JournalRecord } from './store.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-spool-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => join(mkdtempSync(join(root, 'j-')), 'journal')

function recordOf(id: string, more: Partial<JournalRecord> = {}): JournalRecord {
  const fixed = {
    at: '2026-01-15T12:00:00.000Z',
    host: 'test',
    event: 'Stop',
    session: 's',
    cwd: '/p',
    project: '/p',
  }
  return { id, ...fixed, effect: 'pass', because: [], durationMs: 1, revision: 'rev', ...more }
}

function spool(folder: string, ...ids: readonly string[]): void {
  for (const id of ids) expect(appendToSpool(folder, recordOf(id))).toEqual({ ok: true, value: undefined })
}

function idsIn(store: SpoolStore): readonly string[] {
  return [...store.read({})].map(({ record }) => record.id)
}

describe('the spool', () => {
  it('is private, and is created with its folder', () => {
    const folder = newFolder()
    spool(folder, 'r1')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, SPOOL)).mode & 0o777).toBe(0o600)
  })

  test.each<[string, (folder: string) => void]>([
    ['a folder that is a file', (folder) => writeFileSync(folder, '')],
    [
      'a link',
      (folder) => {
        mkdirSync(folder)
        writeFileSync(join(folder, 'target'), '')
        symlinkSync(join(folder, 'target'), join(folder, SPOOL))
      },
    ],
    ['a folder instead of the file', (folder) => mkdirSync(join(folder, SPOOL), { recursive: true })],
    [
      'a spool that is never emptied',
      (folder) => {
        spool(folder, 'r1')
        truncateSync(join(folder, SPOOL), 64 * 1024 * 1024)
      },
    ],
  ])('returns a problem for %s', (_, spoil) => {
    const folder = newFolder()
    spoil(folder)
    const result = appendToSpool(folder, recordOf('r1'))
    expect(result).toMatchObject({
      ok: false,
      problem: { code: 'JOURNAL_UNREADABLE', file: join(folder, SPOOL) },
    })
  })

  it('does not create its folder again after the folder was deleted', () => {
    const home = join(root, 'deleted')
    expect(appendToOwnSpool(join(home, 'journal'), recordOf('r1')).ok).toBe(false)
    expect(existsSync(home)).toBe(false)
    mkdirSync(home)
    expect(appendToOwnSpool(join(home, 'journal'), recordOf('r1')).ok).toBe(true)
  })

  it('returns a problem for a record that is too large or cannot be written as JSON', () => {
    const folder = newFolder()
    for (const extra of [{ text: 'x'.repeat(2_000_000) }, { big: 1n }]) {
      const record = { ...recordOf('r1'), extra } as unknown as JournalRecord
      expect(appendToSpool(folder, record)).toMatchObject({ ok: false })
    }
    expect(existsSync(join(folder, SPOOL))).toBe(false)
  })
})

describe('importing the spool', () => {
  function withStore(work: (folder: string, store: SpoolStore) => void): void {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    try {
      work(folder, store)
      expect(store.verify()).toMatchObject({ ok: true })
    } finally {
      store.close()
    }
  }

  it('does nothing if the spool is empty', () =>
    withStore((folder, store) => {
      expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
      writeFileSync(join(folder, SPOOL), '')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
    }))

  it('imports each line once', () =>
    withStore((folder, store) => {
      spool(folder, 'r1', 'r2')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 2, skipped: 0 })
      expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
      spool(folder, 'r3')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
      expect(idsIn(store)).toEqual(['r1', 'r2', 'r3'])
    }))

  it('imports nothing twice and loses nothing if it fails in the middle', () =>
    withStore((folder, store) => {
      spool(folder, 'r1', 'r2')
      const failing: SpoolStore = {
        ...store,
        ingest: (work) =>
          store.ingest((step) => {
            work(step)
            throw new Error('the process died')
          }),
      }
      expect(() => ingestSpool(folder, failing)).toThrow('the process died')
      expect(idsIn(store)).toEqual([])
      expect(ingestSpool(folder, store)).toEqual({ ingested: 2, skipped: 0 })
    }))

  it('leaves an incomplete last line for later, and loses only that line', () =>
    withStore((folder, store) => {
      spool(folder, 'r1')
      const line = JSON.stringify(recordOf('r2'))
      appendFileSync(join(folder, SPOOL), `\n${line.slice(0, 30)}`)
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
      appendFileSync(join(folder, SPOOL), `${line.slice(30)}\n`)
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
      // The next line is never completed, because the disk was full.
      appendFileSync(join(folder, SPOOL), `\n${line.slice(0, 30)}`)
      spool(folder, 'r4')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 1 })
      expect(idsIn(store)).toEqual(['r1', 'r2', 'r4'])
    }))

  it('skips lines that are not records', () =>
    withStore((folder, store) => {
      mkdirSync(folder, { recursive: true })
      const garbage = [
        'hello',
        '{"id":"x"}',
        '[]',
        '\0\0',
        JSON.stringify({ ...recordOf('x'), effect: 'maybe' }),
      ]
      writeFileSync(join(folder, SPOOL), `${garbage.join('\n')}\n`)
      spool(folder, 'r1')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: garbage.length })
    }))

  it('skips megabytes without a newline', () =>
    withStore((folder, store) => {
      writeFileSync(join(folder, SPOOL), 'x'.repeat(5_000_000))
      spool(folder, 'r1')
      const { ingested, skipped } = ingestSpool(folder, store)
      expect(ingested).toBe(1)
      expect(skipped).toBeGreaterThan(0)
      expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
    }))

  it('imports a spool that needs many steps', () =>
    withStore((folder, store) => {
      const large = { input: 'x'.repeat(500_000) }
      for (let n = 0; n < 12; n++) appendToSpool(folder, recordOf(`r${n}`, large))
      expect(ingestSpool(folder, store)).toEqual({ ingested: 12, skipped: 0 })
      expect(idsIn(store)).toEqual(Array.from({ length: 12 }, (_, n) => `r${n}`))
    }))

  it('imports no record twice if its folder was restored from a copy', () => {
    const [folder, copy] = [newFolder(), newFolder()]
    const before = openSqliteStore(folder)
    spool(folder, 'a', 'b')
    ingestSpool(folder, before)
    before.close()
    cpSync(folder, copy, { recursive: true })
    spool(copy, 'c')
    const after = openSqliteStore(copy)
    expect(ingestSpool(copy, after)).toEqual({ ingested: 1, skipped: 0 })
    expect(idsIn(after)).toEqual(['a', 'b', 'c'])
    after.close()
  })

  it('reads a spool from the start if it is shorter than the imported part', () => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    spool(folder, 'a')
    const short = readFileSync(join(folder, SPOOL))
    spool(folder, 'b', 'c', 'd')
    ingestSpool(folder, store)
    // Restored from a copy that was made earlier.
    writeFileSync(join(folder, SPOOL), short)
    spool(folder, 'e')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
    expect(idsIn(store)).toEqual(['a', 'b', 'c', 'd', 'e'])
    store.close()
  })

  it('reports a spool that is not a file', () =>
    withStore((folder, store) => {
      mkdirSync(join(folder, SPOOL))
      expect(() => ingestSpool(folder, store)).toThrow(/JOURNAL_UNREADABLE/)
    }))
})

describe('the rotation of the spool', () => {
  const fill = (folder: string, name: string) => {
    for (const n of [1, 2, 3, 4, 5]) {
      const record = recordOf(`${name}${n}`, { input: 'x'.repeat(900_000) })
      appendFileSync(join(folder, SPOOL), `\n${JSON.stringify(record)}\n`)
    }
  }

  it('waits for four megabytes, then starts a new file and finishes the old', () => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    spool(folder, 'small')
    ingestSpool(folder, store)
    expect(existsSync(join(folder, OLD_SPOOL))).toBe(false)

    // A slow writer has the file open while it is rotated, and writes to it afterwards.
    const late = openSync(join(folder, SPOOL), 'a')
    fill(folder, 'a')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 5, skipped: 0 })
    expect(existsSync(join(folder, SPOOL))).toBe(false)
    writeSync(late, `\n${JSON.stringify(recordOf('late'))}\n`)
    closeSync(late)
    spool(folder, 'next')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 2, skipped: 0 })
    expect(idsIn(store).slice(-2)).toEqual(['late', 'next'])

    // Only the next rotation removes it.
    expect(readFileSync(join(folder, OLD_SPOOL), 'utf8')).toContain('"late"')
    fill(folder, 'b')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 5, skipped: 0 })
    expect(readFileSync(join(folder, OLD_SPOOL), 'utf8')).not.toContain('"late"')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
    expect(idsIn(store)).toHaveLength(13)
    expect(store.verify()).toMatchObject({ ok: true, records: 13 })
    store.close()
  })

  /** Imports a full spool while something else happens just before the n-th transaction. */
  function disturbed(folder: string, store: SpoolStore, before: (call: number) => void): number {
    let calls = 0
    ingestSpool(folder, {
      ...store,
      ingest: (work) => {
        before(++calls)
        return store.ingest(work)
      },
    })
    return calls
  }

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('loses no line that is added before transaction %i', (when) => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    const expected: string[] = []
    for (let round = 0; round < 2; round++) {
      fill(folder, `large${round}`)
      disturbed(folder, store, (call) => {
        for (const name of call === when ? [SPOOL, OLD_SPOOL] : []) {
          if (!existsSync(join(folder, name))) continue
          expected.push(`${round}:${name}`)
          appendFileSync(join(folder, name), `\n${JSON.stringify(recordOf(expected.at(-1) ?? ''))}\n`)
        }
      })
      ingestSpool(folder, store)
    }
    expect(existsSync(join(folder, OLD_SPOOL))).toBe(true)
    const late = idsIn(store).filter((id) => id.includes(':'))
    expect([...late].sort()).toEqual(expected.sort())
    store.close()
  })

  it('happens once if two processes start it at the same time', () => {
    const [folder, again] = [newFolder(), newFolder()]
    const stores = [openSqliteStore(folder), openSqliteStore(again)] as const
    fill(folder, 'a')
    const rotating = disturbed(folder, stores[0], () => {})
    fill(again, 'a')
    disturbed(again, stores[1], (call) => {
      if (call !== rotating) return
      renameSync(join(again, SPOOL), join(again, OLD_SPOOL))
      spool(again, 'next')
      ingestSpool(again, stores[1])
    })
    expect(readFileSync(join(again, OLD_SPOOL), 'utf8')).toContain('"a1"')
    expect(readFileSync(join(again, SPOOL), 'utf8')).toContain('"next"')
    for (const store of stores) store.close()
  })

  it('recognises a new file that has the inode of a deleted one', () => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    spool(folder, 'r1', 'r2', 'r3')
    ingestSpool(folder, store)
    // The content is replaced in place, so the inode is the same.
    truncateSync(join(folder, SPOOL), 0)
    spool(folder, 'r4')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
    renameSync(join(folder, SPOOL), join(folder, 'elsewhere'))
    spool(folder, 'r5')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
    expect(idsIn(store)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5'])
    store.close()
  })
})

it('a record can be erased from the spool, before and after it was imported', () => {
  const folder = newFolder()
  const texts = ['first', 'second', 'third'].map((id) => ({ ...recordOf(id), input: `text of ${id}` }))
  for (const record of texts) expect(appendToSpool(folder, record).ok).toBe(true)
  const sizeBefore = statSync(join(folder, SPOOL)).size
  expect(eraseFromSpools(folder, 'nobody')).toBe(0)
  expect(eraseFromSpools(folder, 'first')).toBe(1)
  expect(statSync(join(folder, SPOOL)).size).toBe(sizeBefore)
  const store = openSqliteStore(folder)
  expect(ingestSpool(folder, store)).toMatchObject({ ingested: 2 })
  expect(eraseFromSpools(folder, 'second')).toBe(1)
  expect(readFileSync(join(folder, SPOOL), 'utf8')).not.toMatch(/text of (?:first|second)/)
  expect(appendToSpool(folder, recordOf('fourth')).ok).toBe(true)
  expect(ingestSpool(folder, store)).toMatchObject({ ingested: 1 })
  expect([...store.read({})].map(({ record }) => record.id)).toEqual(['second', 'third', 'fourth'])
  store.close()
})
