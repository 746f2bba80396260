import type { Context, Decision, Effect, Finding, Reason } from '../core/decision.ts'
import { NO_OPINION } from '../core/engine/combine.ts'
import { describeProblem, type Problem } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { toolOf } from '../core/event.ts'
import type { FailureKind } from '../core/hook.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { type Masker, redact } from '../core/redact/redact.ts'

/** The answer to an event: plain JSON. What hooks returned (input, output, findings) is frozen. */
export interface HookResult {
  /** `pass`: no hook has an opinion. `allow`: a hook that may grant permissions allowed it. */
  readonly effect: Effect
  /** False for `deny` and for `ask`: the call may not continue before the user has confirmed it. */
  readonly allowed: boolean
  /** All reasons of the deciding hooks, one a line. Always present for `deny` and `ask`. */
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
  /** Texts for the user. */
  readonly notices: readonly string[]
  /** Hooks that failed. The effect already includes each hook's own failure policy. */
  readonly failures: readonly HookFailure[]
  /** What each hook answered, in order; hooks without an opinion are left out. */
  readonly findings: readonly Finding[]
}

export type InjectionStrategy = 'tool_result' | 'user_message'
export type Injections = Readonly<Record<InjectionStrategy, readonly string[]>>

export interface HookFailure {
  readonly hook: string
  readonly failure: FailureKind
  readonly message: string
}

export function hookResult(decision: Decision, event: Event, maskers: readonly Masker[]): HookResult {
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

/** A hook may deny without a reason; the message then says at least which hook it was. */
function reasonIn({ effect, because }: Decision, reasons: readonly Reason[]): Pick<HookResult, 'reason'> {
  if (reasons.length > 0) return { reason: reasons.map(({ text }) => text).join('\n') }
  if (effect !== 'deny' && effect !== 'ask') return {}
  return { reason: `${effect === 'deny' ? 'Denied' : 'Confirmation requested'} by ${because.join(', ')}.` }
}

/** Most events: no hook has an opinion. */
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

/** A text without a delivery strategy goes with the tool's result, if there is one. */
function injectionsOf(context: readonly Context[], event: Event): Injections {
  const usual: InjectionStrategy = toolOf(event) === undefined ? 'user_message' : 'tool_result'
  const own = context.filter(({ to }) => to === 'self')
  const by = (wanted: InjectionStrategy) =>
    own.filter(({ strategy = usual }) => strategy === wanted).map(({ text }) => text)
  return { tool_result: by('tool_result'), user_message: by('user_message') }
}

/** The answer if nothing could be decided: the last resort, and the reason. */
export function refusedEvent(effect: 'deny' | 'pass', problem: Problem): HookResult {
  const failure: HookFailure = { hook: 'holdpoint', failure: 'validation', message: problem.message }
  const text = `This event could not be checked: ${describeProblem(problem)}`
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
