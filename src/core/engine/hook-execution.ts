import type { Actor, KnownAgent } from '../actor.ts'
import { type Answer, EFFECTS, type Failure, type Finding, isFailure, stricter } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { HandlerCall } from '../handler.ts'
import type { FailurePolicy, Hook } from '../hook.ts'
import type { JsonObject } from '../json.ts'
import type { HookRound, SeenCall } from './run-hooks.ts'

/**
 * One hook on one event: the call that its runner gets, its deadline and its attempts. A class, because several of these
 * are created for every event and `signal` must cost nothing until it is read. After a hook that keeps nothing, the next
 * one can use it.
 */
export class HookExecution implements HandlerCall {
  readonly event: Event
  readonly facts: Facts
  readonly #round: HookRound
  #hook: Hook
  #hookIndex: number
  #stopped = false
  /** Unknown until it is read: most runs finish before the clock is needed. */
  #startedMs: number | undefined
  #retriesLeft: number | undefined
  #controller: AbortController | undefined
  #onStop: (() => void) | undefined

  constructor(round: HookRound, { event, facts }: SeenCall, hook: Hook, hookIndex: number) {
    this.event = event
    this.facts = facts
    this.#round = round
    this.#hook = hook
    this.#hookIndex = hookIndex
    if (round.around.trace !== undefined) this.#startedMs = round.around.now()
  }

  /** For another hook that sees the same. The one before has finished, and has kept nothing. */
  reuseFor(hook: Hook, hookIndex: number): HookExecution {
    this.#hook = hook
    this.#hookIndex = hookIndex
    this.#startedMs = this.#round.around.trace === undefined ? undefined : this.#round.around.now()
    this.#retriesLeft = undefined
    return this
  }

