import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, it, test } from 'vitest'
import { HoldpointError } from '../../../core/errors.ts'
import { chainHash, GENESIS } from '../chain.ts'
import { storeContract } from '../store.contract.ts'
import type { JournalRecord } from '../store.ts'
import { openSqliteStore } from './store.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-sqlite-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => join(mkdtempSync(join(root, 'j-')), 'journal')

storeContract({ name: 'sqlite', open: () => openSqliteStore(newFolder()) })

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

/** A closed journal of ten records, of which the first two were dropped. */
function folderOfEight(): string {
  const folder = newFolder()
  const store = openSqliteStore(folder)
  store.append([
    recordOf('r1', { at: '2025-01-01T00:00:00.000Z' }),
    recordOf('r2', { at: '2025-01-01T00:00:00.000Z' }),
  ])
  for (let n = 3; n <= 10; n++) store.append([recordOf(`r${n}`)])
  expect(store.retain({ keepDays: 30, now: new Date('2026-01-16') })).toBe(2)
  expect(store.verify()).toEqual({ ok: true, records: 8, message: '8 records, the chain is whole' })
  store.close()
  return folder
}

function sql(folder: string, ...statements: readonly string[]): void {
  const database = new Database(join(folder, 'journal.db'))
  for (const statement of statements) database.exec(statement)
  database.close()
}

function editHead(
  folder: string,
  change: (head: { count: number; seq: number; hash: string }) => object,
): void {
  const path = join(folder, 'head.json')
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))))
}

/** Closing leaves the write-ahead log to the library. Without the log, the file alone must contain everything. */
function withoutLog(folder: string): void {
  sql(folder, 'PRAGMA wal_checkpoint(TRUNCATE)')
  for (const name of ['journal.db-wal', 'journal.db-shm']) rmSync(join(folder, name), { force: true })
}

function verify(folder: string) {
  const store = openSqliteStore(folder)
  try {
    return store.verify()
  } finally {
    store.close()
  }
}

