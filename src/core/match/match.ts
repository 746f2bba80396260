import type { Actor } from '../actor.ts'
import { commandLinesOf } from '../command-lines.ts'
import { type Event, type EventKind, namesOf, subjectOf, toolOf } from '../event.ts'
import type { Hook, Pattern } from '../hook.ts'
import type { Plan } from '../plan/plan.ts'
import { compilePattern, type RegexEngine } from './pattern.ts'

/**
 * Which hooks run for an event, as positions in the plan, in plan order. Each pattern is tested once per distinct
 * subject (a tool name, a session source, ...) and remembered, so a plan with a thousand hooks that cannot match
 * costs the same as a plan with ten.
 */
export type FindHooks = (event: Event, actor: Actor) => readonly number[]

/** The part of a plan that is used for matching. */
type Indexed = Pick<Plan, 'hooks' | 'index'>

export function createMatcher(plan: Indexed, engine: RegexEngine): FindHooks {
  const kinds = new Map<EventKind, KindMatcher>()
  return (event, actor) => {
    let kind = kinds.get(event.kind)
    if (kind === undefined) {
      kind = createKindMatcher(plan, event.kind, engine)
      kinds.set(event.kind, kind)
    }
    return kind(event, actor)
  }
}

type KindMatcher = FindHooks
type Test = (event: Event, actor: Actor) => boolean

/** Names come from the model: without a limit they could fill the memory of a long-running process. */
const REMEMBERED_SUBJECTS_MAX = 4096
const REMEMBERED_FAILURES_MAX = 64
const NONE: readonly number[] = []

function createKindMatcher(plan: Indexed, kind: EventKind, engine: RegexEngine): KindMatcher {
  const index = plan.index[kind]
  if (index === undefined) return () => NONE
  const patterned = index.rest.map((order) => ({
    order,
    matches: compilePattern(plan.hooks[order]?.match.subject, engine),
  }))
  const tests = new Map<number, Test>()
  for (const [order, hook] of plan.hooks.entries()) {
    if (hook.on !== kind) continue
    const test = furtherTest(hook, engine)
    if (test !== undefined) tests.set(order, test)
  }
  const plain = new Map<string | undefined, readonly number[]>()
  const running = new Map<string | undefined, readonly number[]>()

  const candidates = (subject: string | undefined, runsCommands: boolean): readonly number[] => {
    const bySubject = runsCommands ? running : plain
    const known = bySubject.get(subject)
    if (known !== undefined) return known
    const names = subject === undefined ? [] : namesOf(subject)
    const found = new Set<number>(
      names.flatMap((name) => (Object.hasOwn(index.byName, name) ? (index.byName[name] ?? []) : [])),
    )
    for (const { order, matches } of patterned) {
      const match = plan.hooks[order]?.match
      const isMeant = match?.subject === undefined || (runsCommands && match.orRunsCommands === true)
      if (isMeant || names.some(matches)) found.add(order)
    }
    const orders = [...found].sort((a, b) => a - b)
    if (bySubject.size < REMEMBERED_SUBJECTS_MAX) bySubject.set(subject, orders)
    return orders
  }

  const tested = new WeakMap<readonly number[], Tested>()

  return (event, actor) => {
    const tool = toolOf(event)
    const runsCommands = tool !== undefined && commandLinesOf(tool) !== undefined
    const orders = candidates(subjectOf(event), runsCommands)
    if (tests.size === 0) return orders
    let list = tested.get(orders)
    if (list === undefined) {
      list = { orders: orders.filter((order) => tests.has(order)), without: new Map() }
      tested.set(orders, list)
    }
    const failing = list.orders.filter((order) => tests.get(order)?.(event, actor) === false)
    return failing.length === 0 ? orders : without(orders, failing, list)
  }
}

/** What is known about one list of hooks: those with tests, and what is left of it if some of these fail. */
interface Tested {
  readonly orders: readonly number[]
  readonly without: Map<string, readonly number[]>
}

/** The same list again for the same actor, so that what follows from the list is computed once. */
function without(orders: readonly number[], failing: readonly number[], list: Tested): readonly number[] {
  const key = failing.join()
  const known = list.without.get(key)
  if (known !== undefined) return known
  const left = orders.filter((order) => !failing.includes(order))
  if (list.without.size < REMEMBERED_FAILURES_MAX) list.without.set(key, left)
  return left
}

/** The names of an agent: its type and, if agents have their own names, its name. */
function agentNames({ agentType = '', agentId }: Actor): readonly string[] {
  return agentId === undefined || agentId === agentType ? [agentType] : [agentType, agentId]
}

/** All conditions of a hook except its subject: other matcher keys and the actor's scope. */
function furtherTest(hook: Hook, engine: RegexEngine): Test | undefined {
  const { match, actor: scope } = hook
  const tests: Test[] = []
  const word = (pattern: Pattern | undefined, words: (event: Event, actor: Actor) => readonly string[]) => {
    if (pattern === undefined) return
    const matches = compilePattern(pattern, engine)
    tests.push((event, actor) => words(event, actor).some(matches))
  }
  word(match.toolName, (event) => {
    const name = toolOf(event)?.name
    return name === undefined ? [] : namesOf(name)
  })
  word(match.agentType, (_event, actor) => [actor.agentType ?? ''])
  word(match.source, (event) => ('source' in event && event.source !== undefined ? [event.source] : []))
  word(match.trigger, (event) => ('trigger' in event ? [event.trigger] : []))
  if (match.skill !== undefined) {
    const matches = compilePattern(match.skill, engine)
    tests.push((_event, actor) => !actor.scopeKnown || actor.skills.some(matches))
  }
  word(scope.agentType, (_event, actor) => agentNames(actor))
  for (const pattern of scope.exceptAgents ?? []) {
    const matches = compilePattern(pattern, engine)
    tests.push((_event, actor) => !agentNames(actor).some(matches))
  }
  if (match.exceptTools !== undefined) {
    const except = new Set(match.exceptTools)
    tests.push((event) => !except.has(toolOf(event)?.name ?? ''))
  }
  if (match.exceptHost !== undefined) tests.push((event) => event.host !== match.exceptHost)
  if (scope.role !== undefined) tests.push((_event, actor) => actor.role === scope.role)
  if (scope.skill !== undefined) {
    const skill = scope.skill
    // An unknown scope counts as a match, so that a guard stays active when the state is lost.
    tests.push((_event, actor) => !actor.scopeKnown || actor.skills.includes(skill))
  }
  return tests.length === 0 ? undefined : (event, actor) => tests.every((test) => test(event, actor))
}
