import { andThen } from './and-then.ts'
import { changesEvent, withChanges } from './changed-event.ts'
import { combine, NO_OPINION } from './combine.ts'
import type { Decision, Finding } from './decision.ts'
import type { Event } from './event.ts'
import { type Engine, judge, type Round, type Surroundings } from './judge.ts'

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
