import type { Actor, KnownAgent } from './actor.ts'
import { combine } from './combine.ts'
import type { Answer, Decision, Failure, Finding } from './decision.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import type { Runner } from './handlers/handler.ts'
import type { Hook } from './hook.ts'
import type { JsonObject } from './json.ts'
import type { Matcher } from './match.ts'
import { crash, Run } from './run.ts'

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
  /** All agents of the session, in the order they were met. Missing: the state could not be read. */
  agents?(): readonly KnownAgent[]
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

/** One pass over hooks: what they share, and when their time is up. */
export interface Round {
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
    if (changesEvent(finding)) findings.splice(0, findings.length, ...findings.map(withoutGrant))
    findings.push(finding)
    current = withChanges(current, [finding])
  }
  const others = orders.filter((order) => !isRewriter(order))
  const judged = await judge(round, others, current)
  return await afterJudging(round, orders, current, [...findings, ...judged], judged)
}

/**
 * A rewrite by a hook that never said it rewrites: applied in plan order, then everything that may still object
 * (all but the rewriters themselves, and managed rewriters) judges the result, once. What an earlier input was
 * granted does not hold for the new one, and a call that is changed yet again is denied: nobody judged it.
 */
function afterJudging(
  round: Round,
  orders: readonly number[],
  event: Event,
  findings: readonly Finding[],
  judged: readonly Finding[] = findings,
): Decision | Promise<Decision> {
  const undeclared = judged.filter(changesEvent).sort((a, b) => a.order - b.order)
  if (undeclared.length === 0) return combine(findings)
  const final = withChanges(event, undeclared)
  const authors = new Set(undeclared.map((finding) => finding.order))
  const again = orders.filter((order) => {
    const hook = round.engine.hooks[order]
    return !authors.has(order) && (hook?.rewrites !== true || hook.rank === 'managed')
  })
  const last = undeclared.at(-1)
  const before = findings.map((finding) => (finding === last ? finding : withoutGrant(finding)))
  const second = judge(round, again, final)
  // Declared rewriters stand later in the plan, perhaps, but ran before: what was judged last is what is sent.
  const both = (found: readonly Finding[]): Decision => ({
    ...combine([...before, ...found.map((finding) => later(finding, round))]),
    ...lastChanges(undeclared),
  })
  return second instanceof Promise ? second.then(both) : both(second)
}

function lastChanges(findings: readonly Finding[]): Pick<Decision, 'rewrite' | 'output'> {
  const rewrite = findings.findLast((finding) => finding.rewrite !== undefined)?.rewrite
  const output = findings.findLast((finding) => finding.output !== undefined)?.output
  return { ...(rewrite === undefined ? {} : { rewrite }), ...(output === undefined ? {} : { output }) }
}

/** A grant was for the input its hook saw. */
function withoutGrant(finding: Finding): Finding {
  return finding.effect === 'allow' ? { ...finding, effect: 'pass' } : finding
}

/** A finding of the second round: after all others, and it may not change the call once more. */
function later(finding: Finding, round: Round): Finding {
  const order = finding.order + round.engine.hooks.length
  if (!changesEvent(finding)) return { ...finding, order }
  const { rewrite: _rewrite, output: _output, ...rest } = finding
  const reason = `Two hooks keep changing this call (${finding.hook} changed it after all others had judged it), so it cannot be judged. Tell the user to declare the hooks with \`rewrites: true\`.`
  return { ...rest, order, effect: 'deny', reason }
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
    if (isUnconcerned(round, order, event)) continue
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

/** Most guards have nothing to say about most events; asking them first spares a run each. */
function isUnconcerned({ engine, around }: Round, order: number, event: Event): boolean {
  const runner = engine.runners[order]
  if (typeof runner !== 'function' || runner.concerns === undefined) return false
  const startedMs = around.trace === undefined ? 0 : around.now()
  try {
    if (runner.concerns(event, around.facts)) return false
  } catch {
    return false
  }
  around.trace?.(order, null, around.now() - startedMs)
  return true
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
        if (entry.run.deadlineMs > nowMs) continue
        // Told to stop first: a handler that holds a complete answer may still hand it over.
        if (!entry.run.stop()) close(entry, entry.run.timedOut())
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

function changesEvent(finding: Finding): boolean {
  return finding.rewrite !== undefined || finding.output !== undefined
}

function withChanges(event: Event, findings: readonly Finding[]): Event {
  let current = event
  for (const { rewrite, output } of findings) {
    if (rewrite !== undefined && (current.kind === 'PreToolUse' || current.kind === 'PermissionRequest')) {
      const { files: _files, ...tool } = current.tool
      current = { ...current, tool: { ...tool, input: rewrite } }
    }
    if (output !== undefined && current.kind === 'PostToolUse') current = { ...current, output }
  }
  return current
}
