import { type Actor, actorKey, type KnownAgent, MAIN } from './actor.ts'
import { andThen } from './and-then.ts'
import { combine, NO_OPINION } from './combine.ts'
import { deadlinesOf } from './deadlines.ts'
import type { Context, Decision, Failure, FileChange, Finding, Patch } from './decision.ts'
import type { Result } from './errors.ts'
import { type Engine, evaluate, type Trace } from './evaluate.ts'
import { type Event, toolOf } from './event.ts'
import type { Facts } from './facts.ts'
import { fitToHost } from './fit-to-host.ts'
import type { Abilities } from './hosts/host.ts'
import type { JsonObject } from './json.ts'
import { failedAfterwards } from './run.ts'
import { actorChanges, actorOf, addressee } from './state/actors.ts'
import type { ActorState, Change, Commit, Letter, SessionState, StateStore } from './state/state.ts'
import { holdStop, letGo } from './stop-budget.ts'

/** What one event needs beside the engine. Everything that touches the world arrives here. */
export interface Desk {
  readonly engine: Engine
  readonly state: StateStore
  readonly facts: Facts
  readonly can: Abilities
  /** The host may deliver one event twice. */
  readonly deliversTwice: boolean
  readonly stopBlocksMax: number
  /** Skills the caller says are active, beside those the state knows. */
  readonly skills: readonly string[]
  /** What all hooks share. Missing: the event's own share of what a host waits. */
  readonly budgetMs?: number | undefined
  /** The project to remember for the rest of the session, where the host does not name it at every event. */
  readonly pinProject?: string
  now(): number
  newId(): string
  /** A hash nobody can aim at. A promise where it is loaded first: most events never need one, and loading it costs. */
  hash(text: string): string | Promise<string>
  /** Carries out the files findings asked for. Missing in a rehearsal: nothing is committed then. */
  applyFiles?(files: readonly FileChange[]): Result<void>
  readonly trace?: Trace | undefined
}

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
const SECOND_DELIVERY_MS = 2_000

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

const NO_LETTERS: readonly Letter[] = []

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

/**
 * The decision of an earlier delivery of the very same event: same id, same tool, same input. Ids alone do not do:
 * some models count them anew in every turn.
 */
function recordedFor(
  event: Event,
  session: SessionState,
  desk: Desk,
): JsonObject | undefined | Promise<JsonObject | undefined> {
  const prefix = session.recorded.size === 0 ? undefined : keyPrefix(event, desk)
  if (prefix === undefined) return undefined
  const candidates = [...session.recorded].filter(([key]) => key.startsWith(prefix))
  if (candidates.length === 0) return undefined
  return andThen(desk.hash(inputText(event)), (hash) => {
    const marked = `${prefix}${hash}`
    return candidates.find(([key]) => key === marked || isRecent(key, marked, desk))?.[1]
  })
}

/** Without an id of the host's, a second delivery is told by its time too. */
function isRecent(key: string, marked: string, desk: Desk): boolean {
  const atMs = key.startsWith(`${marked}@`) ? Number(key.slice(marked.length + 1)) : Number.NaN
  return desk.facts.now().getTime() - atMs <= SECOND_DELIVERY_MS
}

/** What a delivery is known by, up to its input. Undefined: two deliveries of this event are two events. */
function keyPrefix(event: Event, desk: Desk): string | undefined {
  const tool = toolOf(event)
  const who = `${event.kind}/${actorKey(event.agentId)}`
  if (tool?.useId !== undefined) return `${who}/${tool.useId}/${tool.name}#`
  const isStop = event.kind === 'Stop' || event.kind === 'SubagentStop'
  return desk.deliversTwice && !isStop ? `${who}//${tool?.name ?? ''}#` : undefined
}

function inputText(event: Event): string {
  return JSON.stringify(toolOf(event)?.input ?? event.raw)
}

function commitFor(
  event: Event,
  actor: Actor,
  decision: Decision,
  session: SessionState | undefined,
  desk: Desk,
): Commit | undefined | Promise<Commit | undefined> {
  const agent = actorKey(event.agentId)
  const known = session?.actors.get(agent)
  const ofEvent = actorChanges(event, decision.effect, session)
  const ofHooks = decision === NO_OPINION ? NO_CHANGES : changesBy(decision, actor, known, desk)
  const delivered = desk.can.context ? (known?.inbox ?? NO_LETTERS) : NO_LETTERS
  const changes: readonly Change[] = [
    ...ofEvent,
    ...(desk.pinProject === undefined ? NO_CHANGES : [pinned(desk.pinProject)]),
    ...ofHooks,
    ...(delivered.length === 0
      ? NO_CHANGES
      : [{ do: 'deliver', ids: delivered.map(({ id }) => id) } as const]),
  ]
  if (changes.length === 0) return undefined
  const atMs = desk.facts.now().getTime()
  // Notes are no effects of this event: a second delivery may take them again, and is judged by what holds then.
  return andThen(changes.every(isNote) ? undefined : keyOf(event, desk, atMs), (key) => ({
    agent,
    changes,
    nonce: desk.newId(),
    atMs,
    ...(key === undefined ? {} : { key, recorded: recordable(decision) }),
    // Only what hooks remembered depends on what they had read.
    ...(ofHooks.some((change) => change.do === 'patch') ? { base: known?.version ?? 0 } : {}),
  }))
}

