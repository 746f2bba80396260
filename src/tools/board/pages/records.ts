import type { Query, Store, StoredRecord } from '../../../storage/journal/store.ts'
import type { RecordFilter, RecordPage, RecordSummary } from '../api.ts'
import { summaryOf } from '../summary.ts'

/** The first step is as long as a page; later ones grow, because a rare match needs a long search. */
const STEP_MIN = 250
const STEP_MAX = 8_000
/** A search that finds nothing ends after this time, and the page asks again from there. */
const SEARCH_MAX_MS = 250

export interface RecordQuery {
  readonly filter: RecordFilter
  readonly limit: number
  /** A sequence number: only older records. */
  readonly before?: number
}

/** Reads backwards from the newest record. What one call reads is bounded, however long the journal is. */
export function findRecords(
  store: Store,
  { filter, limit, before }: RecordQuery,
  now: () => number,
): RecordPage {
  const [newest] = before === undefined ? store.read({ limit: 1 }) : []
  let end = before ?? (newest === undefined ? 0 : newest.seq + 1)
  const rows: RecordSummary[] = []
  const untilMs = now() + SEARCH_MAX_MS
  const isWanted = wantedBy(filter)
  let searchedTo: string | undefined
  for (let step = STEP_MIN; end > 1; step = Math.min(STEP_MAX, step * 2)) {
    const after = Math.max(0, end - 1 - step)
    const read = [...store.read({ ...columnsOf(filter), after, before: end })].reverse()
    for (const stored of read) {
      searchedTo = stored.record.at
      if (!isWanted(stored)) continue
      rows.push(summaryOf(stored.record, stored.seq))
      if (rows.length === limit) return { rows, next: stored.seq, searchedTo }
    }
    end = after + 1
    if (now() >= untilMs && end > 1) break
  }
  return {
    rows,
    ...(end > 1 ? { next: end } : {}),
    ...(searchedTo === undefined ? {} : { searchedTo }),
  }
}

/** What the database can compare itself. */
function columnsOf({ effects = [], project, tool, session }: RecordFilter): Query {
  const [effect, another] = effects
  return {
    ...(effect === undefined || another !== undefined ? {} : { effect }),
    ...(project === undefined ? {} : { project }),
    ...(tool === undefined ? {} : { tool }),
    ...(session === undefined ? {} : { session }),
  }
}

function wantedBy({ effects = [], host, text }: RecordFilter): (stored: StoredRecord) => boolean {
  const needle = text?.toLowerCase()
  return ({ record }) =>
    (effects.length === 0 || effects.includes(record.effect)) &&
    (host === undefined || record.host === host) &&
    (needle === undefined || textsOf(record).some((each) => each.toLowerCase().includes(needle)))
}

function textsOf({
  input,
  reason,
  tool,
  agentType,
  because,
  id,
  event,
  session,
  notices,
}: StoredRecord['record']) {
  const texts = [input, reason, tool, agentType, id, event, session, ...because, ...(notices ?? [])]
  return texts.filter((text) => text !== undefined)
}
