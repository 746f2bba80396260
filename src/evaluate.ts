import type { Actor } from './actor.ts'
import { combine } from './combine.ts'
import { type Answer, type Decision, EFFECTS, type Failure, type Finding, isFailure } from './decision.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import type { Call, Runner } from './handlers/handler.ts'
import type { FailurePolicy, Hook } from './hook.ts'
import type { JsonObject } from './json.ts'
import type { Matcher } from './match.ts'

/** A plan made ready to run: one runner (or the failure to prepare it) per hook. */
export interface Engine {
  readonly hooks: readonly Hook[]
  readonly match: Matcher
  readonly runners: readonly (Runner | Failure)[]
}

export interface Surroundings {
  readonly actor: Actor
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  /** What all handlers of this event share. */
  readonly budgetMs: number
  /** A monotonic clock in milliseconds. */
  now(): number
  /** Told of every run, an empty pass included. For `explain`. */
  trace?(order: number, outcome: Answer | Failure | null, durationMs: number): void
}

/**
 * One event through all its hooks. Sync first: as long as no handler returns a promise, neither does this.
 * Declared rewriters run one after another within half the budget, then everything else judges the final input
 * side by side. It may not read files, the environment or the wall clock.
 */
export function evaluate(engine: Engine, event: Event, around: Surroundings): Decision | Promise<Decision> {
  const orders = engine.match(event, around.actor)
  const startedMs = orders.length === 0 ? 0 : around.now()
  const round: Round = { engine, around, endsMs: startedMs + around.budgetMs }
  if (!orders.some((order) => engine.hooks[order]?.rewrites)) {
    const findings = judge(round, orders, event)
    return findings instanceof Promise
      ? findings.then((found) => afterJudging(round, orders, event, found))
      : afterJudging(round, orders, event, findings)
  }
  return rewriteThenJudge(round, orders, event, startedMs)
}

interface Round {
  readonly engine: Engine
  readonly around: Surroundings
  readonly endsMs: number
}

async function rewriteThenJudge(
  round: Round,
  orders: readonly number[],
  event: Event,
  startedMs: number,
): Promise<Decision> {
  const isRewriter = (order: number) => round.engine.hooks[order]?.rewrites === true
  const half: Round = { ...round, endsMs: startedMs + round.around.budgetMs / 2 }
  const findings: Finding[] = []
  let current = event
  for (const order of orders.filter(isRewriter)) {
    const [finding] = await judge(half, [order], current)
    if (finding === undefined) continue
    findings.push(finding)
    current = withChanges(current, [finding])
  }
  const others = orders.filter((order) => !isRewriter(order))
  const judged = await judge(round, others, current)
  return await afterJudging(round, orders, current, [...findings, ...judged], judged)
}

/**
 * A rewrite by a hook that never said it rewrites: applied in plan order, then everything that may still object
 * (all but the rewriters themselves, and managed rewriters) judges the result, once.
 */
function afterJudging(
  round: Round,
  orders: readonly number[],
  event: Event,
  findings: readonly Finding[],
  judged: readonly Finding[] = findings,
): Decision | Promise<Decision> {
  const undeclared = judged.filter((finding) => changesEvent(finding) && changeable(event))
  if (undeclared.length === 0) return combine(findings)
  const final = withChanges(
    event,
    [...undeclared].sort((a, b) => a.order - b.order),
  )
  const authors = new Set(undeclared.map((finding) => finding.order))
  const again = orders.filter((order) => {
    const hook = round.engine.hooks[order]
    return !authors.has(order) && (hook?.rewrites !== true || hook.rank === 'managed')
  })
  const second = judge(round, again, final)
  const both = (found: readonly Finding[]) =>
    combine([...findings, ...found.map((finding) => later(finding, round))])
  return second instanceof Promise ? second.then(both) : both(second)
}

function later(finding: Finding, round: Round): Finding {
  return { ...finding, order: finding.order + round.engine.hooks.length }
}

function judge(
  round: Round,
  orders: readonly number[],
  event: Event,
): readonly Finding[] | Promise<readonly Finding[]> {
  const findings: Finding[] = []
  let pending: Pending[] | undefined
  for (const order of orders) {
    const hook = round.engine.hooks[order]
    if (hook === undefined) continue
    const run = new Run(round, hook, order, event)
    const outcome = run.start()
    if (outcome instanceof Promise) {
      pending ??= []
      pending.push({ run, outcome })
    } else {
      const finding = run.settle(outcome)
      if (finding !== null) findings.push(finding)
    }
  }
  return pending === undefined ? findings : awaitAll(round, pending, findings)
}

