import type { Decision, Finding } from '../decision.ts'
import type { Event } from '../event.ts'
import { andThen } from '../maybe-async.ts'
import { applyRewrites, isRewrite } from './apply-rewrites.ts'
import { combine, NO_OPINION } from './combine.ts'
import { type Engine, type HookRound, type RunContext, runHooks } from './run-hooks.ts'

/**
 * Runs one event through all its hooks. As long as no handler returns a promise, neither does this function.
 * Declared rewriters run one after another, then all other hooks check the final input in parallel. It may not
 * read files, the environment or the wall clock.
 */
export function evaluate(engine: Engine, event: Event, around: RunContext): Decision | Promise<Decision> {
  if (around.watched?.known?.findings.size === 0 && engine.isPure === true) return NO_OPINION
  const hookIndexes = engine.match(event, around.actor)
  const startedMs = hookIndexes.length === 0 ? 0 : around.now()
  const round: HookRound = { engine, around, endsMs: startedMs + around.budgetMs }
  const turns = turnsOf(hookIndexes, engine)
  if (turns.rewriters.length === 0) {
    return andThen(runHooks(round, hookIndexes, event), (findings) =>
      afterChecks(round, hookIndexes, event, findings),
    )
  }
  return rewriteThenJudge(round, hookIndexes, turns, event)
}

/** Which of the hooks run one after the other, and which in parallel after them. */
interface Turns {
  readonly rewriters: readonly number[]
  readonly others: readonly number[]
}

/** A list of hooks belongs to one engine, and comes again with the next event. */
const TURNS = new WeakMap<readonly number[], Turns>()

function turnsOf(hookIndexes: readonly number[], { hooks }: Engine): Turns {
  const known = TURNS.get(hookIndexes)
  if (known !== undefined) return known
  const turns = {
    rewriters: hookIndexes.filter((hookIndex) => hooks[hookIndex]?.rewrites === true),
    others: hookIndexes.filter((hookIndex) => hooks[hookIndex]?.rewrites !== true),
  }
  TURNS.set(hookIndexes, turns)
  return turns
}

function rewriteThenJudge(
  round: HookRound,
  hookIndexes: readonly number[],
  { rewriters, others }: Turns,
  event: Event,
): Decision | Promise<Decision> {
  const { hooks } = round.engine
  const findings: Finding[] = []
  let isSequenceOver = false
  const take = (current: Event, hookIndex: number, [finding]: readonly Finding[]): Event => {
    if (finding === undefined) return current
    if (finding.effect === 'deny' && hooks[hookIndex]?.shortCircuit === true) isSequenceOver = true
    if (isRewrite(finding)) findings.splice(0, findings.length, ...findings.map(withoutGrant))
    findings.push(finding)
    return applyRewrites(current, [finding])
  }
  const from = (index: number, current: Event): Decision | Promise<Decision> => {
    const hookIndex = rewriters[index]
    if (hookIndex === undefined) {
      return andThen(runHooks(round, others, current), (judged) =>
        afterChecks(round, hookIndexes, current, [...findings, ...judged], judged),
      )
    }
    if (isSequenceOver && hooks[hookIndex]?.shortCircuit === true) return from(index + 1, current)
    const turn = turnOf(round, rewriters.slice(index + 1), others)
    return andThen(runHooks(turn, [hookIndex], current), (found) =>
      from(index + 1, take(current, hookIndex, found)),
    )
  }
  return from(0, event)
}

/**
 * Even if one hook is slow, every later hook gets the time it asks for, or its share of what is left, so that none is
 * skipped because of another. The hooks that check the final input run in parallel and count as one.
 */
function turnOf(round: HookRound, later: readonly number[], others: readonly number[]): HookRound {
  const nowMs = round.around.now()
  const leftMs = round.endsMs - nowMs
  const asked = (hookIndex: number) => round.engine.hooks[hookIndex]?.timeoutMs ?? 0
  const laterMs = later.reduce((sum, hookIndex) => sum + asked(hookIndex), Math.max(0, ...others.map(asked)))
  const turns = later.length + (others.length > 0 ? 2 : 1)
  return { ...round, endsMs: nowMs + Math.max(leftMs / turns, leftMs - laterMs) }
}

/**
 * A rewrite by a hook that did not declare it is applied in plan order. Then every hook that may still object
 * (all except the rewriters themselves and managed rewriters) checks the result once. An allow that was given for an
 * earlier input does not apply to the new one. A call that is changed again is denied, because no hook checked it.
 */
function afterChecks(
  round: HookRound,
  hookIndexes: readonly number[],
  event: Event,
  findings: readonly Finding[],
  judged: readonly Finding[] = findings,
): Decision | Promise<Decision> {
  if (findings.length === 0) return NO_OPINION
  const undeclared = judged.filter(isRewrite).sort((a, b) => (a.hookIndex ?? 0) - (b.hookIndex ?? 0))
  if (undeclared.length === 0) return combine(findings)
  const final = applyRewrites(event, undeclared)
  const authors = new Set(undeclared.map((finding) => finding.hookIndex))
  const again = hookIndexes.filter((hookIndex) => {
    const hook = round.engine.hooks[hookIndex]
    return !authors.has(hookIndex) && (hook?.rewrites !== true || hook.rank === 'managed')
  })
  const last = undeclared.at(-1)
  const before = findings.map((finding) => (finding === last ? finding : withoutGrant(finding)))
  // Declared rewriters may come later in the plan but have run before: the input that was checked last is sent.
  const both = (found: readonly Finding[]): Decision => {
    const all = [...superseded(before, again, found), ...found.map(secondRound)]
    const decision = combine(all)
    return {
      ...decision,
      ...lastChanges(undeclared),
      notices: [...decision.notices, ...lostChanges(undeclared)],
    }
  }
  return andThen(runHooks(round, again, final), both)
}

/**
 * Of hooks that ran again, only the effect for the first input is kept, once. The rest was about a call that
 * is not made.
 */
function superseded(
  findings: readonly Finding[],
  again: readonly number[],
  found: readonly Finding[],
): readonly Finding[] {
  const isSaidAgain = ({ hookIndex, effect, reason }: Finding) =>
    found.some((each) => each.hookIndex === hookIndex && each.effect === effect && each.reason === reason)
  return findings.flatMap((finding) => {
    if (finding.hookIndex === undefined || !again.includes(finding.hookIndex)) return [finding]
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

/** Each hook wrote a complete new input based on the first one, so only the last is left. */
function lostChanges(findings: readonly Finding[]): readonly string[] {
  const authors = findings.filter(({ rewrite }) => rewrite !== undefined).map(({ hook }) => hook)
  const last = authors.at(-1)
  return authors
    .slice(0, -1)
    .map(
      (hook) =>
        `The change of ${hook} to this call was lost, because ${last} changed the call too. Set \`rewrites: true\` for both hooks; then each sees the result of the other.`,
    )
}

/** An allow is only valid for the input that its hook saw. */
function withoutGrant(finding: Finding): Finding {
  return finding.effect === 'allow' ? { ...finding, effect: 'pass' } : finding
}

/** A finding of the second round: it comes after all others and may not change the call again. */
function secondRound(finding: Finding): Finding {
  if (!isRewrite(finding)) return { ...finding, round: 2 }
  const { rewrite: _rewrite, output: _output, ...rest } = finding
  const reason = `This call is blocked because two hooks keep changing it: ${finding.hook} changed it after all other hooks had judged it. Tell the user to set \`rewrites: true\` for these hooks.`
  return { ...rest, round: 2, effect: 'deny', reason }
}
