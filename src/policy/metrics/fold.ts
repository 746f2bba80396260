import { MAIN, UNKNOWN_PARENT } from '../../core/actor.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import {
  addFigures,
  type Figures,
  type HandoffFigure,
  NO_FIGURES,
  type RouteFigure,
  type TestFigure,
  type ToolFigure,
} from './figures.ts'
import { type Metric, OUTCOMES, shortName } from './metric.ts'

/** Computes the totals of one session from its metrics, in any order. A second delivery of a line is not counted. */
export function foldMetrics(metrics: Iterable<Metric>): Figures {
  const draft: Draft = {
    times: [],
    turns: 0,
    tools: [],
    handoffs: [],
    tests: [],
    loads: { ...NO_FIGURES.loads },
    runs: new Map(),
    calls: [],
  }
  const seen = new Map<string, number>()
  for (const metric of metrics) {
    const atMs = Date.parse(metric.timestamp)
    const before = seen.get(metric.id)
    if (before !== undefined && Math.abs(atMs - before) <= SECOND_DELIVERY_MS) continue
    seen.set(metric.id, atMs)
    note(draft, metric, atMs)
  }
  return figuresOf(draft)
}

/** Some agents reuse call ids, so a later line with the same id is another call. */
const SECOND_DELIVERY_MS = 5_000

interface Draft {
  readonly times: string[]
  turns: number
  readonly tools: ToolFigure[]
  readonly handoffs: HandoffFigure[]
  readonly tests: TestFigure[]
  readonly loads: { reads: number; searches: number; web: number; skills: number }
  /** Sub-agents by id. */
  readonly runs: Map<string, Run>
  /** Calls that started, or should have started, a sub-agent. */
  readonly calls: AgentCall[]
}

interface Run {
  type?: string
  parent?: string
  startMs?: number
  stopMs?: number
  calls: number
}

interface AgentCall {
  readonly by: string
  readonly type: string
  readonly child: string | undefined
}

function note(draft: Draft, { eventType, timestamp, data, metadata }: Metric, atMs: number): void {
  if (draft.times.length === 0) draft.times.push(timestamp, timestamp)
  if (timestamp < (draft.times[0] ?? '')) draft.times[0] = timestamp
  if (timestamp > (draft.times[1] ?? '')) draft.times[1] = timestamp
  const run = runOf(draft, metadata)
  switch (eventType) {
    case 'tool':
      if (run !== undefined) run.calls += 1
      noteTool(draft, data, textAt(metadata, 'agentId') ?? MAIN)
      break
    case 'agent-start':
      if (run !== undefined) run.startMs = Math.min(run.startMs ?? atMs, atMs)
      break
    case 'agent-stop':
      if (run !== undefined) run.stopMs = Math.max(run.stopMs ?? atMs, atMs)
      break
    case 'stop':
      draft.turns += 1
      break
    case 'handoff':
      noteHandoff(draft, data)
      break
  }
}

/** The sub-agent of a metric. Each of its metrics gives its type, and its parent once that is known. */
function runOf(draft: Draft, metadata: JsonObject): Run | undefined {
  const id = textAt(metadata, 'agentId')
  if (id === undefined) return undefined
  const run = draft.runs.get(id) ?? { calls: 0 }
  draft.runs.set(id, run)
  const type = textAt(metadata, 'agentType')
  const parent = textAt(metadata, 'parent')
  if (type !== undefined) run.type = shortName(type)
  if (parent !== undefined && parent !== UNKNOWN_PARENT) run.parent = parent
  return run
}

