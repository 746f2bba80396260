import type { Decision, Reply } from '../decision.ts'
import type { Problem, Result } from '../errors.ts'
import type { Event, EventKind } from '../event.ts'

/**
 * An agent program Holdpoint can answer. Decode and encode are pure conversions: no clock, no files, no process.
 * A host states what it *can* do per event; shared code reads that and never asks which host it is talking to.
 */
export interface Host {
  readonly id: string
  readonly title: string
  /** What each kind of event can express. A kind that is missing is not offered by this host. */
  readonly events: Readonly<Partial<Record<EventKind, Abilities>>>
  /** Known to deliver the same event twice (a frontmatter hook beside ours): second deliveries are recognised. */
  readonly deliversTwice: boolean
  /** It may have no moment at which a person reads: what is wrong in the configuration is told at every event. */
  readonly tellsAlways?: boolean
  /** The variable in which this host names the project's root, which stays when the agent changes folder. */
  readonly projectVariable?: string
  /** A dialect that is given the payload of a real agent: the host that must answer it, in words that one reads. */
  answersAs?(payload: string): string | undefined
  /** Bytes to event. Unknown events and fields survive in `raw`; a broken payload is a problem, not an exception. */
  decode(request: HostRequest): Result<Event>
  /** The event's name in a payload that is whole but wrong: its last resort depends on it. */
  eventNamed(payload: string): string | undefined
  /** What a payload that cannot be judged becomes, where this host's own rule says so; undefined: the event's does. */
  lastResort?(problem: Problem): 'deny' | 'pass' | undefined
  /** Decision to reply. The decision was already fitted to `events`; encode must not weaken it. */
  encode(decision: Decision, event: Event): Reply
  /** The reply when no decision could be made: the last resort, in this host's words. */
  refuse(problem: Problem, lastResort: LastResort): Reply
  /** The same reply for a host that asks over HTTP, where there is no exit code. Missing: it cannot. */
  overHttp?(reply: Reply, kind: EventKind | undefined): HttpReply
}

export interface HttpReply {
  readonly status: number
  readonly body: string
}

/** Can this event express the effect, so that the agent truly obeys? */
export interface Abilities {
  readonly deny: boolean
  /** `by-silence`: the host's own question comes unless we decide. */
  readonly ask: boolean | 'by-silence'
  readonly allow: boolean
  /** `with-allow`: only together with a granted allow. */
  readonly rewrite: boolean | 'with-allow'
  readonly context: boolean
  readonly output: boolean
}

/** A call that no host will answer: every effect can be expressed. */
export const ALL_ABILITIES: Abilities = {
  deny: true,
  ask: true,
  allow: true,
  rewrite: true,
  context: true,
  output: true,
}

/** An event that can only be watched. */
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
  /** Used where the payload does not say. */
  readonly cwd: string
  readonly event?: string
}

export interface LastResort {
  readonly effect: 'deny' | 'pass'
  /** Undefined when the payload was too broken to tell. */
  readonly kind: EventKind | undefined
}

/** The largest payload that is judged; a larger one gets the last resort. */
export const PAYLOAD_MAX_BYTES = 32 * 1024 * 1024
