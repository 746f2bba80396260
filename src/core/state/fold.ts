import type { Patch } from '../decision.ts'
import type { Json, JsonObject } from '../json.ts'
import { type KeyWriter, type RecentKeys, writeKeys } from './recent-keys.ts'
import type { ActorState, Commit, InboxMessage, SessionState, Spawn, StateChange } from './state.ts'

/**
 * Commits in, session out. Pure, and the same in every process, because only this code decides whether a commit took
 * effect. It must never throw on a commit of a newer version, and every list has a limit.
 */

export const LIMITS = {
  inbox: 100,
  spawns: 100,
  /** Searched at every event. A second delivery comes within seconds. */
  recorded: 100,
  /** Keys of applied deliveries. A second delivery comes within seconds, so this number is more than enough. */
  keys: 2_000,
  memoryKeys: 1_000,
  /** Sub-agents that have ended are forgotten, the oldest first, when there are more than this. */
  actors: 2_000,
  /** Values one `push` list may keep, whatever its `keep` says. */
  pushed: 1_000,
} as const

/** What the fold needs in addition to the session: the deliveries it has seen. */
export interface FoldedSession extends SessionState {
  readonly keys: RecentKeys
}

export function emptySession(): FoldedSession {
  return { actors: new Map(), recorded: new Map(), spawns: [], damaged: false, keys: [] }
}

export function foldCommit(
  state: FoldedSession,
  commit: Commit,
): { readonly state: FoldedSession; readonly applied: boolean } {
  const folded = foldCommits(state, [commit])
  return { state: folded.state, applied: folded.applied.has(commit.nonce) }
}

/** For many commits the session is copied once. `applied` contains the nonces of the commits that took effect. */
export function foldCommits(
  state: FoldedSession,
  commits: readonly Commit[],
): { readonly state: FoldedSession; readonly applied: ReadonlySet<string> } {
  const hasKeys = commits.some(({ key }) => key !== undefined)
  const hasChanges = state.actors.size > LIMITS.actors || commits.some(({ changes }) => changes.length > 0)
  // What no commit can change is not copied.
  const draft: Draft = {
    actors: hasChanges ? new Map(state.actors) : (state.actors as Map<string, ActorState>),
    recorded: hasKeys ? new Map(state.recorded) : (state.recorded as Map<string, JsonObject>),
    keys: writeKeys(state.keys),
    spawns: [...state.spawns],
  }
  const applied = new Set<string>()
  for (const commit of commits) if (applyCommit(draft, commit)) applied.add(commit.nonce)
  if (applied.size === 0) return { state, applied }
  return { state: { ...draft, keys: draft.keys.keys(), damaged: state.damaged }, applied }
}

interface Draft {
  readonly actors: Map<string, ActorState>
  readonly recorded: Map<string, JsonObject>
  readonly keys: KeyWriter
  spawns: Spawn[]
}

const NEW_ACTOR: ActorState = { skills: [], inbox: [], memory: {}, version: 0, ended: false }

function applyCommit(draft: Draft, commit: Commit): boolean {
  if (commit.key !== undefined && draft.keys.has(commit.key)) return false
  if (commit.base !== undefined && commit.base !== actorIn(draft, commit.agent).version) return false
  for (const change of withPatchesTogether(commit.changes)) applyChange(draft, commit.agent, change)
  if (commit.changes.length > 0) {
    // Counted by length, not by what this version understands: an older and a newer version must agree.
    update(draft, commit.agent, (actor) => ({ ...actor, version: actor.version + 1 }))
  }
  if (draft.actors.size > LIMITS.actors) dropEnded(draft)
  if (commit.key !== undefined) {
    draft.keys.add(commit.key, LIMITS.keys)
    if (commit.recorded !== undefined) draft.recorded.set(commit.key, commit.recorded)
    dropOldest(draft.recorded, LIMITS.recorded)
  }
  return true
}

/** Patches that follow one another, as one change. */
interface PatchList {
  readonly kind: 'patches'
  readonly patches: readonly Patch[]
}

/** A thousand hooks may each remember something at one event: the memory is then copied once, not for each of them. */
function withPatchesTogether(changes: readonly StateChange[]): readonly (StateChange | PatchList)[] {
  const together: (StateChange | PatchList)[] = []
  let patches: Patch[] | undefined
  for (const change of changes) {
    if (change.kind !== 'patch') {
      patches = undefined
      together.push(change)
    } else if (patches !== undefined) patches.push(change.patch)
    else {
      patches = [change.patch]
      together.push({ kind: 'patches', patches })
    }
  }
  return together
}

function dropEnded({ actors }: Draft): void {
  for (const [id, { ended }] of actors) {
    if (!ended) continue
    actors.delete(id)
    return
  }
}