function noteTool(draft: Draft, data: JsonObject, by: string): void {
  const durationMs = numberAt(data, 'durationMs')
  draft.tools.push({
    name: shortName(textAt(data, 'tool') ?? ''),
    calls: 1,
    failed: data.ok === false ? 1 : 0,
    timed: durationMs === undefined ? 0 : 1,
    totalMs: durationMs ?? 0,
    maxMs: durationMs ?? 0,
  })
  const load = data.load
  if (load === 'reads' || load === 'searches' || load === 'web' || load === 'skills') draft.loads[load] += 1
  if (isObject(data.agent)) {
    const type = shortName(textAt(data.agent, 'type') ?? '')
    if (data.ok !== false) draft.calls.push({ by, type, child: textAt(data.agent, 'id') })
  }
  if (isObject(data.test)) noteTest(draft, data.test)
}

function noteTest(draft: Draft, test: JsonObject): void {
  const { outcome } = test
  draft.tests.push({
    runner: shortName(textAt(test, 'runner') ?? ''),
    passed: outcome === 'passed' ? 1 : 0,
    failed: outcome === 'failed' ? 1 : 0,
    unclear: outcome === 'passed' || outcome === 'failed' ? 0 : 1,
  })
}

function noteHandoff(draft: Draft, data: JsonObject): void {
  const outcome = OUTCOMES.find((known) => known === data.outcome)
  if (outcome === undefined) return
  draft.handoffs.push({
    from: shortName(textAt(data, 'from') ?? MAIN),
    to: shortName(textAt(data, 'to') ?? ''),
    routed: 0,
    completed: 0,
    held: 0,
    failed: 0,
    [outcome]: 1,
  })
  if (isObject(data.test)) noteTest(draft, data.test)
}

function figuresOf(draft: Draft): Figures {
  const [from, to] = draft.times
  if (from === undefined || to === undefined) return NO_FIGURES
  const agents = [...draft.runs.values()].filter(isAgent).map((run) => {
    const ms =
      run.startMs === undefined || run.stopMs === undefined ? 0 : Math.max(0, run.stopMs - run.startMs)
    const finished = run.stopMs === undefined ? 0 : 1
    return { name: run.type ?? UNNAMED, runs: 1, finished, totalMs: ms, maxMs: ms, calls: run.calls }
  })
  const { turns, tools, handoffs, tests, loads } = draft
  const routes = routesOf(draft)
  // Adding to empty totals sorts and bounds the lists.
  return addFigures([
    { from, to, sessions: 1, turns, tools, agents, routes, handoffs, tests, loads: { ...loads } },
  ])
}

/** A compaction ends like a sub-agent, with an id of its own. It has no type, no start and no calls. */
function isAgent({ type, startMs, calls }: Run): boolean {
  return type !== undefined || startMs !== undefined || calls > 0
}

const UNNAMED = '(no type)'

/** One route for each sub-agent that ran, and for each call that names a child without metrics. */
function routesOf({ runs, calls }: Draft): readonly RouteFigure[] {
  const callers = new Map(
    calls.flatMap(({ by, child }) => (child === undefined ? [] : [[child, by] as const])),
  )
  const unnamed = calls.filter(({ child }) => child === undefined)
  const nameOf = (agent: string | undefined) =>
    agent === undefined ? UNKNOWN_PARENT : agent === MAIN ? MAIN : (runs.get(agent)?.type ?? UNNAMED)
  const started = [...runs]
    .filter(([, run]) => isAgent(run))
    .map(([id, run]) => {
      const parent = callers.get(id) ?? run.parent ?? takeCaller(unnamed, run.type)
      return { from: nameOf(parent), to: run.type ?? UNNAMED, count: 1 }
    })
  // Even if a host reports nothing about its sub-agents, it reports which agent called them.
  const untold = calls.filter(({ child }) => (child === undefined ? runs.size === 0 : !runs.has(child)))
  return [...started, ...untold.map(({ by, type }) => ({ from: nameOf(by), to: type || UNNAMED, count: 1 }))]
}

/** The oldest call that could have started an agent of this type. Each call is used once. */
function takeCaller(calls: AgentCall[], type: string | undefined): string | undefined {
  const at = calls.findIndex((call) => call.type === type || call.type === '')
  return at === -1 ? undefined : calls.splice(at, 1)[0]?.by
}

function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