  /** Its time starts here, unless it has already started. */
  begin(nowMs: number): void {
    this.#startedMs ??= nowMs
  }
  get #began(): number {
    this.#startedMs ??= this.#round.around.now()
    return this.#startedMs
  }
  get timeoutMs(): number {
    return Math.max(0, Math.min(this.#hook.timeoutMs, this.#round.endsMs - this.#began))
  }
  get deadlineMs(): number {
    return this.#began + this.timeoutMs + (this.#stopped ? GRACE_MS : 0)
  }
  get actor(): Actor {
    return this.#round.around.actor
  }
  get memory(): JsonObject | undefined {
    return this.#round.around.memory
  }
  agents(): readonly KnownAgent[] | undefined {
    return this.#round.around.agents?.()
  }
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }
  onStop(stop: () => void): void {
    this.#onStop = stop
  }

  /** The first attempt. A promise is returned as it is: its result still has to go through `accept`. */
  start(): Answer | Failure | null | Promise<Answer | Failure | null> {
    const runner = this.#round.engine.runners[this.#hookIndex]
    if (runner === undefined) return { failure: 'import', message: 'the hook was not prepared' }
    if (typeof runner !== 'function') return runner
    let outcome: Answer | Failure | null | Promise<Answer | Failure | null>
    try {
      outcome = runner(this)
    } catch (error) {
      outcome = crash(error)
    }
    return outcome instanceof Promise ? outcome : this.accept(outcome)
  }

  /** The deadline passed: the handler gets the abort signal and a short time to stop. False: it had that already. */
  stop(): boolean {
    if (this.#stopped) return false
    this.#stopped = true
    this.#controller?.abort()
    this.#onStop?.()
    return this.#controller !== undefined || this.#onStop !== undefined
  }

  timedOut(): Failure {
    return { failure: 'timeout', message: `no answer within ${Math.round(this.timeoutMs)} ms` }
  }

  settle(outcome: Answer | Failure | null): Finding | null {
    const { trace, now } = this.#round.around
    trace?.(this.#hookIndex, outcome, now() - this.#began)
    return outcome === null ? null : onlyWhatFits(findingOf(this.#hook, this.#hookIndex, outcome), this.event)
  }

  /** The result of an attempt, or another attempt if the hook's policy asks for it. */
  accept(outcome: Answer | Failure | null): Answer | Failure | null | Promise<Answer | Failure | null> {
    if (outcome === null || !isFailure(outcome)) return outcome
    const policy = this.#hook.onFailure[outcome.failure]
    if (typeof policy === 'string') return outcome
    this.#retriesLeft ??= policy.retry
    if (this.#retriesLeft <= 0 || this.#round.around.now() >= this.deadlineMs) return outcome
    this.#retriesLeft -= 1
    return this.start()
  }
}

const GRACE_MS = 50

/** Only a call that has not run can get a new input, and only a call that has run can get a new output. */
function onlyWhatFits(finding: Finding, event: Event): Finding {
  const misplaced = [
    ...(finding.rewrite !== undefined && event.kind !== 'PreToolUse' && event.kind !== 'PermissionRequest'
      ? ['rewrite']
      : []),
    ...(finding.output !== undefined && event.kind !== 'PostToolUse' && event.kind !== 'PostToolUseFailure'
      ? ['output']
      : []),
  ]
  if (misplaced.length === 0) return finding
  const kept = Object.fromEntries(Object.entries(finding).filter(([key]) => !misplaced.includes(key)))
  const notice = `${finding.hook} tried to change a tool call at ${event.kind}, which has no tool call to change. The change was ignored.`
  return { ...(kept as unknown as Finding), notices: [...(finding.notices ?? []), notice] }
}

export function crash(error: unknown): Failure {
  return { failure: 'crash', message: thrownText(error) }
}

/** Any value can be thrown, and converting it to text may throw again. */
export function thrownText(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message : error
    return String(text).slice(0, THROWN_MAX_CHARACTERS)
  } catch {
    return 'it threw a value that cannot be shown as text'
  }
}

/** Shortened, because it is shown to an agent. */
const THROWN_MAX_CHARACTERS = 10_000

function findingOf(hook: Hook, hookIndex: number, outcome: Answer | Failure): Finding {
  if (isFailure(outcome)) return failedFinding(hook, hookIndex, outcome)
  if (!EFFECTS.includes(outcome.effect)) {
    const message = `answered with the unknown effect ${JSON.stringify(outcome.effect)}`
    return failedFinding(hook, hookIndex, { failure: 'invalidOutput', message })
  }
  if (outcome.effect === 'allow' && !hook.grants) {
    const notice = `${hook.id} answered "allow" without \`grants: true\` in its configuration, so the answer was ignored.`
    return findingOf(hook, hookIndex, {
      ...outcome,
      effect: 'pass',
      notices: [...(outcome.notices ?? []), notice],
    })
  }
  if (!hook.trusted) return { ...onlyStricter(outcome), hook: hook.id, hookIndex }
  return { ...outcome, hook: hook.id, hookIndex }
}

/** From configuration that is not trusted, only deny, ask and warnings count. */
function onlyStricter(answer: Answer): Answer {
  return {
    effect: answer.effect,
    ...(answer.reason === undefined ? {} : { reason: answer.reason }),
    ...(answer.guard === undefined ? {} : { guard: answer.guard }),
    ...(answer.notices === undefined ? {} : { notices: answer.notices }),
    ...(answer.remember === undefined ? {} : { remember: answer.remember }),
    ...(answer.rememberDenied === undefined ? {} : { rememberDenied: answer.rememberDenied }),
    ...(answer.detail === undefined ? {} : { detail: answer.detail }),
  }
}

/** Applies the hook's own policy to its failure. */
function failedFinding(hook: Hook, hookIndex: number, failed: Failure): Finding {
  const effect = settledPolicy(hook.onFailure[failed.failure])
  const isUntrusted = failed.failure === 'untrusted'
  const what = isUntrusted
    ? `hook ${hook.id} did not run, because it is not trusted (${failed.message})`
    : `hook ${hook.id} could not answer (${failed.failure}: ${failed.message})`
  const passed = isUntrusted ? `${what}. The call continues.` : `${what}; its failure policy allows the call.`
  const why = `Holdpoint ${effect === 'deny' ? 'blocked this' : 'asks first'}: ${what}, and its failure policy is "${effect}".`
  const outcome =
    effect === 'pass'
      ? { notices: [passed] }
      : { reason: `${why} Tell the user; do not try to work around this.`, question: why }
  return { hook: hook.id, hookIndex, effect, failed, ...outcome }
}

function settledPolicy(policy: FailurePolicy): 'deny' | 'ask' | 'pass' {
  return typeof policy === 'string' ? policy : policy.then
}

/**
 * For a hook that answered, if something else that it requested could not be done. Its finding is still valid; the failure
 * only counts if the failure policy is stricter.
 */
export function failedAfterwards(hook: Hook, finding: Finding, failed: Failure): Finding {
  const round = finding.round === undefined ? {} : { round: finding.round }
  const failure = { ...failedFinding(hook, finding.hookIndex ?? 0, failed), ...round }
  if (stricter(finding.effect, failure.effect) !== finding.effect || finding.effect === 'pass') return failure
  const { remember: _remember, rememberDenied: _denied, files: _files, ...answer } = finding
  return { ...answer, failed, notices: [...(finding.notices ?? []), ...(failure.notices ?? [])] }
}
