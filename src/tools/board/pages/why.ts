import type { Event } from '../../../core/event.ts'
import { isObject, type JsonObject, textAt } from '../../../core/json.ts'
import { commandText } from '../../../policy/analysis/shell-of.ts'
import type { JournalRecord, Store, StoredRecord } from '../../../storage/journal/store.ts'
import { liveFacts } from '../../../system/live-facts.ts'
import { allowCodesOf } from '../../explain/allow-codes.ts'
import { type CommandTree, commandTree } from '../../explain/command-tree.ts'
import { eventOfRecord } from '../../replay/from-journal.ts'
import type { RecordedEvent } from '../../replay/recorded.ts'
import type { DecidedAgain, RecordSummary, StopNote, WhyDetail } from '../api.ts'
import { summaryOf } from '../summary.ts'
import { type ReadyPlans, verdictOf } from './decided-again.ts'
import { findRecords } from './records.ts'

interface WhyContext {
  readonly store: Store
  readonly plans: ReadyPlans
  /** The user's home folder. */
  readonly home: string
  now(): number
}

/** Everything about one decision; undefined if there is no such record. */
export async function explainRecord(id: string, context: WhyContext): Promise<WhyDetail | undefined> {
  const found = context.store.find(id)
  if (found === undefined) return undefined
  const { seq, hash, record } = found
  const { input, reason, notices = [], failed = [], extra = {} } = record
  const { downgraded, event: _event, ...rest } = extra
  const stops = stopsIn(record)
  const recorded = eventOfRecord(found)
  const tree = recorded === undefined ? undefined : treeOf(recorded.event, context.home)
  return {
    summary: summaryOf(record, seq),
    seq,
    cwd: record.cwd,
    ...(input === undefined ? {} : { input }),
    reasons: reason === undefined ? [] : reason.split('\n'),
    notices,
    failures: failed,
    downgraded: Array.isArray(downgraded) ? downgraded.map(String) : [],
    stops: stops.map(noteOf),
    allow: allowCodesOf(stops),
    ...(tree === undefined ? {} : { tree }),
    again: await decideAgain(found, recorded, context),
    similar: similarTo(found, context),
    stored: { seq, ...(record as unknown as JsonObject), extra: rest, hash },
  }
}

function stopsIn({ extra }: JournalRecord): readonly JsonObject[] {
  return Array.isArray(extra?.stops) ? extra.stops.filter(isObject) : []
}

function noteOf(stop: JsonObject): StopNote {
  const optional = (['fragment', 'path', 'unknown', 'configured', 'layer'] as const).flatMap((name) => {
    const text = textAt(stop, name)
    return text === undefined || text === '' ? [] : [[name, text] as const]
  })
  const { via, program } = stop
  const steps = Array.isArray(via) ? [...via, ...(program === undefined ? [] : [program])].map(String) : []
  return {
    guard: textAt(stop, 'guard') ?? '',
    decided: textAt(stop, 'decided') ?? '',
    does: textAt(stop, 'does') ?? '',
    ...Object.fromEntries(optional),
    ...(steps.length > 1 ? { reached: steps.join(' > ') } : {}),
  }
}

/** The command of a call as a tree; undefined if the call has none. */
export function treeOf(event: Event, home: string): CommandTree | undefined {
  const command = commandText(event)
  return command === undefined ? undefined : commandTree(command, { cwd: event.cwd, home })
}

/** Not every record holds enough to decide it again. */
async function decideAgain(
  { record }: StoredRecord,
  recorded: RecordedEvent | undefined,
  { plans, home }: WhyContext,
): Promise<DecidedAgain> {
  if (recorded === undefined || recorded.isContext === true) {
    return { kind: 'impossible', why: 'The record does not hold enough of this event to decide it again.' }
  }
  const doubt = recorded.doubts.find((each) => each === 'no input' || each === 'shortened')
  if (doubt !== undefined) {
    const why =
      doubt === 'shortened'
        ? 'The input was longer than a record holds.'
        : 'The input is not part of the record.'
    return { kind: 'impossible', why }
  }
  try {
    const pure = await plans.ofProject(record.project)
    const skills = Array.isArray(record.extra?.skills) ? record.extra.skills.map(String) : []
    const facts = liveFacts({ cwd: record.cwd, home, project: record.project, env: {} })
    const verdict = await verdictOf(pure, recorded.event, { facts, skills, fitToHost: false })
    return { kind: 'decided', samePolicy: verdict.revision === record.revision, ...verdict }
  } catch (error) {
    return { kind: 'impossible', why: error instanceof Error ? error.message : String(error) }
  }
}

const SIMILAR_MAX = 5

/** Other calls that the same guard decided in the same way, the newest first. */
function similarTo({ seq, record }: StoredRecord, { store, now }: WhyContext): readonly RecordSummary[] {
  const [hook] = record.because
  if (hook === undefined || record.effect === 'pass') return []
  const query = { filter: { effects: [record.effect] }, limit: 200 }
  const { rows } = findRecords(store, query, now)
  return rows.filter((row) => row.seq !== seq && row.because.includes(hook)).slice(0, SIMILAR_MAX)
}
