import { NO_OPINION } from '../combine.ts'
import type { Context, Decision, Effect, Finding, Reason } from '../decision.ts'
import { describeProblem, type Problem } from '../errors.ts'
import type { Event } from '../event.ts'
import { toolOf } from '../event.ts'
import type { FailureKind } from '../hook.ts'
import type { Json, JsonObject } from '../json.ts'
import { type Masker, redact } from '../redact.ts'

/** The one answer to an event: plain JSON. What hooks gave (input, output, findings) is frozen. */
export interface HookResult {
  /** `pass`: nobody has an opinion. `allow`: a granting hook said so. */
  readonly effect: Effect
  /** False for `deny` and for `ask`: what nobody has confirmed yet may not go on. */
  readonly allowed: boolean
  /** All reasons of the deciding hooks, a line each. Always there for `deny` and `ask`. */
  readonly reason?: string
  readonly reasons: readonly Reason[]
  /** The whole changed input of the tool. Missing: unchanged. */
  readonly input?: JsonObject
  /** The changed output of the tool. Missing: unchanged. */
  readonly output?: Json
  /** End the workflow after this event, with this text. */
  readonly halt?: string
  /** Texts for the agent, in the order of their hooks, by how they are to be delivered. */
  readonly injections: Injections
  /** Texts for the person. */
  readonly notices: readonly string[]
  /** Hooks that could not answer. What that became is in the effect, by each hook's own policy. */
  readonly failures: readonly HookFailure[]
  /** What each hook said, in order; hooks without an opinion are not in it. */
  readonly findings: readonly Finding[]
}

export type InjectionStrategy = 'tool_result' | 'user_message'
export type Injections = Readonly<Record<InjectionStrategy, readonly string[]>>

export interface HookFailure {
  readonly hook: string
  readonly failure: FailureKind
  readonly message: string
}

export function resultOf(decision: Decision, event: Event, maskers: readonly Masker[]): HookResult {
  if (decision === NO_OPINION) return nothingSaid()
  const { effect, rewrite, output, halt } = decision
  const reasons = decision.reasons.map((reason) => ({ ...reason, text: redact(reason.text, maskers) }))
  return {
    effect,
    allowed: effect === 'pass' || effect === 'allow',
    ...reasonIn(decision, reasons),
    reasons,
    ...(rewrite === undefined ? {} : { input: rewrite }),
    ...(output === undefined ? {} : { output }),
    ...(halt === undefined ? {} : { halt }),
    injections: injectionsOf(decision.context, event),
    notices: decision.notices.map((text) => redact(text, maskers)),
    failures: decision.failed.map(({ hook, failure }) => ({ hook, ...failure })),
    findings: decision.findings,
  }
}

/** A hook may stop an act without a word; whoever is stopped is told at least by whom. */
function reasonIn({ effect, because }: Decision, reasons: readonly Reason[]): Pick<HookResult, 'reason'> {
  if (reasons.length > 0) return { reason: reasons.map(({ text }) => text).join('\n') }
  if (effect !== 'deny' && effect !== 'ask') return {}
  return { reason: `${effect === 'deny' ? 'Denied' : 'Questioned'} by ${because.join(', ')}.` }
}

/** Most events: nobody has anything to say. */
function nothingSaid(): HookResult {
  return {
    effect: 'pass',
    allowed: true,
    reasons: [],
    injections: { tool_result: [], user_message: [] },
    notices: [],
    failures: [],
    findings: [],
  }
}

/** Where nobody says how a text is to be delivered, it goes with the tool's result if there is one. */
function injectionsOf(context: readonly Context[], event: Event): Injections {
  const usual: InjectionStrategy = toolOf(event) === undefined ? 'user_message' : 'tool_result'
  const own = context.filter(({ to }) => to === 'self')
  const by = (wanted: InjectionStrategy) =>
    own.filter(({ strategy = usual }) => strategy === wanted).map(({ text }) => text)
  return { tool_result: by('tool_result'), user_message: by('user_message') }
}

/** The answer when nothing could be decided: the last resort, and why. */
export function refusal(effect: 'deny' | 'pass', problem: Problem): HookResult {
  const failure: HookFailure = { hook: 'holdpoint', failure: 'validation', message: problem.message }
  const text = `This could not be judged: ${describeProblem(problem)}`
  const isDenied = effect === 'deny'
  return {
    effect,
    allowed: !isDenied,
    ...(isDenied ? { reason: text } : {}),
    reasons: isDenied ? [{ hook: 'holdpoint', text }] : [],
    injections: { tool_result: [], user_message: [] },
    notices: isDenied ? [] : [text],
    failures: [failure],
    findings: [],
  }
}