describe('a journal in which someone tampered with', () => {
  test.each<[string, (folder: string) => void, number | undefined, string]>([
    [
      'a changed text',
      (f) => sql(f, `UPDATE records SET record = replace(record, '"pass"', '"deny"') WHERE seq = 5`),
      5,
      'record 5 was changed',
    ],
    [
      'a changed text with a digest to fit',
      (f) =>
        sql(f, `UPDATE records SET record = replace(record, '"pass"', '"deny"'), digest = 'x' WHERE seq = 5`),
      5,
      'record 5 was changed',
    ],
    [
      'a text without its salt',
      (f) => sql(f, `UPDATE records SET salt = '' WHERE seq = 5`),
      5,
      'was changed',
    ],
    [
      'a salt without its text',
      (f) => sql(f, `UPDATE records SET record = '' WHERE seq = 5`),
      5,
      'was changed',
    ],
    [
      'an erased record that says something',
      (f) => sql(f, `UPDATE records SET record = '', salt = '' WHERE seq = 5`),
      5,
      'is listed as something it is not',
    ],
    ['a changed column', (f) => sql(f, `UPDATE records SET effect = 'allow' WHERE seq = 5`), 5, 'not'],
    [
      'a changed hash',
      (f) => sql(f, `UPDATE records SET hash = 'x' WHERE seq = 5`),
      5,
      'record 5 was changed',
    ],
    [
      'a text that is not a record',
      (f) => sql(f, `UPDATE records SET record = 'x' WHERE seq = 5`),
      5,
      'record 5 was changed',
    ],
    ['a removed record', (f) => sql(f, 'DELETE FROM records WHERE seq = 5'), 5, 'record 5 is missing'],
    [
      'several removed',
      (f) => sql(f, 'DELETE FROM records WHERE seq IN (5, 6)'),
      5,
      'records 5 to 6 are missing',
    ],
    [
      'the start removed',
      (f) => sql(f, 'DELETE FROM records WHERE seq < 5'),
      3,
      'records 3 to 4 are missing',
    ],
    [
      'the start removed, with a new anchor',
      (f) =>
        sql(
          f,
          `UPDATE ends SET seq = 4, hash = (SELECT hash FROM records WHERE seq = 4) WHERE name = 'anchor'`,
          'DELETE FROM records WHERE seq <= 4',
        ),
      undefined,
      'head.json counts 8 records up to 10, the journal has 6',
    ],
    [
      'two records exchanged',
      (f) =>
        sql(
          f,
          'UPDATE records SET seq = -5 WHERE seq = 5',
          'UPDATE records SET seq = 5 WHERE seq = 6',
          'UPDATE records SET seq = 6 WHERE seq = -5',
        ),
      5,
      'put in another place',
    ],
    [
      'renumbered after a removal',
      (f) => sql(f, 'DELETE FROM records WHERE seq = 5', 'UPDATE records SET seq = seq - 1 WHERE seq > 5'),
      5,
      'record 5 was changed',
    ],
    [
      'the last cut off',
      (f) => sql(f, 'DELETE FROM records WHERE seq = 10'),
      10,
      'the last record is missing',
    ],
    ['all cut off', (f) => sql(f, 'DELETE FROM records'), 3, 'the last 8 records are missing'],
    [
      'cut off, with a new end',
      (f) =>
        sql(
          f,
          'DELETE FROM records WHERE seq > 8',
          `UPDATE ends SET seq = 8, hash = (SELECT hash FROM records WHERE seq = 8) WHERE name = 'last'`,
        ),
      9,
      'the last 2 records are missing',
    ],
    [
      'the note of the end removed too',
      (f) => {
        sql(f, 'DELETE FROM records WHERE seq = 10')
        unlinkSync(join(f, 'head.json'))
      },
      10,
      'missing',
    ],
    [
      'an added record',
      (f) =>
        sql(
          f,
          `INSERT INTO records SELECT 11, hash, id, at, event, session, agent, tool, effect, project, hooks, record, salt, digest FROM records WHERE seq = 10`,
        ),
      11,
      'record 11 was changed',
    ],
    ['the head removed', (f) => unlinkSync(join(f, 'head.json')), undefined, 'head.json is missing'],
    [
      'the head emptied',
      (f) => writeFileSync(join(f, 'head.json'), ''),
      undefined,
      'head.json is not readable',
    ],
    ['the head of another shape', (f) => editHead(f, () => []), undefined, 'head.json is not readable'],
    [
      'the head with another hash',
      (f) => editHead(f, (head) => ({ ...head, hash: 'x' })),
      10,
      'head.json notes another record',
    ],
    [
      'the head with another count',
      (f) => editHead(f, (head) => ({ ...head, count: 7 })),
      undefined,
      'head.json counts 7',
    ],
    [
      'the head further on',
      (f) => editHead(f, (head) => ({ ...head, seq: 12 })),
      11,
      'the last 2 records are missing',
    ],
    [
      'the head further back',
      (f) => editHead(f, (head) => ({ ...head, seq: 9 })),
      9,
      'head.json notes another record',
    ],
  ])('%s is reported', (_, tamper, brokenAt, message) => {
    const folder = folderOfEight()
    tamper(folder)
    const report = verify(folder)
    expect(report).toMatchObject({ ok: false, ...(brokenAt === undefined ? {} : { brokenAt }) })
    expect(report.message).toContain(message)
  })

  it('a record is still reported after more records were added', () => {
    const folder = folderOfEight()
    sql(folder, 'DELETE FROM records WHERE seq > 8')
    const store = openSqliteStore(folder)
    store.append([recordOf('r11')])
    expect(store.find('r11')?.seq).toBe(11)
    expect(store.verify()).toMatchObject({
      ok: false,
      brokenAt: 9,
      message: expect.stringContaining('records 9 to 10 are missing'),
    })
    store.close()
  })

  it('a record can still read the other records', () => {
    const folder = folderOfEight()
    sql(folder, `UPDATE records SET record = 'x' WHERE seq = 5`)
    const store = openSqliteStore(folder)
    expect([...store.read({})].map(({ seq }) => seq)).toEqual([3, 4, 6, 7, 8, 9, 10])
    store.close()
  })
})

