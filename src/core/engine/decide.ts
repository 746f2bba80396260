import { type Actor, actorKey, type KnownAgent } from '../actor.ts'
import type { Approval, AskPerson } from '../approval.ts'
import { deadlinesOf } from '../deadlines.ts'
import type { Decision, Failure } from '../decision.ts'
import type { Event } from '../event.ts'
import type { JsonObject } from '../json.ts'
import { andThen } from '../maybe-async.ts'
import { resolveActor } from '../state/actors.ts'
import type { Commit, InboxMessage, SessionState } from '../state/state.ts'
import { applyApproval, reachesNobody } from './apply-approval.ts'
import { buildCommit, NO_MESSAGES } from './build-commit.ts'
import { combine, NO_OPINION } from './combine.ts'
import type { DecideContext } from './decide-context.ts'
import { evaluate } from './evaluate.ts'
import { fitToHost } from './fit-to-host.ts'
import { failedAfterwards } from './hook-execution.ts'
import { answerAgain, recordedFor } from './idempotency.ts'
import { withImplied } from './implied-calls.ts'
import type { Engine, RunContext } from './run-hooks.ts'
import { onStateFailure } from './state-failure.ts'
import { applyStopBudget } from './stop-budget.ts'
import { unattendedMode } from './unattended.ts'

export interface Decided {
  readonly decision: Decision
  readonly actor: Actor
  /** True when the answer was recorded at an earlier delivery. */
  readonly repeated: boolean
}

/**
 * Takes one event from the state of its session to a decision that fits the host and is committed. If the state has
 * changed in the meantime, the event is decided again. If the state cannot be stored, that is a failure of the hooks
 * that wanted to remember something. Returns a promise only if a handler does, like evaluate.
 */
export function decide(event: Event, context: DecideContext): Decided | Promise<Decided> {
  const session = event.session === '' ? undefined : readSession(context, event.session)
  const budgetMs = context.budgetMs ?? deadlinesOf(event.kind).engineMs
  const waiting = createWaiting(context)
  return attempt({ event, context, budgetMs, endsMs: context.now() + budgetMs, count: 0, waiting }, session)
}

/** The answers of people to this event. A question is asked once, even if the event is decided again. */
interface Waiting {
  readonly ask: AskPerson | undefined
  /** The time that people took, which is not part of the time for hooks. */
  readonly waitedMs: () => number
}

function createWaiting({ askPerson, now }: DecideContext): Waiting {
  if (askPerson === undefined) return NEVER_WAITING
  const answers = new Map<string, Promise<Approval>>()
  let waitedMs = 0
  return {
    waitedMs: () => waitedMs,
    ask(question) {
      const key = JSON.stringify(question.decision.reasons)
      const known = answers.get(key)
      if (known !== undefined) return known
      const fromMs = now()
      const asked = askPerson(question).then((approval) => {
        waitedMs += now() - fromMs
        return approval
      })
      answers.set(key, asked)
      return asked
    },
  }
}

const NEVER_WAITING: Waiting = { ask: undefined, waitedMs: () => 0 }

interface Attempt {
  readonly event: Event
  readonly context: DecideContext
  /** The time that is left at this attempt. */
  readonly budgetMs: number
  readonly endsMs: number
  readonly count: number
  readonly waiting: Waiting
}

function attempt(trial: Attempt, session: SessionState | undefined): Decided | Promise<Decided> {
  const { event, context, budgetMs, waiting } = trial
  const actor = resolveActor(event, session, context.skills)
  const recorded = session === undefined ? undefined : recordedFor(event, session, context)
  if (recorded !== undefined) {
    return { decision: { ...NO_OPINION, ...answerAgain(recorded, context) }, actor, repeated: true }
  }
  return andThen(evaluateOnce(event, actor, session, context, budgetMs, waiting.ask), (decision) =>
    settle(trial, session, actor, decision, buildCommit(event, actor, decision, session, context)),
  )
}

function settle(
  trial: Attempt,
  session: SessionState | undefined,
  actor: Actor,
  decision: Decision,
  commit: Commit | undefined,
): Decided | Promise<Decided> {
  const { event, context, endsMs, count } = trial
  if (context.applyFiles === undefined || commit === undefined) return finish(actor, decision, trial)
  if (commit.changes.length === 0) return settleDenial(trial, session, actor, decision, commit)
  if (session === undefined) return finish(actor, onStateFailure(decision, commit, event, context), trial)
  const committed = context.state.commit(event.session, commit)
  if (!committed.ok) return finish(actor, onStateFailure(decision, commit, event, context), trial)
  if (committed.value.applied) return finish(actor, decision, trial)
  if (count >= RETRIES_MAX) return finish(actor, onStateFailure(decision, commit, event, context), trial)
  const budgetMs = endsMs + trial.waiting.waitedMs() - context.now()
  return attempt({ ...trial, budgetMs, count: count + 1 }, committed.value.state)
}

/** Only for a second delivery: a denial that cannot be recorded is a denial all the same. */
function settleDenial(
  trial: Attempt,
  session: SessionState | undefined,
  actor: Actor,
  decision: Decision,
  commit: Commit,
): Decided | Promise<Decided> {
  const { event, context, count } = trial
  const committed = session === undefined ? undefined : context.state.commit(event.session, commit)
  const wasFirst = committed?.ok !== true || committed.value.applied
  if (wasFirst || count > 0) return finish(actor, decision, trial)
  return attempt({ ...trial, count: count + 1 }, committed.value.state)
}