function applyChange(draft: Draft, agent: string, change: StateChange | PatchList): void {
  switch (change.kind) {
    case 'clear':
      clear(draft, agent)
      break
    case 'send':
      update(draft, change.to, (actor) => ({ ...actor, inbox: withLetter(actor.inbox, change.letter) }))
      break
    case 'parent':
      update(draft, change.of, (actor) => ({ ...actor, ...lineageOf(change) }))
      break
    case 'spawn': {
      const { type, skill } = change
      const spawn: Spawn = { by: agent, type, ...(skill === undefined ? {} : { skill }) }
      draft.spawns = [...draft.spawns, spawn].slice(-LIMITS.spawns)
      break
    }
    case 'spawned': {
      const used =
        change.skill === undefined
          ? usedSpawn(draft.spawns, change.type)
          : draft.spawns.find(({ by, skill }) => by === agent && skill === change.skill)
      draft.spawns = draft.spawns.filter((spawn) => spawn !== used)
      break
    }
    default:
      update(draft, agent, (actor) => changedActor(actor, change))
  }
}

/**
 * The call that a sub-agent of this type comes from: the oldest Agent call that could start it (a call without a type
 * may start any), otherwise the oldest skill, which then runs in a fork.
 */
export function usedSpawn(spawns: readonly Spawn[], type: string): Spawn | undefined {
  const couldBe = (spawn: Spawn) => spawn.type === type || spawn.type === ''
  return (
    spawns.find((spawn) => spawn.skill === undefined && couldBe(spawn)) ??
    spawns.find((spawn) => spawn.skill !== undefined && couldBe(spawn))
  )
}

function changedActor(
  actor: ActorState,
  change: PatchList | Extract<StateChange, { kind: 'patch' | 'skill' | 'agent' | 'end' | 'deliver' }>,
): ActorState {
  switch (change.kind) {
    case 'patches':
      return { ...actor, memory: patched(actor.memory, change.patches) }
    case 'skill':
      return { ...actor, skills: withSkill(actor.skills, change) }
    case 'agent':
      return { ...actor, ...lineageOf(change), ended: false }
    case 'end':
      return { ...actor, skills: [], ended: true }
    case 'deliver':
      return { ...actor, inbox: actor.inbox.filter(({ id }) => !change.ids.includes(id)) }
    default:
      // A change of a newer version: it counts as a commit, but this version does not know its meaning.
      return actor
  }
}

function lineageOf(told: { readonly type?: string; readonly parent?: string }): Partial<ActorState> {
  return {
    ...(told.type === undefined ? {} : { type: told.type }),
    ...(told.parent === undefined ? {} : { parent: told.parent }),
  }
}

/** Every actor loses data that a decision may depend on, so every version changes. */
function clear(draft: Draft, agent: string): void {
  draft.spawns = []
  for (const id of [...draft.actors.keys()]) {
    update(draft, id, (actor) => ({
      ...actor,
      skills: [],
      inbox: [],
      memory: {},
      version: actor.version + (id === agent ? 0 : 1),
    }))
  }
}

function withLetter(inbox: readonly InboxMessage[], letter: InboxMessage): readonly InboxMessage[] {
  return inbox.some(({ id }) => id === letter.id) ? inbox : [...inbox, letter].slice(-LIMITS.inbox)
}

function withSkill(
  skills: readonly string[],
  change: { readonly name: string; readonly active: boolean },
): readonly string[] {
  if (!change.active) return skills.filter((name) => name !== change.name)
  return skills.includes(change.name) ? skills : [...skills, change.name]
}

function patched(memory: JsonObject, patches: readonly Patch[]): JsonObject {
  // Entries, not properties: a key may be named `constructor` or `__proto__`.
  const entries = new Map(Object.entries(memory))
  for (const patch of patches) {
    if (!entries.has(patch.key) && entries.size >= LIMITS.memoryKeys) continue
    const value = patchedValue(entries.get(patch.key), patch)
    if (value !== undefined) entries.set(patch.key, value)
  }
  return Object.fromEntries(entries)
}

/** Undefined if the patch changes nothing. */
function patchedValue(old: Json | undefined, patch: Patch): Json | undefined {
  switch (patch.op) {
    case 'set':
      return patch.value
    case 'count': {
      const sum = (typeof old === 'number' ? old : 0) + patch.by
      return Number.isFinite(sum) ? sum : undefined
    }
    case 'push': {
      const values: readonly Json[] = Array.isArray(old) ? [...old, patch.value] : [patch.value]
      const keep = Math.min(Math.max(0, Math.floor(patch.keep)), LIMITS.pushed)
      return values.slice(Math.max(0, values.length - keep))
    }
    default:
      return undefined
  }
}

function actorIn(draft: Draft, id: string): ActorState {
  return draft.actors.get(id) ?? NEW_ACTOR
}

function update(draft: Draft, id: string, change: (actor: ActorState) => ActorState): void {
  draft.actors.set(id, change(actorIn(draft, id)))
}

/** A map keeps the order of insertion, so the first is the oldest. */
function dropOldest(kept: Map<string, unknown>, limit: number): void {
  const [oldest] = kept.size <= limit ? [] : kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}