describe('the files of the journal', () => {
  it('are private, and can be opened again', () => {
    const folder = folderOfEight()
    const store = openSqliteStore(folder)
    store.append([recordOf('r11')])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm', 'head.json']) {
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
    }
    expect(store.verify()).toMatchObject({ ok: true, records: 9 })
    store.close()
  })

  it('may have a head that is behind after a crash', () => {
    const folder = folderOfEight()
    const lagging = readFileSync(join(folder, 'head.json'))
    const store = openSqliteStore(folder)
    store.append([recordOf('r11')])
    writeFileSync(join(folder, 'head.json'), lagging)
    expect(store.verify()).toMatchObject({ ok: true, records: 9 })
    store.append([recordOf('r12')])
    expect(JSON.parse(readFileSync(join(folder, 'head.json'), 'utf8'))).toMatchObject({ count: 10, seq: 12 })
    store.close()
  })

  it('become smaller when much is dropped', () => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    store.append(Array.from({ length: 100 }, (_, n) => recordOf(`r${n}`, { input: 'x'.repeat(50_000) })))
    store.close()
    withoutLog(folder)
    const before = statSync(join(folder, 'journal.db')).size
    const again = openSqliteStore(folder)
    again.retain({ keepMegabytes: 1, now: new Date() })
    again.close()
    expect(statSync(join(folder, 'journal.db')).size).toBeLessThan(before / 2)
  })

  test.each<[string, (folder: string) => void]>([
    ['invalid', (folder) => writeFileSync(join(folder, 'journal.db'), 'invalid'.repeat(2_000))],
    ['from a newer version', (folder) => sql(folder, 'PRAGMA user_version = 99')],
  ])('are kept and reported if the database is %s', (_, spoil) => {
    const folder = folderOfEight()
    withoutLog(folder)
    spoil(folder)
    const before = readFileSync(join(folder, 'journal.db'))
    const opening = () => openSqliteStore(folder)
    expect(opening).toThrow(HoldpointError)
    expect(opening).toThrow(/journal\.db.*JOURNAL_UNREADABLE.*Nothing was deleted/)
    expect(readFileSync(join(folder, 'journal.db')).equals(before)).toBe(true)
  })

  it('that are damaged inside are reported without a crash', () => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    store.append(Array.from({ length: 500 }, (_, n) => recordOf(`r${n}`, { input: 'x'.repeat(500) })))
    store.close()
    withoutLog(folder)
    const path = join(folder, 'journal.db')
    const bytes = readFileSync(path)
    bytes.fill(0xff, 3 * 4096, bytes.length - 4096)
    writeFileSync(path, bytes)
    const again = openSqliteStore(folder)
    expect(again.verify()).toMatchObject({ ok: false })
    expect(() => [...again.read({})]).toThrow(/JOURNAL_UNREADABLE/)
    again.close()
  })

  it('that are cut off are reported', () => {
    const folder = folderOfEight()
    withoutLog(folder)
    truncateSync(join(folder, 'journal.db'), 5_000)
    expect(() => {
      const store = openSqliteStore(folder)
      const report = store.verify()
      store.close()
      if (!report.ok) throw new HoldpointError({ code: 'JOURNAL_BROKEN', message: report.message })
    }).toThrow(HoldpointError)
  })

  it('cannot be created where a file exists', () => {
    const file = join(root, 'a-file')
    writeFileSync(file, '')
    expect(() => openSqliteStore(join(file, 'below'))).toThrow(/JOURNAL_UNREADABLE/)
  })
})

/** A journal of 0.1.0: schema 1, with a chain over the texts. */
function folderOfOldVersion(): string {
  const folder = newFolder()
  openSqliteStore(folder).close()
  sql(folder, 'DROP TABLE records', 'PRAGMA user_version = 1')
  const columns = 'seq, hash, id, at, event, session, agent, tool, effect, project, hooks, record'
  sql(
    folder,
    `CREATE TABLE records (${columns.replace('seq', 'seq INTEGER PRIMARY KEY').replaceAll(', ', ' TEXT NOT NULL, ').replace('KEY TEXT NOT NULL', 'KEY')} TEXT NOT NULL)`,
  )
  let hash = GENESIS
  for (let seq = 1; seq <= 3; seq += 1) {
    const record = recordOf(`old${seq}`)
    const text = JSON.stringify(record)
    hash = chainHash(hash, text)
    const values = [hash, record.id, record.at, record.event, 's', 'main', '', 'pass', '/p', '\n\n', text]
    sql(folder, `INSERT INTO records VALUES (${seq}, ${values.map((value) => `'${value}'`).join(', ')})`)
  }
  sql(folder, `INSERT OR REPLACE INTO ends VALUES ('last', 3, '${hash}')`)
  writeFileSync(join(folder, 'head.json'), JSON.stringify({ count: 3, seq: 3, hash }))
  return folder
}

describe('a journal of 0.1.0', () => {
  it('is migrated when it is opened: its records stay, verify and can be read', () => {
    const store = openSqliteStore(folderOfOldVersion())
    expect(store.verify()).toEqual({ ok: true, records: 3, message: '3 records, the chain is whole' })
    store.append([recordOf('new')])
    expect([...store.read({})].map(({ record }) => record.id)).toEqual(['old1', 'old2', 'old3', 'new'])
    expect(store.verify()).toMatchObject({ ok: true, records: 4 })
    expect(store.erase('old2')).toBe('unsealed')
    expect(store.erase('new')).toBe('erased')
    expect(store.verify()).toMatchObject({ ok: true, records: 4, erased: 1 })
    store.close()
  })

  it('is reported if a text was changed', () => {
    const folder = folderOfOldVersion()
    openSqliteStore(folder).close()
    sql(folder, `UPDATE records SET record = replace(record, '"pass"', '"deny"') WHERE seq = 2`)
    expect(verify(folder)).toMatchObject({ ok: false, brokenAt: 2 })
  })
})

it('the files contain nothing of an erased record', () => {
  const folder = newFolder()
  const store = openSqliteStore(folder)
  store.append([recordOf('r1'), recordOf('r2', { input: 'find-me-nowhere' }), recordOf('r3')])
  expect(store.erase('r2')).toBe('erased')
  for (const name of ['journal.db', 'journal.db-wal']) {
    expect(readFileSync(join(folder, name), 'latin1')).not.toContain('find-me-nowhere')
  }
  store.close()
})