/**
 * Other processes decide for the same actor at the same time, and this many of them in a row may commit first. An
 * agent may have dozens of calls decided at once, and each round lets one of them through.
 */
const RETRIES_MAX = 64

function readSession(context: DecideContext, session: string): SessionState | undefined {
  const read = context.state.read(session)
  return read.ok ? read.value : undefined
}

function evaluateOnce(
  event: Event,
  actor: Actor,
  session: SessionState | undefined,
  context: DecideContext,
  budgetMs: number,
  ask: AskPerson | undefined,
): Decision | Promise<Decision> {
  const known = session?.actors.get(actorKey(event.agentId))
  const memory: JsonObject | undefined = session === undefined ? undefined : (known?.memory ?? NO_MEMORY)
  const watched =
    context.trace === undefined
      ? context.engine.knownAnswers?.begin(event, actor, context.facts, memory)
      : undefined
  const around: RunContext = {
    actor,
    facts: context.facts,
    memory,
    budgetMs,
    now: context.now,
    agents: session === undefined ? undefined : onceAgentsOf(session),
    trace: context.trace,
    watched,
  }
  const evaluated = andThen(evaluate(context.engine, event, around), (decision) =>
    checkImplied(event, decision, around, context),
  )
  const messages = context.can.context ? (known?.inbox ?? NO_MESSAGES) : NO_MESSAGES
  return andThen(evaluated, (decision) => {
    const told = messages.length === 0 ? decision : withMessages(decision, messages)
    return andThen(answered(told, event, actor, context, ask), (settled) =>
      applyStopBudget(event, fitToHost(settled, context.can, unattendedMode(event)), memory, {
        blocksMax: context.stopBlocksMax,
        isUnmarked: context.stopsUnmarked === true,
      }),
    )
  })
}

/** One object, because what is known about a call is compared with the memory it was judged with. */
const NO_MEMORY: JsonObject = Object.freeze({})

/** A question that reaches no user at the agent is put to a person elsewhere, if that is possible. */
function answered(
  decision: Decision,
  event: Event,
  actor: Actor,
  { can, headless }: DecideContext,
  ask: AskPerson | undefined,
): Decision | Promise<Decision> {
  if (ask === undefined || !reachesNobody(decision, can, unattendedMode(event) ?? headless)) return decision
  return ask({ event, actor, decision }).then((approval) => applyApproval(decision, approval))
}

/** Calls that follow from a denied call need not be checked. */
function checkImplied(
  event: Event,
  decision: Decision,
  around: RunContext,
  context: DecideContext,
): Decision | Promise<Decision> {
  const { watched } = around
  if (watched?.known?.isAlone === true) return decision
  if (decision.effect === 'deny') {
    // Unless another hook denied it, it is denied again.
    if (decision.findings.every(({ hookIndex }) => isPure(context.engine, hookIndex))) watched?.keep(false)
    return decision
  }
  const calls = context.implied?.(event, watched?.facts ?? context.facts)
  if (calls === undefined || (Array.isArray(calls) && calls.length === 0)) {
    watched?.keep(true)
    return decision
  }
  return Promise.resolve(calls).then(async (all) => {
    const { trace: _trace, watched: _watched, ...untraced } = around
    const judged = []
    for (const call of all) {
      const found =
        call.event === undefined ? undefined : await evaluate(context.engine, call.event, untraced)
      judged.push({ call, decision: found })
    }
    return withImplied(decision, judged)
  })
}

function isPure({ runners }: Engine, hookIndex: number | undefined): boolean {
  const runner = hookIndex === undefined ? undefined : runners[hookIndex]
  return typeof runner === 'function' && runner.isPure === true
}

function withMessages(decision: Decision, messages: readonly InboxMessage[]): Decision {
  return { ...decision, context: [...messages.map((message) => message.context), ...decision.context] }
}

/** Computed at most once: most events do not need it, the others need it several times. */
function onceAgentsOf(session: SessionState): () => readonly KnownAgent[] {
  let known: readonly KnownAgent[] | undefined
  return () => {
    known ??= agentsOf(session)
    return known
  }
}

function agentsOf({ actors }: SessionState): readonly KnownAgent[] {
  return [...actors].map(([id, { type, parent, ended, memory }]) => ({
    id,
    ended,
    memory,
    ...(type === undefined ? {} : { type }),
    ...(parent === undefined ? {} : { parent }),
  }))
}

function finish(
  actor: Actor,
  decision: Decision,
  { event, context }: Pick<Attempt, 'event' | 'context'>,
): Decided {
  if (decision.findings.length === 0) return { decision, actor, repeated: false }
  const files = decision.effect === 'deny' ? [] : decision.findings.flatMap((finding) => finding.files ?? [])
  if (context.applyFiles === undefined || files.length === 0) return { decision, actor, repeated: false }
  const applied = context.applyFiles(files)
  if (applied.ok) return { decision, actor, repeated: false }
  const failure: Failure = { failure: 'state', message: applied.problem.message }
  const findings = decision.findings.map((finding) => {
    const hook = finding.hookIndex === undefined ? undefined : context.engine.hooks[finding.hookIndex]
    return finding.files === undefined || hook === undefined
      ? finding
      : failedAfterwards(hook, finding, failure)
  })
  return {
    decision: fitToHost(combine(findings), context.can, unattendedMode(event)),
    actor,
    repeated: false,
  }
}
