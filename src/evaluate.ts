import type { Actor, KnownAgent } from './actor.ts'
import { andThen } from './and-then.ts'
import { combine, NO_OPINION } from './combine.ts'
import type { Answer, Decision, Failure, Finding } from './decision.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import type { Runner } from './handlers/handler.ts'
import type { Hook } from './hook.ts'
import { frozen, type JsonObject } from './json.ts'
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
  readonly agents?: (() => readonly KnownAgent[]) | undefined
  /** What all handlers of this event share. */
  readonly budgetMs: number
  /** A monotonic clock in milliseconds. */
  now(): number
  /** Told of every run, an empty pass included. For `explain`. */
  readonly trace?: Trace | undefined
}

export type Trace = (order: number, outcome: Answer | Failure | null, durationMs: number) => void

/**
 * One event through all its hooks. Sync first: as long as no handler returns a promise, neither does this.
 * Declared rewriters run one after another, then everything else judges the final input side by side. It may not
 * read files, the environment or the wall clock.
 */
export function evaluate(engine: Engine, event: Event, around: Surroundings): Decision | Promise<Decision> {
  const orders = engine.match(event, around.actor)
  const startedMs = orders.length === 0 ? 0 : around.now()
  const round: Round = { engine, around, endsMs: startedMs + around.budgetMs }
  if (!orders.some((order) => engine.hooks[order]?.rewrites)) {
    return andThen(judge(round, orders, event), (findings) => afterJudging(round, orders, event, findings))
  }
  return rewriteThenJudge(round, orders, event)
}

/** One pass over hooks: what they share, and when their time is up. */
export interface Round {
  readonly engine: Engine
  readonly around: Surroundings
  readonly endsMs: number
}

function rewriteThenJudge(
  round: Round,
  orders: readonly number[],
  event: Event,
): Decision | Promise<Decision> {
  const { hooks } = round.engine
  const rewriters = orders.filter((order) => hooks[order]?.rewrites === true)
  const others = orders.filter((order) => hooks[order]?.rewrites !== true)
  const findings: Finding[] = []
  let isSequenceOver = false
  const take = (current: Event, order: number, [finding]: readonly Finding[]): Event => {
    if (finding === undefined) return current
    if (finding.effect === 'deny' && hooks[order]?.shortCircuit === true) isSequenceOver = true
    if (changesEvent(finding)) findings.splice(0, findings.length, ...findings.map(withoutGrant))
    findings.push(finding)
    return withChanges(current, [finding])
  }
  const from = (index: number, current: Event): Decision | Promise<Decision> => {
    const order = rewriters[index]
    if (order === undefined) {
      return andThen(judge(round, others, current), (judged) =>
        afterJudging(round, orders, current, [...findings, ...judged], judged),
      )
    }
    if (isSequenceOver && hooks[order]?.shortCircuit === true) return from(index + 1, current)
    const turn = turnOf(round, rewriters.slice(index + 1), others)
    return andThen(judge(turn, [order], current), (found) => from(index + 1, take(current, order, found)))
  }
  return from(0, event)
}

/**
 * However slow one is, everybody after it has the time it asks for, or its share of what is left: nobody is skipped
 * because of another. Those who judge the final input do so side by side, and count as one.
 */
function turnOf(round: Round, later: readonly number[], others: readonly number[]): Round {
  const nowMs = round.around.now()
  const leftMs = round.endsMs - nowMs
  const asked = (order: number) => round.engine.hooks[order]?.timeoutMs ?? 0
  const laterMs = later.reduce((sum, order) => sum + asked(order), Math.max(0, ...others.map(asked)))
  const turns = later.length + (others.length > 0 ? 2 : 1)
  return { ...round, endsMs: nowMs + Math.max(leftMs / turns, leftMs - laterMs) }
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
  if (findings.length === 0) return NO_OPINION
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
  // Declared rewriters stand later in the plan, perhaps, but ran before: what was judged last is what is sent.
  const both = (found: readonly Finding[]): Decision => {
    const all = [...superseded(before, again, found), ...found.map((finding) => later(finding, round))]
    const decision = combine(all)
    return {
      ...decision,
      ...lastChanges(undeclared),
      notices: [...decision.notices, ...lostChanges(undeclared)],
    }
  }
  return andThen(judge(round, again, final), both)
}

