import type { CommandOutcome } from '../../core/command.ts'
import type { Answer, Failure, Patch } from '../../core/decision.ts'
import { canAskUser } from '../../core/engine/unattended.ts'
import { allowNotice, type Waivers, waiversOf, withoutWaivers } from '../../core/exceptions.ts'
import type { Facts } from '../../core/facts.ts'
import {
  type Guard,
  type GuardInput,
  type GuardMatch,
  isGuardMatch,
  MODES,
  type Mode,
} from '../../core/guard.ts'
import type { Handler, HandlerCall, HandlerTools, Runner } from '../../core/handler.ts'
import { FAILURE_KINDS, type Hook } from '../../core/hook.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { describedGuard, guardAbout } from '../../core/pack-description.ts'
import { actOf } from './act.ts'
import { detailOf, questionFor, reasonFor } from './explanation.ts'
import { denialPatch, deniedBefore } from './repeats.ts'
import { exceptionFor, isPaused, letThrough } from './waivers.ts'

/** Runs a built-in guard and explains its match to the agent and to the user. */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'guard',
    prepare(hook) {
      const failed = failureIn(hook)
      if (failed !== undefined) return failed
      const id = textAt(hook.run, 'guard') ?? ''
      const about = hook.run.from === undefined ? undefined : guardAbout(hook.run.about)
      if (about !== undefined) return elsewhere(hook, describedGuard(about), tools)
      const guard = tools.guard(id)
      if (guard === undefined) return { failure: 'import', message: `there is no guard ${id}` }
      let ready: PreparedGuard | undefined
      const runner: Runner = (call) => {
        // A process for one event needs few of a hundred guards.
        ready ??= prepareGuard(hook, guard, tools)
        const { waivers, options } = ready
        if (isPaused(waivers, call)) return null
        const { event, actor, memory } = call
        const facts = hook.trusted ? call.facts : withoutPrograms(call.facts)
        const given = { event, actor, facts, options, memory }
        const input: GuardInput =
          guard.knowsAgents === true && call.agents !== undefined
            ? { ...given, agents: call.agents() }
            : given
        if (guard.needs !== undefined) return withCommands(ready, guard.needs, input, call, tools)
        const outcome = guard.check(input)
        if (outcome === null) return null
        const prepared = ready
        return outcome instanceof Promise
          ? outcome.then((settled) => answerOf(prepared, settled, call))
          : answerOf(prepared, outcome, call)
      }
      if (guard.concerns !== undefined) runner.concerns = guard.concerns
      if (guard.topics !== undefined) runner.topics = guard.topics
      runner.isPure = tools.isBuiltIn?.(id) === true && isPure(guard)
      return runner
    },
  }
}

/** Its answer follows from the call, the facts and the memory alone. */
function isPure({ needs, knowsAgents, readsDelivery }: Guard): boolean {
  return needs === undefined && knowsAgents !== true && readsDelivery !== true
}

/** The plan could not use the pack, or its options. */
function failureIn({ run }: Hook): Failure | undefined {
  if (!isObject(run.failure)) return undefined
  const kind = FAILURE_KINDS.find((known) => isObject(run.failure) && known === run.failure.kind) ?? 'import'
  return { failure: kind, message: textAt(run.failure, 'message') ?? 'the pack cannot be used' }
}

/** A guard of a module or a package: only `check` runs there. Levels, modes and exceptions are applied here. */
async function elsewhere(hook: Hook, guard: Guard, tools: HandlerTools): Promise<Runner> {
  // Few plans have such a pack, and the processes of modules are much code.
  const { otherProcess } = await import('./other-process.ts')
  const ready = prepareGuard(hook, guard, tools)
  const check = otherProcess(hook, guard.knowsAgents === true, tools)
  return async (call) => {
    if (isPaused(ready.waivers, call)) return null
    const outcome = await check(call, ready.options)
    return outcome !== null && 'failure' in outcome ? outcome : answerOf(ready, outcome, call)
  }
}

/** A pack that only an untrusted file switched on starts no programs, not even git. The same facts for all its guards. */
function withoutPrograms(facts: Facts): Facts {
  if (last?.facts !== facts) {
    // All of them its own: guards that add facts copy them.
    const less: Facts = { ...facts, recentCommits: async () => [] }
    last = { facts, less }
  }
  return last.less
}

let last: { readonly facts: Facts; readonly less: Facts } | undefined

/** A guard with its position in the plan. */
interface PreparedGuard {
  readonly hook: Hook
  readonly guard: Guard
  readonly certain: Mode
  readonly unsure: Mode
  readonly waivers: Waivers
  /** Without those. */
  readonly options: JsonObject
  readonly tellsHowToAllow: boolean
}

function prepareGuard(hook: Hook, guard: Guard, { hasNoExceptions = false }: HandlerTools): PreparedGuard {
  const mode = (key: 'mode' | 'unsure') => MODES.find((known) => known === hook.run[key]) ?? 'deny'
  const waivers = waiversOf(hook.run)
  const exceptions = waivers.exceptions.filter((exception) => exception.guard === guard.id)
  return {
    hook,
    guard,
    certain: mode('mode'),
    unsure: mode('unsure'),
    waivers: { ...waivers, exceptions },
    options: withoutWaivers(isObject(hook.run.options) ? hook.run.options : {}),
    // No exception can apply to a guard of managed policy.
    tellsHowToAllow: !hasNoExceptions && hook.rank !== 'managed',
  }
}

