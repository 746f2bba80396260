import { MAIN, UNKNOWN_PARENT } from '../../../core/actor.ts'
import { isObject, textAt } from '../../../core/json.ts'
import type { SessionState } from '../../../core/state/state.ts'
import { type JournalRecord, SESSION_RECORDS_MAX, type Store } from '../../../storage/journal/store.ts'
import type { AgentLane, Moment, SessionDetail } from '../api.ts'
import { sessionSummary } from './sessions.ts'

/** More moments than a time line can show. The newest are kept. */
const MOMENTS_MAX = 5_000
const INPUT_MAX = 300

/**
 * One session as a tree of agents, and what each of them did. `state` is what hooks remember of it, for as long as it is
 * kept: it knows the parents and skills of agents that the records do not name.
 */
export function describeSession(
  store: Store,
  session: string,
  state: SessionState | undefined,
): SessionDetail | undefined {
  const records = [...store.read({ session, limit: MOMENTS_MAX * 2 })].map(({ record }) => record)
  const [last] = store.read({ session, limit: 1 })
  if (last === undefined) return undefined
  const effects = { pass: 0, allow: 0, ask: 0, deny: 0 }
  for (const { effect } of records) effects[effect] += 1
  const agents = lanesOf(records, state)
  const isCut = records.length === MOMENTS_MAX * 2 || records.length >= SESSION_RECORDS_MAX
  const from = records[0]?.at ?? last.record.at
  const row = { session, last, from, records: records.length, effects, agents: agents.length, isCut }
  return { summary: sessionSummary(row, store), agents, moments: momentsOf(records).slice(-MOMENTS_MAX) }
}

interface LaneDraft {
  type?: string
  parent?: string
  readonly skills: Set<string>
  from: string
  to: string
  ended: boolean
  calls: number
  stopped: number
}

function lanesOf(records: readonly JournalRecord[], state: SessionState | undefined): readonly AgentLane[] {
  const lanes = new Map<string, LaneDraft>()
  for (const record of records) noteRecord(laneOf(lanes, record), record)
  for (const [id, { type, parent, skills, ended }] of state?.actors ?? []) {
    const lane = lanes.get(id)
    if (lane === undefined) continue
    for (const skill of skills) lane.skills.add(skill)
    if (type !== undefined) lane.type ??= type
    if (parent !== undefined) lane.parent ??= parent
    if (ended) lane.ended = true
  }
  return treeOf(lanes)
}

function laneOf(lanes: Map<string, LaneDraft>, { agent = MAIN, at }: JournalRecord): LaneDraft {
  const known = lanes.get(agent)
  if (known !== undefined) return known
  const lane = { skills: new Set<string>(), from: at, to: at, ended: false, calls: 0, stopped: 0 }
  lanes.set(agent, lane)
  return lane
}

function noteRecord(lane: LaneDraft, record: JournalRecord): void {
  const { at, event, effect, agentType, extra = {} } = record
  const parent = textAt(extra, 'parent')
  if (agentType !== undefined && agentType !== '') lane.type ??= agentType
  if (parent !== undefined && parent !== UNKNOWN_PARENT) lane.parent ??= parent
  for (const skill of Array.isArray(extra.skills) ? extra.skills : []) lane.skills.add(String(skill))
  if (at < lane.from) lane.from = at
  if (at > lane.to) lane.to = at
  if (event === 'PreToolUse') lane.calls += 1
  if (effect === 'deny' || effect === 'ask') lane.stopped += 1
  if (event === 'SubagentStop' || event === 'SessionEnd') lane.ended = effect !== 'deny'
}

