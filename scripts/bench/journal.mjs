import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rate } from './rate.mjs'

/** Appends per second: the hook's side (one line to the spool) and the journal's (chained rows in SQLite). */
export async function journalRows(root) {
  const load = (file) => import(pathToFileURL(join(root, 'build', file)))
  const { appendToSpool } = await load('storage/journal/spool.js')
  const { ingestSpool } = await load('storage/journal/ingest.js')
  const { openSqliteStore } = await load('storage/journal/sqlite/store.js')
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-journal-'))
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
  const timed = (count, run) => {
    const started = performance.now()
    run()
    return (count * 1000) / (performance.now() - started)
  }
  const store = openSqliteStore(folder)
  const many = 5_000
  const spooled = timed(many, () => {
    for (let i = 0; i < many; i += 1) appendToSpool(folder, record(i))
  })
  const ingested = timed(many, () => ingestSpool(folder, store))
  const single = timed(1_000, () => {
    for (let i = 0; i < 1_000; i += 1) store.append([record(many + i)])
  })
  const batched = timed(many, () => {
    for (let i = 0; i < many; i += 50)
      store.append(Array.from({ length: 50 }, (_, j) => record(10_000 + i + j)))
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
