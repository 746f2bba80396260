import type { Actor, KnownAgent } from './actor.ts'
import { stricter } from './combine.ts'
import { type Answer, EFFECTS, type Failure, type Finding, isFailure } from './decision.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import type { Call } from './handlers/handler.ts'
import type { FailurePolicy, Hook } from './hook.ts'
import type { JsonObject } from './json.ts'
import type { Round } from './judge.ts'

/**
 * One hook on one event: the call its runner sees, its deadline and its attempts. A class because ten of these
 * are made for every event and `signal` must cost nothing until somebody reads it.
 */
export class Run implements Call {
  readonly event: Event
  #stopped = false
  readonly #round: Round
  readonly #hook: Hook
  readonly #order: number
  /** Unknown until somebody asks: most runs are over before a clock could be read. */
  #startedMs: number | undefined
  #retriesLeft: number | undefined
  #controller: AbortController | undefined

  constructor(round: Round, hook: Hook, order: number, event: Event) {
    this.event = event
    this.#round = round
    this.#hook = hook
    this.#order = order
    if (round.around.trace !== undefined) this.#startedMs = round.around.now()
  }

  /** Its time counts from here, unless it was counted before. */
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
  get facts(): Facts {
    return this.#round.around.facts
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

  /** The first try. A promise is handed out as it is: what it brings still has to go through `accept`. */
  start(): Answer | Failure | null | Promise<Answer | Failure | null> {
    const runner = this.#round.engine.runners[this.#order]
    if (runner === undefined) return { failure: 'import', message: 'the hook was never prepared' }
    if (typeof runner !== 'function') return runner
    let outcome: Answer | Failure | null | Promise<Answer | Failure | null>
    try {
      outcome = runner(this)
    } catch (error) {
      outcome = crash(error)
    }
    return outcome instanceof Promise ? outcome : this.accept(outcome)
  }

  /** The deadline passed: the handler is told to stop and gets a moment to do so. False: it had that already. */
  stop(): boolean {
    if (this.#stopped) return false
    this.#stopped = true
    this.#controller?.abort()
    return this.#controller !== undefined
  }

  timedOut(): Failure {
    return { failure: 'timeout', message: `no answer within ${Math.round(this.timeoutMs)} ms` }
  }

  settle(outcome: Answer | Failure | null): Finding | null {
    const { trace, now } = this.#round.around
    trace?.(this.#order, outcome, now() - this.#began)
    return outcome === null ? null : onlyWhatFits(findingOf(this.#hook, this.#order, outcome), this.event)
  }

  /** What came of a try, or another one where the hook's policy asks for it. */
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

/** Only a call that has not run can get another input, only one that has can get another output. */
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
  const notice = `${finding.hook} wants to change a call at ${event.kind}, where there is none to change.`
  return { ...(kept as unknown as Finding), notices: [...(finding.notices ?? []), notice] }
}

export function crash(error: unknown): Failure {
  return { failure: 'crash', message: thrownText(error) }
}

/** Anything can be thrown, and what it says of itself may throw again. */
export function thrownText(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message : error
    return String(text).slice(0, THROWN_MAX_CHARACTERS)
  } catch {
    return 'something was thrown that has no text'
  }
}

/** It is told to an agent. */
const THROWN_MAX_CHARACTERS = 10_000

function findingOf(hook: Hook, order: number, outcome: Answer | Failure): Finding {
  if (isFailure(outcome)) return failedFinding(hook, order, outcome)
  if (!EFFECTS.includes(outcome.effect)) {
    const message = `answered with the unknown effect ${JSON.stringify(outcome.effect)}`
    return failedFinding(hook, order, { failure: 'invalidOutput', message })
  }
  if (outcome.effect === 'allow' && !hook.grants) {
    const notice = `${hook.id} answered "allow" but is not marked \`grants: true\`; it counts as no opinion.`
    return findingOf(hook, order, {
      ...outcome,
      effect: 'pass',
      notices: [...(outcome.notices ?? []), notice],
    })
  }
  if (!hook.trusted) return { ...onlyStricter(outcome), hook: hook.id, order }
  return { ...outcome, hook: hook.id, order }
}

/** From configuration nobody vouched for, only deny, ask and warnings count. */
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

/** What a hook's own policy makes of its failure. */
function failedFinding(hook: Hook, order: number, failed: Failure): Finding {
  const effect = settledPolicy(hook.onFailure[failed.failure])
  const what = `hook ${hook.id} could not answer (${failed.failure}: ${failed.message})`
  const outcome =
    effect === 'pass'
      ? { notices: [`${what}; its policy lets the call go on.`] }
      : {
          reason: `Holdpoint ${effect === 'deny' ? 'stopped this' : 'asks first'}: ${what}, and its policy for that is "${effect}". Tell the user; do not try another way around.`,
        }
  return { hook: hook.id, order, effect, failed, ...outcome }
}

function settledPolicy(policy: FailurePolicy): 'deny' | 'ask' | 'pass' {
  return typeof policy === 'string' ? policy : policy.then
}

/**
 * A hook that answered, but what it asked for beside could not be done. What it found still stands; only where its
 * policy is stricter does the failure count.
 */
export function failedAfterwards(hook: Hook, finding: Finding, failed: Failure): Finding {
  const failure = failedFinding(hook, finding.order, failed)
  if (stricter(finding.effect, failure.effect) !== finding.effect || finding.effect === 'pass') return failure
  const { remember: _remember, rememberDenied: _denied, files: _files, ...answer } = finding
  return { ...answer, failed, notices: [...(finding.notices ?? []), ...(failure.notices ?? [])] }
}
