import { HoldpointError } from '../core/errors.ts'
import { isObject, type JsonObject, textAt } from '../core/json.ts'
import { openJournal } from '../storage/journal/journal.ts'
import type { JournalRecord, Query, Store } from '../storage/journal/store.ts'
import type { Home } from '../system/home.ts'

/** One stop by one guard, as recorded in the journal. */
export interface Stop {
  readonly code: string
  readonly act: string
  /** The call, whichever guards stopped it. Missing in records of 0.1.0, where each guard had its own code. */
  readonly call?: string
  readonly guard: string
  readonly layer: string
  readonly does: string
  readonly at: string
  readonly tool: string
  readonly what: string
  readonly cwd: string
  readonly project: string
  readonly session: string
  readonly agent?: string
}

/**
 * The stops of the call with this code, one for each guard. If two different calls have the same code, both are refused: the user would see
 * one and allow the other.
 */
export async function findStops(home: Home, code: string): Promise<readonly Stop[]> {
  const journal = await openJournal(home.journal)
  try {
    journal.importSpool()
    const found = [...stopsWith(code, journal.store)]
    const latest = found.at(-1)
    if (latest === undefined) {
      const message = `The journal has no stop with the code ${JSON.stringify(code)}.`
      throw new HoldpointError({ code: 'RECORD_UNKNOWN', message, fix: FIX })
    }
    if (found.some((each) => callOf(each) !== callOf(latest))) {
      const message = `Two different calls have the code ${code}, so it cannot be used to allow either of them.`
      throw new HoldpointError({
        code: 'RECORD_UNKNOWN',
        message,
        fix: 'Run the command yourself, and report this as a bug.',
      })
    }
    // The guards of the newest try: policies may have changed since an older one.
    const stops = found.filter(({ at }) => at === latest.at)
    return stops.filter(({ act }, index) => stops.findIndex((each) => each.act === act) === index)
  } finally {
    journal.store.close()
  }
}

function callOf({ call, act }: Stop): string {
  return call ?? act
}

const FIX = 'Use the code from the denial message, or from `holdpoint explain --last`.'
/** The newest of each kind: users ask about a call that was stopped a moment ago. */
const LOOKED_AT = 5_000

function* stopsWith(code: string, store: Store): Iterable<Stop> {
  for (const effect of ['ask', 'deny'] as const satisfies readonly Query['effect'][]) {
    for (const { record } of store.read({ effect, limit: LOOKED_AT })) {
      for (const stop of stopsIn(record)) if (stop.code === code) yield stop
    }
  }
}

/** What guards reported about each stop of a record. */
export function stopsOf({ extra }: JournalRecord): readonly JsonObject[] {
  const stops = extra?.stops
  return Array.isArray(stops) ? stops.filter(isObject) : []
}

function stopsIn(record: JournalRecord): readonly Stop[] {
  const all = stopsOf(record)
  return all.flatMap((stop) => {
    const [code, act, guard] = [textAt(stop, 'code'), textAt(stop, 'act'), textAt(stop, 'guard')]
    if (code === undefined || act === undefined || guard === undefined) return []
    const { at, cwd, project, session, agent, tool = '', input = '' } = record
    const said = { layer: textAt(stop, 'layer') ?? '', does: textAt(stop, 'does') ?? '' }
    const about = { at, cwd, project, session, tool, what: input.slice(0, SHOWN) }
    const call = textAt(stop, 'call')
    return [
      {
        code,
        act,
        ...(call === undefined ? {} : { call }),
        guard,
        ...said,
        ...about,
        ...(agent === undefined ? {} : { agent }),
      },
    ]
  })
}

const SHOWN = 500
