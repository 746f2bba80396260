import type { Answer, Failure, Patch } from '../../core/decision.ts'
import type { Handler, HandlerCall, Runner } from '../../core/handler.ts'
import type { Hook } from '../../core/hook.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { RegexEngine } from '../../core/match/pattern.ts'
import type { RuleRun } from '../../core/rule.ts'
import { type ConditionCheck, type ConditionResult, compileCondition } from './conditions.ts'
import { answerOf, isStrict } from './outcome.ts'
import { type RuleInput, ruleInputOf } from './rule-input.ts'

/**
 * Runs a rule of a configuration file: conditions that match, may match or do not match, and one outcome. It runs no
 * foreign code and reads only the event, the facts and the memory, so it also runs for untrusted files. `Hook.trusted`
 * then allows only deny, ask and warn.
 */
export function create(): Handler {
  return {
    type: 'rule',
    prepare(hook) {
      const run = hook.run as unknown as RuleRun
      if (run.regexes !== true) return runnerOf(hook, run, NO_ENGINE)
      return import('../../core/match/regex.ts').then(({ linearEngine }) => runnerOf(hook, run, linearEngine))
    },
  }
}

/** A rule with a regex, although it says that it has none, comes from another version: it fails and does not pass. */
const NO_ENGINE: RegexEngine = {
  compile: () => {
    throw new Error('the regex engine was not loaded')
  },
}

/** Compiled at the first event: a process for one call needs few of a thousand rules. */
function runnerOf(hook: Hook, run: RuleRun, engine: RegexEngine): Runner {
  let judge: ConditionCheck | undefined
  const runner: Runner = (call) => {
    if (judge === undefined) {
      try {
        judge = compileCondition(run.when, engine)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return { failure: 'import', message: `the rule cannot be read: ${why}` }
      }
    }
    return runRule(hook, run, judge, call)
  }
  runner.isPure = true
  return runner
}

function runRule(
  hook: Hook,
  run: RuleRun,
  judge: ConditionCheck,
  call: HandlerCall,
): Answer | Failure | null {
  const ruleInput = ruleInputOf(call)
  const verdict = judge(ruleInput)
  if (verdict.truth === 'no') return null
  if (run.unread !== undefined) {
    const failure = run.unread.isCode && !hook.trusted ? 'untrusted' : 'validation'
    return { failure, message: run.unread.message }
  }
  if (run.outcome.remember !== undefined) return keepSeen(run.outcome.remember, verdict, call)
  const strict = isStrict(run.outcome)
  if (verdict.truth === 'maybe' && !strict) return null
  const { memory } = call
  if (memory === undefined && (usesMemory(run) || verdict.truth === 'maybe') && needsMemory(run)) {
    return strict ? { failure: 'state', message: 'what happened before cannot be read' } : null
  }
  const counted = run.repeated === undefined ? undefined : countUp(run, run.repeated, ruleInput)
  if (counted !== undefined && !counted.reached) return { effect: 'pass', ...always(counted.patch) }
  if (run.once === true && memory !== undefined && hasSpoken(run, memory)) {
    return counted === undefined ? null : { effect: 'pass', ...always(counted.patch) }
  }
  if (!hook.trusted && onlyForTrusted(run)) {
    return { failure: 'untrusted', message: 'for its context or rewrite, run `holdpoint trust`' }
  }
  return speak(run, verdict, ruleInput, counted?.patch)
}

/** `repeated` and `once` always read the memory. */
function usesMemory(run: RuleRun): boolean {
  return run.repeated !== undefined || run.once === true
}

function needsMemory(run: RuleRun): boolean {
  return usesMemory(run) || JSON.stringify(run.when).includes('"kind":"seen"')
}

/** The hook for a `seen` condition. A certain match stays certain; only changes are written. */
function keepSeen(key: string, { truth }: ConditionResult, call: HandlerCall): Answer | null {
  const kept = call.memory !== undefined && Object.hasOwn(call.memory, key) ? call.memory[key] : undefined
  if (kept === 'yes' || kept === truth) return null
  // A call that is denied does not happen, so nothing is remembered.
  return { effect: 'pass', remember: [{ op: 'set', key, value: truth }] }
}

interface Counted {
  readonly reached: boolean
  readonly patch: Patch
}

/**
 * The list is written as a whole, not appended to: one event may be checked twice and must count once. A clock that was
 * set back leaves times in the future; they count.
 */
function countUp(run: RuleRun, repeated: NonNullable<RuleRun['repeated']>, ruleInput: RuleInput): Counted {
  const nowMs = ruleInput.facts.now().getTime()
  const key = `${run.key}/times`
  const sinceMs = repeated.withinMs === undefined ? Number.NEGATIVE_INFINITY : nowMs - repeated.withinMs
  const recent = numbersAt(ruleInput.memory ?? {}, key).filter((atMs) => atMs > sinceMs)
  const times = [...recent, nowMs].slice(-repeated.times)
  return { reached: times.length >= repeated.times, patch: { op: 'set', key, value: times } }
}

function numbersAt(memory: JsonObject, key: string): readonly number[] {
  const value: Json | undefined = Object.hasOwn(memory, key) ? memory[key] : undefined
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : []
}

function hasSpoken(run: RuleRun, memory: JsonObject): boolean {
  return Object.hasOwn(memory, `${run.key}/spoke`)
}

function onlyForTrusted({ outcome }: RuleRun): boolean {
  return !isStrict(outcome) && outcome.warn === undefined
}

function speak(
  run: RuleRun,
  verdict: ConditionResult,
  ruleInput: RuleInput,
  counted: Patch | undefined,
): Answer | Failure | null {
  const answer = answerOf(run.outcome, verdict, ruleInput)
  const kept = counted === undefined ? [] : [counted]
  if (answer === null) return counted === undefined ? null : { effect: 'pass', ...always(counted) }
  if ('failure' in answer) return answer
  const spoke: Patch = { op: 'set', key: `${run.key}/spoke`, value: true }
  const once = run.once === true ? [spoke] : []
  // If another hook denies, a question is not asked and a change is not made, so the rule did not apply.
  const heard = run.outcome.ask === undefined && run.outcome.rewrite === undefined
  const denied = [...kept, ...(heard ? once : [])]
  return {
    ...answer,
    ...(kept.length + once.length === 0 ? {} : { remember: [...kept, ...once] }),
    ...(denied.length === 0 ? {} : { rememberDenied: denied }),
  }
}

function always(patch: Patch): Pick<Answer, 'remember' | 'rememberDenied'> {
  return { remember: [patch], rememberDenied: [patch] }
}