/** More commands than any guard needs. */
const COMMANDS_MAX = 8

/** Runs the commands that the guard needs, one at a time, then lets it decide. */
async function withCommands(
  ready: PreparedGuard,
  needs: NonNullable<Guard['needs']>,
  input: GuardInput,
  call: HandlerCall,
  tools: HandlerTools,
): Promise<Answer | Failure | null> {
  const { guard } = ready
  const ran = new Map<string, CommandOutcome>()
  const remember: Patch[] = []
  const startedMs = performance.now()
  for (let times = 0; times < COMMANDS_MAX; times += 1) {
    const command = await needs({ ...input, ran })
    if (command === undefined || ran.has(command.run)) break
    const { runCommands } = await import('../run-commands.ts')
    const key = `${guard.id}/${command.run.slice(0, KEY_CHARACTERS_MAX)}`
    // The time of the event is shared by all of them.
    const timeoutMs = Math.max(0, call.timeoutMs - (performance.now() - startedMs))
    const { event, actor, facts, memory, signal } = call
    const left: HandlerCall = { event, actor, facts, memory, signal, timeoutMs }
    const outcome = await runCommands(
      { commands: [command], key },
      ready.hook.run.mayRun === true,
      left,
      tools,
    )
    if ('failure' in outcome) return outcome
    ran.set(command.run, outcome.ran.get(command.run) ?? { kind: 'not run' })
    remember.push(...outcome.remember)
  }
  const answer = answerOf(ready, await guard.check({ ...input, ran }), call)
  if (remember.length === 0 || call.memory === undefined) return answer
  return {
    ...(answer ?? { effect: 'pass' }),
    remember: [...(answer?.remember ?? []), ...remember],
    rememberDenied: [...(answer?.rememberDenied ?? []), ...remember],
  }
}

const KEY_CHARACTERS_MAX = 80

function answerOf(
  prepared: PreparedGuard,
  outcome: GuardMatch | Answer | null,
  call: HandlerCall,
): Answer | null {
  if (outcome === null) return null
  if (!isGuardMatch(outcome)) return noStricterThan(prepared.certain, outcome)
  const ready = outcome.unsure === undefined ? withUndoable(prepared, call) : prepared
  const { guard, hook } = ready
  const weakest = modeFor(ready, outcome, false)
  if (weakest === 'off') return null
  if (weakest === 'warn') {
    const detail = detailOf(hook, outcome, undefined, false)
    const notes = outcome.notes === undefined ? {} : { notes: outcome.notes }
    return { effect: 'pass', guard: guard.id, notices: [reasonFor(guard, outcome, false)], detail, ...notes }
  }
  const act = actOf(guard.id, call.event, call.facts)
  const excepted = act === undefined ? undefined : exceptionFor(act, ready.waivers, call)
  if (excepted !== undefined) return letThrough(guard, excepted, call)
  const text = act?.code ?? ''
  const isRepeat = deniedBefore(call.memory, guard.id, outcome, text)
  const isDeny = modeFor(ready, outcome, isRepeat) === 'deny'
  const notice = act === undefined || !ready.tellsHowToAllow ? undefined : allowNotice(act.code)
  return {
    effect: isDeny ? 'deny' : 'ask',
    guard: guard.id,
    reason: reasonFor(guard, outcome, isRepeat),
    ...(isDeny ? {} : { question: questionFor(guard, outcome, isRepeat) }),
    // A user who can answer yes needs no other way to allow it.
    ...(notice === undefined ? {} : isDeny ? { notices: [notice] } : { ifDenied: notice }),
    rememberDenied: denialPatch(call.memory, guard.id, outcome, text),
    ...(outcome.notes === undefined ? {} : { notes: outcome.notes }),
    detail: detailOf(hook, outcome, act, isRepeat),
  }
}

/** A call that can be undone asks if the user chose that and the host can ask. */
function withUndoable(ready: PreparedGuard, { event }: HandlerCall): PreparedGuard {
  if (ready.hook.run.undoable !== true || ready.certain !== 'deny' || !canAskUser(event)) return ready
  return { ...ready, certain: 'ask' }
}

/** A guard that returns its own answer sets the maximum: the configured mode can only weaken it. */
function noStricterThan(mode: Mode, answer: Answer): Answer {
  const { effect, reason, halt: _halt, ...rest } = answer
  if (effect !== 'deny' && effect !== 'ask') return answer
  if (mode === 'deny' || (mode === 'ask' && effect === 'ask')) return answer
  if (mode === 'ask') return { ...rest, effect: 'ask', ...(reason === undefined ? {} : { reason }) }
  const notices = [...(answer.notices ?? []), ...(reason === undefined ? [] : [reason])]
  return { ...rest, effect: 'pass', notices }
}

/**
 * An unsure match is never stricter than a certain one, whatever the level is. But an act that was denied before is
 * not weakened to a question because it is written in an unclear way.
 */
function modeFor({ certain, unsure }: PreparedGuard, caught: GuardMatch, isRepeat: boolean): Mode {
  if (caught.unsure === undefined || isRepeat) return certain
  return MODES.indexOf(unsure) > MODES.indexOf(certain) ? certain : unsure
}
