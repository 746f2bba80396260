import type { Answer, Note, Patch } from '../../../../core/decision.ts'
import type { GuardInput } from '../../../../core/guard.ts'
import { READY } from '../../../handoff/ready.ts'
import { logNote } from '../log.ts'
import { type HandoffResult, handoffNote } from '../metrics/handoff-note.ts'
import type { CollectiveOptions } from '../options.ts'
import type { Completion } from './completion.ts'
import { failedPatch, tellUser } from './failed.ts'
import type { Judgement } from './judge.ts'
import { type HandoffRecord, judgedPatch } from './routes.ts'

/** A judged completion, for later questions about it. */
export interface Case {
  readonly completion: Completion
  readonly judgement: Judgement
  readonly options: CollectiveOptions
  readonly input: GuardInput
}

export function answerCompletion(of: Case): Answer | null {
  const { judgement, input } = of
  if (judgement.fault !== undefined) return sentBack(of, judgement.fault)
  if (judgement.route !== undefined) return routed(of, judgement.route)
  const outcome = judgement.ready ? ({ outcome: 'completed' } as const) : undefined
  const said = { ...notesFor(of, 'completion allowed', outcome), ...warnings(of) }
  return { effect: 'pass', ...said, ...remembering(input, [settled(of, {})]) }
}

/**
 * The same agent tries again, up to the configured number of retries. Then the workflow ends. It is never held more
 * often.
 */
function sentBack(of: Case, fault: string): Answer {
  const { completion, options, input } = of
  const { event, memory } = input
  const { from, retriesKey } = completion
  const isAgain = 'stopHookActive' in event && event.stopHookActive
  const kept = memory?.[retriesKey]
  const before = memory === undefined ? (isAgain ? options.retries : 0) : typeof kept === 'number' ? kept : 0
  const counted = (value: number): Patch => ({ op: 'set', key: retriesKey, value })
  if (before < options.retries) {
    const outcome = { outcome: 'held', retries: before, ...tested(of, 'failed') } as const
    return {
      effect: 'deny',
      reason: `${from} may not hand over yet. ${fault}\n${whatNow(of, before + 1)}`,
      ...notesFor(of, `held (${before + 1} of ${options.retries}): ${fault}`, outcome),
      ...warnings(of),
      ...(memory === undefined ? {} : { rememberDenied: [counted(before + 1)] }),
      detail: { heldBefore: before, fault },
    }
  }
  const end = `${from} was sent back ${before} times and still may not hand over. The workflow ends here. ${fault}`
  const outcome = { outcome: 'failed', retries: before, ...tested(of, 'failed') } as const
  const said = { notices: [end], ...notesFor(of, `failed after ${before} retries: ${fault}`, outcome) }
  // Here the parent itself is asked: it says why, and then ends.
  if (event.kind === 'PostToolUse' && memory !== undefined)
    return {
      effect: 'deny',
      reason: tellUser(end),
      ...said,
      rememberDenied: [counted(0), failedPatch(end, event)],
    }
  // The parent is told later, if it can be. A runner that speaks the words of the collective reads the word here.
  const endsNow = memory === undefined || event.agentId === undefined || event.host === 'collective'
  return {
    effect: 'pass',
    ...(endsNow ? { halt: end } : {}),
    ...said,
    ...remembering(input, [counted(0), settled(of, { tell: end, failed: true })]),
  }
}

/** A sub-agent reads this itself. If only its call is judged, the parent reads it. */
function whatNow({ completion, options, input }: Case, times: number): string {
  const again = `(Try ${times} of ${options.retries}. After that the workflow ends and the user is notified.)`
  return input.event.kind === 'PostToolUse'
    ? `Use the same agent: use the ${completion.from} subagent to fix this. ${again}`
    : `Fix this, then finish again with ${READY} on a line of its own. ${again}`
}

/**
 * A block at the end of a sub-agent would reach the sub-agent, not the parent. So the sub-agent may end, and the
 * parent is notified later. If nothing can be remembered, the block is sent now, because there is no later chance.
 */
function routed(of: Case, { to, tell }: { readonly to: string; readonly tell: string }): Answer {
  const { input, completion } = of
  const { event, memory } = input
  const outcome = { outcome: 'routed', to, ...tested(of, 'passed') } as const
  const said = { ...notesFor(of, `routed from ${completion.from} to ${to}`, outcome), ...warnings(of) }
  const isAgain = 'stopHookActive' in event && event.stopHookActive
  const isForgotten = memory === undefined || event.agentId === undefined
  if (event.kind === 'PostToolUse' || (isForgotten && !isAgain)) {
    const last: Patch = { op: 'set', key: LAST_ROUTE, value: { ...judgedOf(of, { to }) } }
    return {
      effect: 'deny',
      reason: tell,
      ...said,
      ...(memory === undefined ? {} : { rememberDenied: [last] }),
    }
  }
  return { effect: 'pass', ...said, ...remembering(input, [settled(of, { to, tell })]) }
}

/** The last route of an agent whose own memory could not store it. */
export const LAST_ROUTE = 'collective/last-route'

function judgedOf({ completion, input }: Case, more: Partial<HandoffRecord>): HandoffRecord {
  return { atMs: input.facts.now().getTime(), from: completion.from, ...more }
}

/** Only the end of a sub-agent is stored in its own memory. A call of the parent is judged only once in any case. */
function settled(of: Case, more: Partial<HandoffRecord>): Patch | undefined {
  const { kind, agentId } = of.input.event
  return kind === 'SubagentStop' && agentId !== undefined ? judgedPatch(judgedOf(of, more)) : undefined
}

function remembering(
  { memory }: GuardInput,
  patches: readonly (Patch | undefined)[],
): { readonly remember?: readonly Patch[] } {
  const remember = patches.filter((patch) => patch !== undefined)
  return memory === undefined || remember.length === 0 ? {} : { remember }
}

/** An agent that hands nothing over is not part of the collective. Missing parts are only logged. */
function warnings({ judgement }: Case): { readonly notices?: readonly string[] } {
  const concerns = judgement.ready || judgement.route !== undefined
  const notices = concerns ? judgement.warnings : []
  return notices.length === 0 ? {} : { notices }
}

function notesFor(
  { completion, judgement, options, input }: Case,
  what: string,
  result: HandoffResult | undefined,
): { readonly notes: readonly Note[] } {
  const { event, actor, facts } = input
  const words = judgement.warnings.map((warning) => `${completion.from}: ${warning}`)
  const log = [...words, `${completion.from}: ${what}`].map((line) =>
    logNote('test-driven-handoff', line, facts, options),
  )
  const about = { event, actor: { ...actor, agentType: completion.from }, facts, options: input.options }
  return { notes: result === undefined || event.session === '' ? log : [...log, handoffNote(about, result)] }
}

function tested({ judgement }: Case, outcome: 'passed' | 'failed'): Pick<HandoffResult, 'test'> {
  const { ready, testedBy } = judgement
  return ready && testedBy !== undefined ? { test: { runner: testedBy, outcome } } : {}
}
