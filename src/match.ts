import type { Actor } from './actor.ts'
import { type Event, type EventKind, namesOf, subjectOf, toolOf } from './event.ts'
import type { Hook, Match, Pattern } from './hook.ts'
import { compilePattern, type RegexEngine } from './pattern.ts'
import type { Plan } from './plan.ts'
import { isShellTool } from './shell-tools.ts'

/**
 * Which hooks run for an event, as positions in the plan, in plan order. Each pattern is tested once per distinct
 * subject (a tool name, a session source, ...) and remembered, so a plan with a thousand hooks that cannot match
 * costs the same as a plan with ten.
 */
export type Matcher = (event: Event, actor: Actor) => readonly number[]

/** The part of a plan that is matched. */
type Indexed = Pick<Plan, 'hooks' | 'index'>

export function createMatcher(plan: Indexed, engine: RegexEngine): Matcher {
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

type KindMatcher = Matcher
type Test = (event: Event, actor: Actor) => boolean

/** Names come from the model: without a bound they could fill the memory of a long-lived process. */
const REMEMBERED_SUBJECTS_MAX = 4096
const NONE: readonly number[] = []

function createKindMatcher(plan: Indexed, kind: EventKind, engine: RegexEngine): KindMatcher {
  const index = plan.index[kind]
  if (index === undefined) return () => NONE
  const patterned = index.rest.map((order) => ({
    order,
    matches: subjectTest(plan.hooks[order]?.match, engine),
  }))
  const tests = new Map<number, Test>()
  for (const [order, hook] of plan.hooks.entries()) {
    if (hook.on !== kind) continue
    const test = furtherTest(hook, engine)
    if (test !== undefined) tests.set(order, test)
  }
  const bySubject = new Map<string | undefined, readonly number[]>()

  const candidates = (subject: string | undefined): readonly number[] => {
    const known = bySubject.get(subject)
    if (known !== undefined) return known
    const names = subject === undefined ? [] : namesOf(subject)
    const found = new Set<number>(
      names.flatMap((name) => (Object.hasOwn(index.byName, name) ? (index.byName[name] ?? []) : [])),
    )
    for (const { order, matches } of patterned) {
      if (plan.hooks[order]?.match.subject === undefined || names.some(matches)) found.add(order)
    }
    const orders = [...found].sort((a, b) => a - b)
    if (bySubject.size < REMEMBERED_SUBJECTS_MAX) bySubject.set(subject, orders)
    return orders
  }

  return (event, actor) => {
    const orders = candidates(subjectOf(event))
    if (tests.size === 0) return orders
    return orders.filter((order) => tests.get(order)?.(event, actor) ?? true)
  }
}

function subjectTest(match: Match | undefined, engine: RegexEngine): (subject: string) => boolean {
  const matches = compilePattern(match?.subject, engine)
  return match?.orShellTool === true ? (subject) => matches(subject) || isShellTool(subject) : matches
}

/** Who an agent is: what it was started as, and, where agents have names of their own, which one it is. */
function agentNames({ agentType = '', agentId }: Actor): readonly string[] {
  return agentId === undefined || agentId === agentType ? [agentType] : [agentType, agentId]
}

/** Everything about a hook that is not its subject: other matcher keys and the actor's scope. */
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
  if (match.exceptHost !== undefined) tests.push((event) => event.host !== match.exceptHost)
  if (scope.role !== undefined) tests.push((_event, actor) => actor.role === scope.role)
  if (scope.skill !== undefined) {
    const skill = scope.skill
    // A scope that cannot be known is a scope that holds: a guard must not vanish with its state.
    tests.push((_event, actor) => !actor.scopeKnown || actor.skills.includes(skill))
  }
  return tests.length === 0 ? undefined : (event, actor) => tests.every((test) => test(event, actor))
}
