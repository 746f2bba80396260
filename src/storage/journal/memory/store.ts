import { MAIN } from '../../../core/actor.ts'
import { chainHash, digestOf, GENESIS, type Seal, sealed, wholeChain } from '../chain.ts'
import { closedStore, matchesQuery, oldestKept, recordTexts, sizeOf } from '../record.ts'
import {
  type ChainReport,
  type JournalRecord,
  type Query,
  SESSION_RECORDS_MAX,
  type SessionRow,
  type Store,
  type StoredRecord,
} from '../store.ts'

interface Row extends Seal {
  readonly seq: number
  readonly hash: string
  readonly text: string
}

/** A journal that lives as long as the process: for tests and embedding programs. */
export function createMemoryStore(): Store {
  let rows: readonly Row[] = []
  /** The start of the chain: the last record that was dropped. */
  let anchor = { seq: 0, hash: GENESIS }
  let open = true

  function kept(): readonly Row[] {
    if (!open) throw closedStore()
    return rows
  }

  return {
    append(records) {
      const added = [...kept()]
      for (const text of recordTexts(records)) {
        const last = added.at(-1) ?? anchor
        const seal = sealed(text)
        added.push({ seq: last.seq + 1, hash: chainHash(last.hash, seal.digest), text, ...seal })
      }
      rows = added
    },
    read: (query) => select(kept(), query),
    find: (id) =>
      kept()
        .flatMap(storedOf)
        .find(({ record }) => record.id === id),
    sessions: (query) => sessionsOf(kept().flatMap(storedOf), query),
    verify: () => verify(kept(), anchor.hash),
    chain(after, limit) {
      const before = kept().filter(({ seq }) => seq <= after)
      const { seq, hash } = before.at(-1) ?? anchor
      return { previous: { seq, hash }, rows: rows.slice(before.length, before.length + limit) }
    },
    erase(id) {
      const found = kept().filter((row) => storedOf(row).some(({ record }) => record.id === id))
      rows = rows.map((row) => (found.includes(row) ? { ...row, text: '', salt: '' } : row))
      return found.length === 0 ? 'unknown' : 'erased'
    },
    retain(limits) {
      const dropped = rowsToDrop(kept(), limits)
      const last = rows[dropped - 1]
      if (last !== undefined) anchor = { seq: last.seq, hash: last.hash }
      rows = rows.slice(dropped)
      return dropped
    },
    close() {
      open = false
    },
  }
}

function select(rows: readonly Row[], query: Query): readonly StoredRecord[] {
  const found = rows.flatMap(storedOf).filter(({ seq, record }) => matchesQuery(query, seq, record))
  return query.limit === undefined ? found : found.slice(Math.max(0, found.length - Math.max(0, query.limit)))
}

function storedOf({ seq, hash, text }: Row): readonly StoredRecord[] {
  if (text === '') return []
  const record: JournalRecord = JSON.parse(text)
  return [{ seq, hash, record }]
}

function verify(rows: readonly Row[], start: string): ChainReport {
  let previous = start
  for (const { seq, hash, text, salt, digest } of rows) {
    const isWhole = text === '' ? salt === '' : digestOf(salt, text) === digest
    if (!isWhole || chainHash(previous, digest) !== hash) {
      return { ok: false, records: rows.length, brokenAt: seq, message: `record ${seq} was changed` }
    }
    previous = hash
  }
  return wholeChain(rows.length, rows.filter(({ text }) => text === '').length)
}

function rowsToDrop(rows: readonly Row[], limits: Parameters<Store['retain']>[0]): number {
  const oldest = oldestKept(limits)
  const young =
    oldest === undefined ? 0 : rows.findIndex((row) => (storedOf(row)[0]?.record.at ?? '') >= oldest)
  let dropped = young === -1 ? rows.length : young
  if (limits.keepMegabytes === undefined) return dropped
  let bytes = rows.slice(dropped).reduce((sum, { text }) => sum + sizeOf(text), 0)
  while (bytes > limits.keepMegabytes * 1_000_000) {
    bytes -= sizeOf(rows[dropped]?.text ?? '')
    dropped++
  }
  return dropped
}

function sessionsOf(
  all: readonly StoredRecord[],
  { limit, before = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly before?: number },
): readonly SessionRow[] {
  const sessions = new Map<string, StoredRecord[]>()
  for (const stored of all) {
    const { session } = stored.record
    if (session !== '') sessions.set(session, [...(sessions.get(session) ?? []), stored])
  }
  return [...sessions]
    .map(([session, records]) => rowOf(session, records))
    .filter(({ last }) => last.seq < before)
    .sort((a, b) => b.last.seq - a.last.seq)
    .slice(0, limit)
}

function rowOf(session: string, records: readonly StoredRecord[]): SessionRow {
  const counted = records.slice(-SESSION_RECORDS_MAX).map(({ record }) => record)
  const effects = { pass: 0, allow: 0, ask: 0, deny: 0 }
  for (const { effect } of counted) effects[effect] += 1
  return {
    session,
    last: records.at(-1) as StoredRecord,
    from: counted.map(({ at }) => at).sort()[0] ?? '',
    records: counted.length,
    effects,
    agents: new Set(counted.map(({ agent = MAIN }) => agent)).size,
    isCut: records.length > SESSION_RECORDS_MAX,
  }
}