interface Pending {
  readonly run: Run
  readonly outcome: Promise<Answer | Failure | null>
}

/**
 * Waits for every pending run with one timer, always the nearest deadline. The timer is ref'd on purpose: with an
 * unref'd one a hung handler lets the process end with exit 0 and no output, which hosts read as "go".
 */
function awaitAll(
  round: Round,
  pending: readonly Pending[],
  findings: Finding[],
): Promise<readonly Finding[]> {
  return new Promise((resolve) => {
    const open = new Set(pending)
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = (entry: Pending, outcome: Answer | Failure | null) => {
      if (!open.delete(entry)) return
      const finding = entry.run.settle(outcome)
      if (finding !== null) findings.push(finding)
      if (open.size > 0) return
      clearTimeout(timer)
      resolve(findings)
    }
    const arm = () => {
      const nearestMs = Math.min(...[...open].map((entry) => entry.run.deadlineMs))
      timer = setTimeout(expire, Math.max(0, nearestMs - round.around.now()))
    }
    const expire = () => {
      const nowMs = round.around.now()
      for (const entry of [...open]) {
        if (entry.run.deadlineMs <= nowMs) close(entry, entry.run.giveUp())
      }
      if (open.size > 0) arm()
    }
    for (const entry of pending) {
      entry.outcome.then(
        (outcome) => close(entry, outcome),
        (error: unknown) => close(entry, crash(error)),
      )
    }
    arm()
  })
}

/**
 * One hook on one event: the call its runner sees, its deadline and its attempts. A class because ten of these
 * are made for every event and `signal` must cost nothing until somebody reads it.
 */
class Run implements Call {
  readonly event: Event
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly #round: Round
  readonly #hook: Hook
  readonly #order: number
  readonly #startedMs: number
  #retriesLeft: number | undefined
  #controller: AbortController | undefined

  constructor(round: Round, hook: Hook, order: number, event: Event) {
    this.event = event
    this.#round = round
    this.#hook = hook
    this.#order = order
    this.#startedMs = round.around.now()
    this.timeoutMs = Math.max(0, Math.min(hook.timeoutMs, round.endsMs - this.#startedMs))
    this.deadlineMs = this.#startedMs + this.timeoutMs
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
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

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
    if (outcome instanceof Promise) {
      return outcome.then(
        (settled) => this.#retry(settled),
        (error: unknown) => this.#retry(crash(error)),
      )
    }
    return this.#retry(outcome)
  }

  /** The deadline passed: the handler is told to stop and its answer no longer counts. */
  giveUp(): Failure {
    this.#controller?.abort()
    return { failure: 'timeout', message: `no answer within ${Math.round(this.timeoutMs)} ms` }
  }

  settle(outcome: Answer | Failure | null): Finding | null {
    const durationMs = this.#round.around.trace === undefined ? 0 : this.#round.around.now() - this.#startedMs
    this.#round.around.trace?.(this.#order, outcome, durationMs)
    return outcome === null ? null : findingOf(this.#hook, this.#order, outcome)
  }

  #retry(outcome: Answer | Failure | null): Answer | Failure | null | Promise<Answer | Failure | null> {
    if (outcome === null || !isFailure(outcome)) return outcome
    const policy = this.#hook.onFailure[outcome.failure]
    if (typeof policy === 'string') return outcome
    this.#retriesLeft ??= policy.retry
    if (this.#retriesLeft <= 0 || this.#round.around.now() >= this.deadlineMs) return outcome
    this.#retriesLeft -= 1
    return this.start()
  }
}

function crash(error: unknown): Failure {
  return { failure: 'crash', message: error instanceof Error ? error.message : String(error) }
}

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

/** What a hook's own policy makes of its failure. Used again by the runtime when remembering fails. */
export function failedFinding(hook: Hook, order: number, failed: Failure): Finding {
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

function changesEvent(finding: Finding): boolean {
  return finding.rewrite !== undefined || finding.output !== undefined
}

/** Only a call that has not run can get another input, only one that has can get another output. */
function changeable(event: Event): boolean {
  return event.kind === 'PreToolUse' || event.kind === 'PermissionRequest' || event.kind === 'PostToolUse'
}

function withChanges(event: Event, findings: readonly Finding[]): Event {
  let current = event
  for (const { rewrite, output } of findings) {
    if (rewrite !== undefined && (current.kind === 'PreToolUse' || current.kind === 'PermissionRequest')) {
      current = { ...current, tool: { ...current.tool, input: rewrite } }
    }
    if (output !== undefined && current.kind === 'PostToolUse') current = { ...current, output }
  }
  return current
}
