import { type Actor, actorKey, MAIN } from './actor.ts'
import { andThen } from './and-then.ts'
import { NO_OPINION } from './combine.ts'
import type { Context, Decision, Patch } from './decision.ts'
import { keyOf, recordable } from './deliveries.ts'
import type { Desk } from './desk.ts'
import type { Event } from './event.ts'
import { actorChanges, addressee } from './state/actors.ts'
import type { ActorState, Change, Commit, Letter, SessionState } from './state/state.ts'

/** What one decided event leaves in its session: who the actors are, what hooks remember, what waits for others. */
export function commitFor(
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
export const NO_LETTERS: readonly Letter[] = []

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
