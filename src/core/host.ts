import type { Decision, Reply } from './decision.ts'
import type { Problem, Result } from './errors.ts'
import type { Event, EventKind } from './event.ts'

/** Where the configuration of an agent can be. */
export interface InstallPlaces {
  readonly project: string
  /** Where the agent is started, if it is known: in the project. */
  readonly folder?: string
  /** The user's home folder. */
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * An agent program that Holdpoint can answer. Decode and encode are pure conversions: no clock, no files, no process.
 * A host declares what it *can* do at each event. Shared code reads that and never checks which host it is.
 */
export interface Host {
  readonly id: string
  readonly title: string
  /** What each kind of event can express. If a kind is missing, this host does not send it. */
  readonly events: Readonly<Partial<Record<EventKind, Abilities>>>
  /** What this event supports, if that depends on its payload or its name. If missing, `events` says it. */
  abilitiesAt?(event: Event): Abilities
  /** What no hook can do on this host. If missing, `events` says everything. */
  readonly limits?: readonly HostLimit[]
  /** Written from documentation and sources: the program itself was never run with Holdpoint's hooks. */
  readonly notProved?: true
  /** Sometimes delivers an event twice (a frontmatter hook in addition to ours): second deliveries are recognised. */
  readonly deliversTwice: boolean
  /** Its stops do not say whether they follow a blocked one: every block since the last free stop counts. */
  readonly stopsUnmarked?: true
  /** It may have no event at which a user reads, so configuration problems are reported at every event. */
  readonly tellsAlways?: boolean
  /** Whether the session runs without a user, by the environment of its hooks. Missing: the host does not say. */
  isHeadless?(env: Readonly<Record<string, string | undefined>>): boolean
  /** The variable with the project's root, which stays the same when the agent changes its folder. */
  readonly projectVariable?: string
  /** Its list of plugins: if ours is listed, it may start a second hook for an event. Missing: it has no plugins. */
  pluginList?(where: InstallPlaces): string
  /** For a format that can receive the payload of another agent: the host that must answer it, in its own format. */
  answersAs?(payload: string): string | undefined
  /** Bytes to event. Unknown events and fields are kept in `raw`. An invalid payload is a problem, not an exception. */
  decode(request: HostRequest): Result<Event>
  /** The event's name in a payload that is valid JSON but wrong. The last resort depends on it. */
  eventNamed(payload: string): string | undefined
  /**
   * The answer to a payload that cannot be checked, if this host has its own rule. Undefined: the event's
   * rule applies.
   */
  lastResort?(problem: Problem): 'deny' | 'pass' | undefined
  /** Decision to reply. The decision already fits `events`; encode must not weaken it. */
  encode(decision: Decision, event: Event): Reply
  /** The reply when no decision could be made: the last resort, in this host's format. */
  refuse(problem: Problem, lastResort: LastResort): Reply
  /** The same reply over HTTP, where there is no exit code. Missing: the host does not support HTTP. */
  overHttp?(reply: Reply, kind: EventKind | undefined): HttpReply
}

/** Something that a policy may require and that this host does not support. */
export interface HostLimit {
  readonly kind: 'open' | 'unseen' | 'identity' | 'prompt' | 'stop'
  /** What is not supported, and what happens instead. */
  readonly says: string
  /** A stricter rule that is supported, if there is one. */
  readonly instead?: string
}

export interface HttpReply {
  readonly status: number
  readonly body: string
}

/** Whether the agent obeys this effect at this event. */
export interface Abilities {
  readonly deny: boolean
  /** `by-silence`: the host asks its own question unless we decide. */
  readonly ask: boolean | 'by-silence'
  readonly allow: boolean
  /** `with-allow`: only together with an allow. */
  readonly rewrite: boolean | 'with-allow'
  readonly context: boolean
  readonly output: boolean
}

/** A call without a host: every effect can be expressed. */
export const ALL_ABILITIES: Abilities = {
  deny: true,
  ask: true,
  allow: true,
  rewrite: true,
  context: true,
  output: true,
}

/** An event that can only be observed. */
export const NO_ABILITIES: Abilities = {
  deny: false,
  ask: false,
  allow: false,
  rewrite: false,
  context: false,
  output: false,
}

export interface HostRequest {
  readonly payload: string
  /** Used if the payload does not say. */
  readonly cwd: string
  readonly event?: string | undefined
}

export interface LastResort {
  readonly effect: 'deny' | 'pass'
  /** Undefined if the payload could not be read far enough. */
  readonly kind: EventKind | undefined
}

/** The largest payload that is checked. A larger one gets the last resort. */
export const PAYLOAD_MAX_BYTES = 32 * 1024 * 1024
