import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtModule } from '../built-module.mjs'
import { rate } from './rate.mjs'

/**
 * Appends per second: the hook's side (one line to the spool) and the journal's (chained rows in SQLite).
 * @param {import('./amounts.mjs').Amounts} amounts
 * @returns {Promise<import('./report.mjs').Section>}
 */
export async function journalRows({ records: many }) {
  const { appendToSpool } = await builtModule('src/storage/journal/spool.ts')
  const { ingestSpool } = await builtModule('src/storage/journal/ingest.ts')
  const { openSqliteStore } = await builtModule('src/storage/journal/sqlite/store.ts')
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-journal-'))
  /** @type {(i: number) => import('../../src/storage/journal/store.ts').JournalRecord} */
  const record = (i) => ({
    id: `id-${i}`,
    at: new Date(1_760_000_000_000 + i).toISOString(),
    host: 'claude-code',
    event: 'PreToolUse',
    session: 's',
    tool: 'Bash',
    input: 'git status && ls -la',
    cwd: '/srv/project',
    project: '/srv/project',
    effect: 'pass',
    because: [],
    durationMs: 1.25,
    revision: 'r',
  })
  /** @type {(count: number, run: () => unknown) => number} */
  const timed = (count, run) => {
    const started = performance.now()
    run()
    return (count * 1000) / (performance.now() - started)
  }
  const store = openSqliteStore(folder)
  const few = many / 5
  const spooled = timed(many, () => {
    for (let i = 0; i < many; i += 1) appendToSpool(folder, record(i))
  })
  const ingested = timed(many, () => ingestSpool(folder, store))
  const single = timed(few, () => {
    for (let i = 0; i < few; i += 1) store.append([record(many + i)])
  })
  const batched = timed(many, () => {
    for (let i = 0; i < many; i += 50)
      store.append(Array.from({ length: 50 }, (_, j) => record(2 * many + i + j)))
  })
  store.close()
  rmSync(folder, { recursive: true, force: true })
  return {
    title: 'Journal',
    head: ['what', 'records/s'],
    rows: [
      ['hook: one line to the spool'.padEnd(32), rate(spooled)],
      ['spool into the journal'.padEnd(32), rate(ingested)],
      ['journal, one at a time'.padEnd(32), rate(single)],
      ['journal, 50 at a time'.padEnd(32), rate(batched)],
    ],
    note: 'SQLite with write-ahead log, synchronous NORMAL, every record chained by hash.',
  }
}
