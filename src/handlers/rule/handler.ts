import type { Answer, Failure, Patch } from '../../decision.ts'
import type { Hook } from '../../hook.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { RegexEngine } from '../../pattern.ts'
import type { Call, Handler, Runner } from '../handler.ts'
import type { RuleRun } from '../rule.ts'
import { compileCondition, type Judge, type Verdict } from './conditions.ts'
import { answerOf, isStrict } from './outcome.ts'
import { type Scene, sceneOf } from './scene.ts'

/**
 * Runs a rule of a configuration file: conditions that hold, may hold or do not, and one outcome. It runs no code
 * of anybody's and reads nothing but the event, the facts and the memory, so it also runs for files nobody vouched
 * for; `Hook.trusted` then leaves it deny, ask and warn.
 */
export function create(): Handler {
  return {
    type: 'rule',
    prepare(hook) {
      const run = hook.run as unknown as RuleRun
      if (run.regexes !== true) return runnerOf(hook, run, NO_ENGINE)
      return import('../../regex.ts').then(({ linearEngine }) => runnerOf(hook, run, linearEngine))
    },
  }
}

/** A rule that says it has no regex and has one is of another version: it fails, it does not pass. */
const NO_ENGINE: RegexEngine = {
  compile: () => {
    throw new Error('the regex engine was not loaded')
  },
}

/** Compiled at the first event: a process that answers one call needs few of a thousand rules. */
function runnerOf(hook: Hook, run: RuleRun, engine: RegexEngine): Runner {
  let judge: Judge | undefined
  return (call) => {
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
}

function runRule(hook: Hook, run: RuleRun, judge: Judge, call: Call): Answer | Failure | null {
  const scene = sceneOf(call)
  const verdict = judge(scene)
  if (verdict.truth === 'no') return null
  if (run.outcome.remember !== undefined) return keepSeen(run.outcome.remember, verdict, call)
  const strict = isStrict(run.outcome)
  if (verdict.truth === 'maybe' && !strict) return null
  const { memory } = call
  if (memory === undefined && (usesMemory(run) || verdict.truth === 'maybe') && needsMemory(run)) {
    return strict ? { failure: 'state', message: 'what happened before cannot be read' } : null
  }
  const counted = run.repeated === undefined ? undefined : countUp(run, run.repeated, scene)
  if (counted !== undefined && !counted.reached) return { effect: 'pass', ...always(counted.patch) }
  if (run.once === true && memory !== undefined && hasSpoken(run, memory)) {
    return counted === undefined ? null : { effect: 'pass', ...always(counted.patch) }
  }
  if (!hook.trusted && onlyForTrusted(run)) {
    return { failure: 'untrusted', message: 'its context or rewrite waits for `holdpoint trust`' }
  }
  return speak(run, verdict, scene, counted?.patch)
}

/** `repeated` and `once` always look into the memory. */
function usesMemory(run: RuleRun): boolean {
  return run.repeated !== undefined || run.once === true
}

function needsMemory(run: RuleRun): boolean {
  return usesMemory(run) || JSON.stringify(run.when).includes('"is":"seen"')
}

/** The companion of a `seen`. What is certain stays certain; only news is written. */
function keepSeen(key: string, { truth }: Verdict, call: Call): Answer | null {
  const kept = call.memory !== undefined && Object.hasOwn(call.memory, key) ? call.memory[key] : undefined
  if (kept === 'yes' || kept === truth) return null
  // A call that is denied does not happen: nothing is remembered then.
  return { effect: 'pass', remember: [{ op: 'set', key, value: truth }] }
}

interface Counted {
  readonly reached: boolean
  readonly patch: Patch
}

/**
 * The list is set as a whole, not added to: one event may be judged twice and must count once. A clock that was set
 * back leaves times in the future; they count.
 */
function countUp(run: RuleRun, repeated: NonNullable<RuleRun['repeated']>, scene: Scene): Counted {
  const nowMs = scene.facts.now().getTime()
  const key = `${run.key}/times`
  const sinceMs = repeated.withinMs === undefined ? Number.NEGATIVE_INFINITY : nowMs - repeated.withinMs
  const recent = numbersAt(scene.memory ?? {}, key).filter((atMs) => atMs > sinceMs)
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
  verdict: Verdict,
  scene: Scene,
  counted: Patch | undefined,
): Answer | Failure | null {
  const answer = answerOf(run.outcome, verdict, scene)
  const kept = counted === undefined ? [] : [counted]
  if (answer === null) return counted === undefined ? null : { effect: 'pass', ...always(counted) }
  if ('failure' in answer) return answer
  const spoke: Patch = { op: 'set', key: `${run.key}/spoke`, value: true }
  const once = run.once === true ? [spoke] : []
  // When somebody denies, a question is not asked and a change not made: then the rule has not spoken.
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
