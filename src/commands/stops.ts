import { HoldpointError } from '../errors.ts'
import { openJournal } from '../journal.ts'
import { isObject, type JsonObject, textAt } from '../json.ts'
import type { JournalRecord, Query, Store } from '../stores/store.ts'
import type { Home } from '../world/home.ts'

/** One stop by one guard, as the journal has it. */
export interface Stop {
  readonly code: string
  readonly act: string
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
  /** The same call was stopped by these guards too: guard and code. */
  readonly others: readonly string[]
}

/** The stop with this code. Two acts with one code are refused: a person would be shown one and allow the other. */
export async function findStop(home: Home, code: string): Promise<Stop> {
  const journal = await openJournal(home)
  try {
    journal.takeIn()
    const found = [...stopsWith(code, journal.store)]
    const latest = found.at(-1)
    if (latest === undefined) {
      const message = `The journal has no stop with the code ${JSON.stringify(code)}.`
      throw new HoldpointError({ code: 'RECORD_UNKNOWN', message, fix: FIX })
    }
    if (found.some(({ act }) => act !== latest.act)) {
      const message = `Two different acts have the code ${code}, so neither can be let through by it.`
      throw new HoldpointError({ code: 'RECORD_UNKNOWN', message, fix: 'Do it yourself, or report this.' })
    }
    return latest
  } finally {
    journal.store.close()
  }
}

const FIX = 'The code stands in what you were told, and in `holdpoint explain <id>`.'
/** Newest of each kind; a person asks about what was stopped a moment ago. */
const LOOKED_AT = 5_000

function* stopsWith(code: string, store: Store): Iterable<Stop> {
  for (const effect of ['ask', 'deny'] as const satisfies readonly Query['effect'][]) {
    for (const { record } of store.read({ effect, limit: LOOKED_AT })) {
      for (const stop of stopsIn(record)) if (stop.code === code) yield stop
    }
  }
}

/** What guards said of each stop of a record. */
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
    const others = all
      .filter((each) => each !== stop && each.code !== undefined)
      .map((each) => `${each.guard} (${each.code})`)
    return [{ code, act, guard, others, ...said, ...about, ...(agent === undefined ? {} : { agent }) }]
  })
}

const SHOWN = 500
