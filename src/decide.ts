import { type Actor, actorKey, type KnownAgent } from './actor.ts'
import { andThen } from './and-then.ts'
import { combine, NO_OPINION } from './combine.ts'
import { commitFor, NO_LETTERS } from './commit-for.ts'
import { deadlinesOf } from './deadlines.ts'
import type { Decision, Failure } from './decision.ts'
import { recordedFor } from './deliveries.ts'
import type { Desk } from './desk.ts'
import { evaluate } from './evaluate.ts'
import type { Event } from './event.ts'
import { fitToHost } from './fit-to-host.ts'
import type { JsonObject } from './json.ts'
import { failedAfterwards } from './run.ts'
import { actorOf } from './state/actors.ts'
import type { Commit, Letter, SessionState } from './state/state.ts'
import { holdStop } from './stop-budget.ts'
import { withoutMemory } from './without-memory.ts'

export interface Decided {
  readonly decision: Decision
  readonly actor: Actor
  /** True when the answer is the recorded one of an earlier delivery. */
  readonly repeated: boolean
}

/**
 * One event, from its session's state to a decision that is fitted to the host and committed. A commit that was
 * decided on an outdated state is decided again; a state that cannot be kept is a failure of the hooks that
 * wanted to remember something. Sync first, as evaluate is.
 */
export function decide(event: Event, desk: Desk): Decided | Promise<Decided> {
  const session = event.session === '' ? undefined : readSession(desk, event.session)
  const budgetMs = desk.budgetMs ?? deadlinesOf(event.kind).engineMs
  return attempt({ event, desk, budgetMs, endsMs: desk.now() + budgetMs, count: 0 }, session)
}

interface Attempt {
  readonly event: Event
  readonly desk: Desk
  /** What is left of it at this attempt. */
  readonly budgetMs: number
  readonly endsMs: number
  readonly count: number
}

function attempt(trial: Attempt, session: SessionState | undefined): Decided | Promise<Decided> {
  const { event, desk, budgetMs } = trial
  const actor = actorOf(event, session, desk.skills)
  const judged = (recorded: JsonObject | undefined): Decided | Promise<Decided> => {
    if (recorded !== undefined) return { decision: { ...NO_OPINION, ...recorded }, actor, repeated: true }
    return andThen(judgeOnce(event, actor, session, desk, budgetMs), (decision) =>
      andThen(commitFor(event, actor, decision, session, desk), (commit) =>
        settle(trial, session, actor, decision, commit),
      ),
    )
  }
  return andThen(session === undefined ? undefined : recordedFor(event, session, desk), judged)
}

function settle(
  trial: Attempt,
  session: SessionState | undefined,
  actor: Actor,
  decision: Decision,
  commit: Commit | undefined,
): Decided | Promise<Decided> {
  const { event, desk, endsMs, count } = trial
  if (desk.applyFiles === undefined || commit === undefined) return finish(actor, decision, desk)
  if (session === undefined) return finish(actor, withoutMemory(decision, commit, event, desk), desk)
  const committed = desk.state.commit(event.session, commit)
  if (!committed.ok) return finish(actor, withoutMemory(decision, commit, event, desk), desk)
  if (committed.value.applied) return finish(actor, decision, desk)
  if (count >= RETRIES_MAX) return finish(actor, withoutMemory(decision, commit, event, desk), desk)
  const budgetMs = endsMs - desk.now()
  return attempt({ ...trial, budgetMs, count: count + 1 }, committed.value.state)
}

/**
 * Others decide for the same actor at the same time; this many in a row may be faster than we are. An agent may have
 * dozens of calls judged at once, and of those that are as fast each round lets one through.
 */
const RETRIES_MAX = 64

function readSession(desk: Desk, session: string): SessionState | undefined {
  const read = desk.state.read(session)
  return read.ok ? read.value : undefined
}

function judgeOnce(
  event: Event,
  actor: Actor,
  session: SessionState | undefined,
  desk: Desk,
  budgetMs: number,
): Decision | Promise<Decision> {
  const known = session?.actors.get(actorKey(event.agentId))
  const memory: JsonObject | undefined = session === undefined ? undefined : (known?.memory ?? {})
  const judged = evaluate(desk.engine, event, {
    actor,
    facts: desk.facts,
    memory,
    budgetMs,
    now: desk.now,
    agents: session === undefined ? undefined : onceAgentsOf(session),
    trace: desk.trace,
  })
  const letters = desk.can.context ? (known?.inbox ?? NO_LETTERS) : NO_LETTERS
  return andThen(judged, (decision) => {
    const told = letters.length === 0 ? decision : withLetters(decision, letters)
    return holdStop(event, fitToHost(told, desk.can), memory, desk.stopBlocksMax)
  })
}

function withLetters(decision: Decision, letters: readonly Letter[]): Decision {
  return { ...decision, context: [...letters.map((letter) => letter.context), ...decision.context] }
}

/** Most events ask nobody for them; the others ask several times. */
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

function finish(actor: Actor, decision: Decision, desk: Desk): Decided {
  if (decision.findings.length === 0) return { decision, actor, repeated: false }
  const files = decision.effect === 'deny' ? [] : decision.findings.flatMap((finding) => finding.files ?? [])
  if (desk.applyFiles === undefined || files.length === 0) return { decision, actor, repeated: false }
  const applied = desk.applyFiles(files)
  if (applied.ok) return { decision, actor, repeated: false }
  const failure: Failure = { failure: 'state', message: applied.problem.message }
  const findings = decision.findings.map((finding) => {
    const hook = desk.engine.hooks[finding.order % desk.engine.hooks.length]
    return finding.files === undefined || hook === undefined
      ? finding
      : failedAfterwards(hook, finding, failure)
  })
  return { decision: fitToHost(combine(findings), desk.can), actor, repeated: false }
}
