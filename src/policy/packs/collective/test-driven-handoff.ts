import type { Answer, Patch } from '../../../core/decision.ts'
import type { Guard, GuardInput } from '../../../core/guard.ts'
import { answerCompletion } from './handoff/answer.ts'
import { agentIdOf, completionOf } from './handoff/completion.ts'
import { passes, stops } from './handoff/examples.ts'
import { failedBefore, failedPatch, tellUser } from './handoff/failed.ts'
import { isCheckpoint, judgeCompletion, VALIDATE } from './handoff/judge.ts'
import { lastMessageOf } from './handoff/output.ts'
import { judgedIn, type Pending, pendingFor, toldPatches } from './handoff/routes.ts'
import { endsPhase } from './handoff/signs.ts'
import { checkpointOf, nextRequirement } from './handoff/stages.ts'
import { logNote } from './log.ts'
import { readCollectiveOptions, VALIDATOR } from './options.ts'

/**
 * An agent hands its work on only if dependencies, tests and build succeed. Then the agent that started it is told
 * the next agent. Judged at the end of the sub-agent, or after its call if that end was not seen.
 */
export const testDrivenHandoff: Guard = {
  id: 'collective/test-driven-handoff',
  title: 'Handoff of work that does not pass its tests',
  why: 'The next agent builds on this work, and a failure is easiest to fix before it is handed on.',
  instead: 'make the tests and the build succeed, then finish with COLLECTIVE_HANDOFF_READY.',
  on: ['PostToolUse', 'SubagentStop', 'Stop'],
  match: '*',
  knowsAgents: true,
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  onFailure: 'collective',
  timeoutMs: 280_000,
  examples: { stops, passes },
  async needs(input) {
    const options = readCollectiveOptions(input.options)
    if (isWaiting(input)) return undefined
    const completion = await completionOf(input)
    if (completion === undefined || !isCheckpoint(completion, options)) return undefined
    return nextRequirement(await checkpointOf(options, input.facts), input.ran)
  },
  async check(input) {
    const { event, memory } = input
    if (event.kind === 'Stop') return event.agentId === undefined ? endOfTurn(input) : null
    const failed = event.kind === 'PostToolUse' ? failedBefore(memory, event) : undefined
    if (failed !== undefined) return { effect: 'pass', halt: failed, notices: [failed] }
    const pending = pendingFor(event, input.agents, memory)
    if (event.kind === 'SubagentStop' && pending.length > 0) return holdFor(pending, input)
    const completion = await completionOf(input)
    if (completion === undefined) return pending.length === 0 ? null : deliver(pending, input)
    const options = readCollectiveOptions(input.options)
    const judgement = await judgeCompletion(completion, options, input)
    return answerCompletion({ completion, judgement, options, input })
  },
}

/** A parent must receive the routes of its agents before it ends. Its own tests can wait. */
function isWaiting({ event, agents, memory }: GuardInput): boolean {
  return event.kind === 'SubagentStop' && pendingFor(event, agents, memory).length > 0
}

function holdFor(pending: readonly Pending[], input: GuardInput): Answer {
  const reason = pending.map(({ tell }) => tell).join('\n')
  return { effect: 'deny', reason, rememberDenied: toldPatches(pending), ...logged(reason, input) }
}

/** After a call: the result of the called agent is the answer. Results of other agents are added to it. */
function deliver(pending: readonly Pending[], input: GuardInput): Answer {
  const remember = toldPatches(pending)
  const text = pending.map(({ tell }) => tell).join('\n')
  // A delivered route counts as delivered, even if another guard denies the same event.
  const told = { remember, rememberDenied: remember, ...logged(text, input) }
  const failed = pending.find((each) => each.failed === true)
  if (failed !== undefined) {
    const rememberDenied = [...remember, failedPatch(failed.tell, input.event)]
    return { effect: 'deny', reason: tellUser(text), notices: [text], ...told, rememberDenied }
  }
  const isOwn = pending.some(({ agent }) => agent === agentIdOf(input.event))
  return isOwn
    ? { effect: 'deny', reason: text, ...told }
    : { effect: 'pass', context: [{ text, to: 'self' }], ...told }
}

/** A turn may end once every route was delivered and a finished phase was validated. */
async function endOfTurn(input: GuardInput): Promise<Answer | null> {
  const { event, facts, memory } = input
  const all = pendingFor(event, input.agents, memory)
  const failed = all.filter((each) => each.failed === true)
  if (failed.length > 0) {
    const text = failed.map(({ tell }) => tell).join('\n')
    const rememberDenied = toldPatches(all)
    return { effect: 'deny', reason: tellUser(text), notices: [text], rememberDenied, ...logged(text, input) }
  }
  if (all.length > 0) return holdFor(all, input)
  if (event.kind !== 'Stop' || event.stopHookActive) return null
  const text = await lastMessageOf(event, facts)
  if (text === undefined || !endsPhase(text, readCollectiveOptions(input.options))) return null
  const validatedMs = lastValidation(input)
  const seenMs = memory?.[VALIDATED]
  if (validatedMs > (typeof seenMs === 'number' ? seenMs : Number.NEGATIVE_INFINITY)) {
    const seen: Patch = { op: 'set', key: VALIDATED, value: validatedMs }
    return { effect: 'pass', ...(memory === undefined ? {} : { remember: [seen] }) }
  }
  const reason = `A phase has been completed. ${VALIDATE}`
  return { effect: 'deny', reason, ...logged(reason, input) }
}

const VALIDATED = 'collective/validated'

/** When the validating agent last ended. */
function lastValidation({ agents = [] }: GuardInput): number {
  const ended = agents.flatMap(({ type, memory }) => {
    const judged = type?.endsWith(VALIDATOR) === true ? judgedIn(memory) : undefined
    return judged === undefined ? [] : [judged.atMs]
  })
  return Math.max(Number.NEGATIVE_INFINITY, ...ended)
}

function logged(text: string, { facts, options }: GuardInput): Pick<Answer, 'notes'> {
  return { notes: [logNote('test-driven-handoff', text, facts, readCollectiveOptions(options))] }
}
