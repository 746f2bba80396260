import { type Actor, actorKey, MAIN } from '../actor.ts'
import type { Context, Decision, Patch } from '../decision.ts'
import type { Event } from '../event.ts'
import { actorChanges, addressee } from '../state/actors.ts'
import type { ActorState, Commit, InboxMessage, SessionState, StateChange } from '../state/state.ts'
import { NO_OPINION } from './combine.ts'
import type { DecideContext } from './decide-context.ts'
import { deliveryKey, denialKey, recordable } from './idempotency.ts'

/** What one decided event changes in its session: the known actors, the memory of hooks, and messages to other actors. */
export function buildCommit(
  event: Event,
  actor: Actor,
  decision: Decision,
  session: SessionState | undefined,
  context: DecideContext,
): Commit | undefined {
  const agent = actorKey(event.agentId)
  const known = session?.actors.get(agent)
  const ofEvent = actorChanges(event, decision.effect, session)
  const ofHooks = decision === NO_OPINION ? NO_CHANGES : changesBy(decision, actor, known, context)
  const delivered = context.can.context ? (known?.inbox ?? NO_MESSAGES) : NO_MESSAGES
  const changes: readonly StateChange[] = [
    ...ofEvent,
    ...(context.pinProject === undefined ? NO_CHANGES : [pinned(context.pinProject)]),
    ...ofHooks,
    ...(delivered.length === 0
      ? NO_CHANGES
      : [{ kind: 'deliver', ids: delivered.map(({ id }) => id) } as const]),
  ]
  const atMs = context.facts.now().getTime()
  if (changes.length === 0) return denialOf(event, agent, decision, context, atMs)
  // Notes are not effects of this event: a second delivery may read them again and is decided by their current content.
  const key = changes.every(isNote) ? undefined : deliveryKey(event, context, atMs)
  return {
    agent,
    changes,
    nonce: context.newId(),
    atMs,
    ...(key === undefined ? {} : { key, recorded: recordable(decision, context) }),
    // Only the memory of hooks depends on the state they had read.
    ...(ofHooks.some((change) => change.kind === 'patch') ? { base: known?.version ?? 0 } : {}),
  }
}

/** A denial is recorded too, so that a second delivery neither counts nor tells the agent again. */
function denialOf(
  event: Event,
  agent: string,
  decision: Decision,
  context: DecideContext,
  atMs: number,
): Commit | undefined {
  const key = decision.effect === 'deny' ? denialKey(event, context, atMs) : undefined
  if (key === undefined) return undefined
  return { agent, changes: [], nonce: context.newId(), atMs, key, recorded: recordable(decision, context) }
}

const NO_CHANGES: readonly StateChange[] = []
export const NO_MESSAGES: readonly InboxMessage[] = []

/** The memory of hooks, and their messages to other actors. */
function changesBy(
  decision: Decision,
  actor: Actor,
  known: ActorState | undefined,
  context: DecideContext,
): readonly StateChange[] {
  const remembered = patchesOf(decision).map((patch): StateChange => ({ kind: 'patch', patch }))
  const sent = undelivered(decision, context).map(
    (text): StateChange => ({
      kind: 'send',
      to: addressee(text.to, actor, known),
      letter: { id: context.newId(), context: { ...text, to: 'self' } },
    }),
  )
  return [...remembered, ...sent]
}

const PROJECT = 'holdpoint/project'

function pinned(project: string): StateChange {
  return { kind: 'patch', patch: { op: 'set', key: PROJECT, value: project } }
}

/** Writing memory under these keys several times has the same result as writing it once. */
const NOTES = 'holdpoint/note/'

function isNote(change: StateChange): boolean {
  return change.kind === 'patch' && (change.patch.key === PROJECT || change.patch.key.startsWith(NOTES))
}

/** The project the session began in. An agent that changes its folder must not change its rules. */
export function sessionProject(session: SessionState | undefined): string | undefined {
  const project = session?.actors.get(MAIN)?.memory[PROJECT]
  return typeof project === 'string' ? project : undefined
}

function patchesOf(decision: Decision): readonly Patch[] {
  const denied = decision.effect === 'deny'
  return decision.findings.flatMap((finding) => (denied ? finding.rememberDenied : finding.remember) ?? [])
}

/** Text that this event cannot carry waits for an event that can. */
function undelivered(decision: Decision, context: DecideContext): readonly Context[] {
  return decision.context.filter(({ to }) => to !== 'self' || !context.can.context)
}
