import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/storage/journal/sqlite/store.ts'
import type { JournalRecord, Query } from '../../src/storage/journal/store.ts'
import type { Dimension } from './dimension.ts'

const SESSION_CALLS = 100
const START_MS = Date.parse('2026-01-15T12:00:00Z')
const at = (i: number) => new Date(START_MS + i * 1_000).toISOString()

/** Sessions one after another; one call of a hundred is denied, and one of ten is not a command. */
function recordOf(i: number): JournalRecord {
  const denied = i % 100 === 7
  return {
    id: `id-${String(i).padStart(8, '0')}`,
    at: at(i),
    host: 'claude-code',
    event: 'PreToolUse',
    session: `session-${Math.floor(i / SESSION_CALLS)}`,
    tool: i % 10 === 3 ? 'Edit' : 'Bash',
    input: 'git status && ls -la',
    cwd: '/srv/project',
    project: '/srv/project',
    effect: denied ? 'deny' : 'pass',
    because: denied ? ['safety/git/force-push'] : [],
    durationMs: 1.25,
    revision: 'r',
  }
}

const BATCH = 1_000

/** A journal with so many records, made once for each size in a process and copied from then on. */
function fill(folder: string, size: number): void {
  const made = templates.get(size) ?? mkdtempSync(join(tmpdir(), 'holdpoint-growth-journal-'))
  if (!templates.has(size)) {
    templates.set(size, made)
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    const store = openSqliteStore(made)
    for (let i = 0; i < size; i += BATCH)
      store.append(Array.from({ length: Math.min(BATCH, size - i) }, (_, j) => recordOf(i + j)))
    store.close()
  }
  cpSync(made, folder, { recursive: true })
}

const templates = new Map<number, string>()

type Store = ReturnType<typeof openSqliteStore>

/** By a program that has just opened the journal: what it needs it must read, because nothing is in its memory yet. */
const curve = (
  id: string,
  does: string,
  law: Dimension['law'],
  use: (store: Store, size: number) => unknown,
  sizes: Pick<Dimension, 'sizes' | 'more'> = { sizes: [100, 1_000, 10_000], more: [100_000] },
): Dimension => ({
  id: `journal-${id}`,
  does,
  unit: 'records',
  law,
  counts: 'bytes',
  ...sizes,
  prepare(size, folder) {
    fill(folder, size)
    const store = openSqliteStore(folder)
    return { run: () => use(store, size), close: () => store.close() }
  },
})

const reading =
  (query: (size: number) => Query, expected: (size: number) => number) => (store: Store, size: number) => {
    const found = [...store.read(query(size))].length
    if (found !== expected(size)) throw new Error(`${found} records were found, not ${expected(size)}`)
  }

export const journalDimensions: readonly Dimension[] = [
  curve('append', 'append one record', 'logarithmic', (store, size) => store.append([recordOf(size)])),
  curve(
    'newest',
    'show the newest 20 records',
    'logarithmic',
    reading(
      () => ({ limit: 20 }),
      () => 20,
    ),
  ),
  curve(
    'follow',
    'show the 10 records after one',
    'logarithmic',
    reading(
      (size) => ({ after: size - 10 }),
      () => 10,
    ),
  ),
  curve('find', 'find one record by its id', 'logarithmic', (store, size) => {
    if (store.find(recordOf(Math.floor(size / 2)).id) === undefined)
      throw new Error('the record is not there')
  }),
  curve(
    'session',
    'show the records of one session',
    'logarithmic',
    reading(
      (size) => ({ session: recordOf(Math.floor(size / 2)).session }),
      () => SESSION_CALLS,
    ),
  ),
  curve(
    'since',
    'show the records of the last minute',
    'linear',
    reading(
      (size) => ({ since: at(size - 60) }),
      () => 60,
    ),
  ),
  curve(
    'denied',
    'show the newest denied record',
    'logarithmic',
    reading(
      () => ({ effect: 'deny', limit: 1 }),
      () => 1,
    ),
  ),
  curve(
    'sessions',
    'list the newest three sessions',
    'logarithmic',
    (store) => {
      if (store.sessions({ limit: 3 }).length !== 3) throw new Error('the sessions were not found')
    },
    // A step of this reads 500 records, so there is no curve below that.
    { sizes: [], more: [1_000, 10_000, 100_000] },
  ),
  curve(
    'nothing',
    'look for a tool that no record names',
    'linear',
    reading(
      () => ({ tool: 'Nothing', limit: 20 }),
      () => 0,
    ),
  ),
  curve('verify', 'verify the chain', 'linear', (store) => {
    if (!store.verify().ok) throw new Error('the chain does not verify')
  }),
]