/** Of hooks that were asked again only the verdict on the first input stays, and that once: the rest was about a call that is not made. */
function superseded(
  findings: readonly Finding[],
  again: readonly number[],
  found: readonly Finding[],
): readonly Finding[] {
  const isSaidAgain = ({ order, effect, reason }: Finding) =>
    found.some((each) => each.order === order && each.effect === effect && each.reason === reason)
  return findings.flatMap((finding) => {
    if (!again.includes(finding.order)) return [finding]
    if (isSaidAgain(finding)) return []
    const { context: _context, notices: _notices, remember: _remember, ...rest } = finding
    const { rememberDenied: _denied, files: _files, notes: _notes, ...verdict } = rest
    return [verdict]
  })
}

function lastChanges(findings: readonly Finding[]): Pick<Decision, 'rewrite' | 'output'> {
  const rewrite = findings.findLast((finding) => finding.rewrite !== undefined)?.rewrite
  const output = findings.findLast((finding) => finding.output !== undefined)?.output
  return { ...(rewrite === undefined ? {} : { rewrite }), ...(output === undefined ? {} : { output }) }
}

/** Each wrote a whole new input from the first one, so that only the last is left. */
function lostChanges(findings: readonly Finding[]): readonly string[] {
  const authors = findings.filter(({ rewrite }) => rewrite !== undefined).map(({ hook }) => hook)
  const last = authors.at(-1)
  return authors
    .slice(0, -1)
    .map(
      (hook) =>
        `What ${hook} changed in this call was lost: ${last} changed it too. Declare both with \`rewrites: true\`, then each sees what the other made.`,
    )
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
    const open = new Set<Run>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = (run: Run, outcome: Answer | Failure | null) => {
      if (!open.delete(run)) return
      const finding = run.settle(outcome)
      if (finding !== null) findings.push(finding)
      if (open.size > 0) return
      clearTimeout(timer)
      resolve(findings)
    }
    const take = (run: Run, outcome: Answer | Failure | null) => {
      if (!open.has(run)) return
      const accepted = run.accept(outcome)
      if (accepted instanceof Promise) wait(run, accepted)
      else close(run, accepted)
    }
    const wait = (run: Run, outcome: Promise<Answer | Failure | null>) => {
      outcome.then(
        (settled) => take(run, settled),
        (error: unknown) => take(run, crash(error)),
      )
    }
    const arm = (nowMs: number) => {
      let nearestMs = Number.POSITIVE_INFINITY
      for (const run of open) nearestMs = Math.min(nearestMs, run.deadlineMs)
      timer = setTimeout(expire, Math.min(Math.max(0, nearestMs - nowMs), TIMER_MAX_MS))
    }
    const expire = () => {
      const nowMs = round.around.now()
      for (const run of [...open]) {
        if (run.deadlineMs > nowMs) continue
        // Told to stop first: a handler that holds a complete answer may still hand it over.
        if (!run.stop()) close(run, run.timedOut())
      }
      if (open.size > 0) arm(nowMs)
    }
    const nowMs = round.around.now()
    for (const { run, outcome } of pending) {
      open.add(run)
      run.begin(nowMs)
      wait(run, outcome)
    }
    arm(nowMs)
  })
}

/** A timer for longer fires at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

function changesEvent(finding: Finding): boolean {
  return finding.rewrite !== undefined || finding.output !== undefined
}

/** Frozen: functions of one process are handed the same event, and none may change what the others judge. */
function withChanges(event: Event, findings: readonly Finding[]): Event {
  let current = event
  for (const { rewrite, output } of findings) {
    if (rewrite !== undefined && (current.kind === 'PreToolUse' || current.kind === 'PermissionRequest')) {
      const { files: _files, ...tool } = current.tool
      current = Object.freeze({ ...current, tool: Object.freeze({ ...tool, input: frozen(rewrite) }) })
    }
    if (output !== undefined && current.kind === 'PostToolUse') {
      current = Object.freeze({ ...current, output: frozen(output) })
    }
    if (output !== undefined && current.kind === 'PostToolUseFailure') {
      const error = typeof output === 'string' ? output : JSON.stringify(output)
      current = Object.freeze({ ...current, error })
    }
  }
  return current
}