/** Parents before children, each in the order in which it began. An agent without a known parent is below the main agent. */
function treeOf(lanes: ReadonlyMap<string, LaneDraft>): readonly AgentLane[] {
  const placed: AgentLane[] = []
  const done = new Set<string>()
  const parentOf = (id: string, { parent = MAIN }: LaneDraft) =>
    id === MAIN ? undefined : lanes.has(parent) && parent !== id ? parent : MAIN
  const place = (id: string, lane: LaneDraft, depth: number) => {
    if (done.has(id)) return
    done.add(id)
    const { type, skills, ...rest } = lane
    const parent = parentOf(id, lane)
    placed.push({
      id,
      ...(type === undefined ? {} : { type }),
      ...(parent === undefined ? {} : { parent }),
      depth,
      skills: [...skills],
      from: rest.from,
      to: rest.to,
      ended: rest.ended,
      calls: rest.calls,
      stopped: rest.stopped,
    })
    for (const [child, other] of lanes) if (parentOf(child, other) === id) place(child, other, depth + 1)
  }
  const main = lanes.get(MAIN)
  if (main !== undefined) place(MAIN, main, 0)
  // Without a main agent, or in a circle of parents.
  for (const [id, lane] of lanes) place(id, lane, main === undefined ? 0 : 1)
  return placed
}

/** The events of one call are one moment, from its check to its result. */
function momentsOf(records: readonly JournalRecord[]): readonly Moment[] {
  const moments: Moment[] = []
  const open = new Map<string, number>()
  for (const record of records) {
    const key = callKey(record)
    const at = key === undefined ? undefined : open.get(key)
    const earlier = at === undefined ? undefined : moments[at]
    if (at !== undefined && earlier !== undefined) moments[at] = withResult(earlier, record)
    else {
      if (key !== undefined) open.set(key, moments.length)
      moments.push(momentOf(record))
    }
  }
  return moments
}

function callKey({ extra, tool }: JournalRecord): string | undefined {
  const call = extra === undefined ? undefined : textAt(extra, 'call')
  return call === undefined ? undefined : `${call}\0${tool}`
}

function withResult(moment: Moment, record: JournalRecord): Moment {
  const toolMs = record.extra?.toolMs
  const isDone = record.event === 'PostToolUse' || record.event === 'PostToolUseFailure'
  return {
    ...moment,
    ...(isDone ? { doneAt: record.at } : {}),
    ...(typeof toolMs === 'number' ? { toolMs } : {}),
    ...(record.event === 'PostToolUseFailure' ? { failed: true } : {}),
    ...(moment.effect === 'pass' ? { effect: record.effect, because: record.because } : {}),
  }
}

function momentOf(record: JournalRecord): Moment {
  const { id, at, event, agent = MAIN, tool, input, effect, because } = record
  const toolMs = record.extra?.toolMs
  const owed = owedOf(record)
  return {
    id,
    kind: kindOf(record),
    agent,
    at,
    event,
    ...(tool === undefined ? {} : { tool }),
    ...(input === undefined ? {} : { input: input.slice(0, INPUT_MAX) }),
    effect,
    because: because.slice(0, 3),
    ...(typeof toolMs === 'number' ? { toolMs } : {}),
    ...(owed.length === 0 ? {} : { owed }),
    ...(event === 'PostToolUseFailure' ? { failed: true } : {}),
  }
}

const SIGNAL_FILE = /[./]signals\/[^\s"']+\.(?:done|fail)\b|\bholdpoint mux signal\b/

function kindOf({ event, tool, input = '', effect }: JournalRecord): Moment['kind'] {
  if (event === 'Stop' || event === 'SubagentStop') return 'gate'
  if (event === 'SubagentStart' || event === 'SessionStart') return 'start'
  if (event === 'SessionEnd') return 'end'
  if (event === 'UserPromptSubmit') return 'prompt'
  if (tool === undefined) return 'other'
  return effect !== 'deny' && SIGNAL_FILE.test(input) ? 'signal' : 'call'
}

function owedOf({ extra }: JournalRecord): readonly string[] {
  const owed = Array.isArray(extra?.owed) ? extra.owed.filter(isObject) : []
  return owed.flatMap((each) => {
    const missing = Array.isArray(each.missing) ? each.missing.map(String) : []
    return missing.map((text) => `${textAt(each, 'by') ?? ''}: ${text}`)
  })
}