const NO_CHANGES: readonly Change[] = []

/** What hooks remember, and what they say to others. */
function changesBy(
  decision: Decision,
  actor: Actor,
  known: ActorState | undefined,
  desk: Desk,
): readonly Change[] {
  const remembered = patchesOf(decision).map((patch): Change => ({ do: 'patch', patch }))
  const sent = undelivered(decision, desk).map(
    (context): Change => ({
      do: 'send',
      to: addressee(context.to, actor, known),
      letter: { id: desk.newId(), context: { ...context, to: 'self' } },
    }),
  )
  return [...remembered, ...sent]
}

function keyOf(event: Event, desk: Desk, atMs: number): string | undefined | Promise<string | undefined> {
  const prefix = keyPrefix(event, desk)
  if (prefix === undefined) return undefined
  const at = toolOf(event)?.useId === undefined ? `@${atMs}` : ''
  return andThen(desk.hash(inputText(event)), (hash) => `${prefix}${hash}${at}`)
}

const PROJECT = 'holdpoint/project'

function pinned(project: string): Change {
  return { do: 'patch', patch: { op: 'set', key: PROJECT, value: project } }
}

/** Memory under these keys says the same however often it is written. */
const NOTES = 'holdpoint/note/'

function isNote(change: Change): boolean {
  return change.do === 'patch' && (change.patch.key === PROJECT || change.patch.key.startsWith(NOTES))
}

/** The project the session began in. An agent that changes folder must not change its rules. */
export function sessionProject(session: SessionState | undefined): string | undefined {
  const project = session?.actors.get(MAIN)?.memory[PROJECT]
  return typeof project === 'string' ? project : undefined
}

function patchesOf(decision: Decision): readonly Patch[] {
  const denied = decision.effect === 'deny'
  return decision.findings.flatMap((finding) => (denied ? finding.rememberDenied : finding.remember) ?? [])
}

/** What this event cannot carry waits for one that can. */
function undelivered(decision: Decision, desk: Desk): readonly Context[] {
  return decision.context.filter((context) => context.to !== 'self' || !desk.can.context)
}

function recordable(decision: Decision): JsonObject {
  const { findings: _findings, failed: _failed, ...rest } = decision
  return JSON.parse(JSON.stringify(rest)) as JsonObject
}

/** The state could not be kept: what hooks wanted to remember is lost, and each hook's policy says what that means. */
function withoutMemory(decision: Decision, commit: Commit, event: Event, desk: Desk): Decision {
  const failure: Failure = { failure: 'state', message: 'what it must remember could not be stored' }
  const findings = decision.findings.map((finding): Finding => {
    const wanted = decision.effect === 'deny' ? finding.rememberDenied : finding.remember
    const hook = desk.engine.hooks[finding.order % desk.engine.hooks.length]
    return wanted === undefined || wanted.length === 0 || hook === undefined
      ? finding
      : failedAfterwards(hook, finding, failure)
  })
  const lostSkill = commit.changes.find((change) => change.do === 'skill' && change.active)
  const told = lostSkill === undefined || lostSkill.do !== 'skill' ? [] : [lostSkillFinding(lostSkill.name)]
  const again = combine([...findings, ...told])
  // A stop that was held before and cannot be counted would be held for ever.
  const uncounted = 'stopHookActive' in event && event.stopHookActive && again.effect === 'deny'
  return fitToHost(
    uncounted ? letGo(again, 'Let go because it cannot be counted how often it was held') : again,
    desk.can,
  )
}

/** A skill whose start is forgotten would leave its guards off: the agent and the person must know at once. */
function lostSkillFinding(skill: string): Finding {
  const text = `Holdpoint could not record that the skill "${skill}" began, so its rules would not be enforced. Stop and tell the user to check disk space and the Holdpoint state folder.`
  return { hook: 'holdpoint/state', order: Number.MAX_SAFE_INTEGER, effect: 'deny', reason: text }
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
