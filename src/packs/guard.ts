import type { Actor, KnownAgent } from '../actor.ts'
import type { CommandDuty } from '../contracts/contract.ts'
import type { Ran } from '../contracts/ran.ts'
import type { Answer, Note } from '../decision.ts'
import type { Event, EventKind } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { FailurePreset } from '../failure-presets.ts'
import type { JsonObject } from '../json.ts'

/**
 * A built-in check: data a person reads, and one pure function. A guard names an act (`git/force-push`) and says
 * whether the event is that act; the level and the mode decide what happens then. It never answers allow.
 */
export interface Guard {
  /** Equals its path: `safety/git/force-push` lives in src/packs/safety/git/force-push.ts. */
  readonly id: string
  readonly title: string
  /** Why the act is stopped, one sentence a person agrees with. */
  readonly why: string
  /** What to do instead; read by the agent. */
  readonly instead: string
  readonly on: readonly EventKind[]
  /** Exact tool names joined by `|`; empty for events without a tool, `*` for every tool. */
  readonly match: string
  /** Judges only an actor for whom this skill is active; missing: everybody. */
  readonly skill?: string
  /** Asks about the session's other agents: they are looked up for such guards alone. */
  readonly knowsAgents?: boolean
  /** Cheap prefilter: when none of these occurs in the shell command or path, `check` is not called. */
  readonly keywords?: readonly string[]
  /**
   * Cheap look beforehand, for guards that most events are nothing to: false when `check` would find nothing. Then no
   * run is made of it at all.
   */
  concerns?(event: Event, facts: Facts): boolean
  /** What each level does with a certain catch; `unsure` catches ask, and deny at `paranoid`. */
  readonly modes: Readonly<Record<Level, Mode>>
  /** What becomes of a call when the guard itself fails; deny when missing. */
  readonly onFailure?: 'deny' | 'pass' | FailurePreset
  /** How long one run may take; five seconds when missing. */
  readonly timeoutMs?: number
  readonly examples: { readonly stops: readonly Example[]; readonly passes: readonly Example[] }
  /**
   * The next command whose outcome `check` needs, given what ran already; undefined: none. The handler runs it, where
   * the pack was switched on by somebody who may run programs here.
   */
  needs?(input: GuardInput): Promise<CommandDuty | undefined>
  check(input: GuardInput): Caught | Answer | null | Promise<Caught | Answer | null>
}

export type Level = 'standard' | 'strict' | 'paranoid'
export type Mode = 'deny' | 'ask' | 'warn' | 'off'
export const LEVELS: readonly Level[] = ['standard', 'strict', 'paranoid']
/** Weakest first: the strictest of all layers wins. */
export const MODES: readonly Mode[] = ['off', 'warn', 'ask', 'deny']

export interface GuardInput {
  readonly event: Event
  readonly actor: Actor
  readonly facts: Facts
  /** The pack's options from the configuration. */
  readonly options: JsonObject
  readonly memory: JsonObject | undefined
  /** All agents of the session, in the order they were met. Undefined: the state could not be read. */
  readonly agents?: readonly KnownAgent[] | undefined
  /** What became of the commands the guard needed, by their text. */
  readonly ran?: ReadonlyMap<string, Ran>
}

/** The event is (or may be) the guarded act. */
export interface Caught {
  /** What would happen, as the end of a sentence: "deletes / and everything below it". */
  readonly caught: string
  /** The exact part of the input that does it. */
  readonly fragment?: string
  /** Set when it could not be judged for certain: what is unknown. */
  readonly unsure?: string
  readonly notes?: readonly Note[]
  readonly detail?: JsonObject
}

/** A case in the guard's own table: a shell command, a call of a tool, or another event with what is on disk then. */
export type Example = string | ToolExample | EventExample

export interface ToolExample {
  readonly tool: string
  readonly input: JsonObject
}

export interface EventExample {
  readonly kind: EventKind
  readonly fields: JsonObject
  readonly files?: Readonly<Record<string, string>>
  readonly options?: JsonObject
  /** What earlier events of the session made hooks remember. */
  readonly memory?: JsonObject
  readonly agents?: readonly KnownAgent[]
  readonly ran?: readonly (readonly [command: string, Ran])[]
}

export interface Pack {
  readonly id: string
  readonly title: string
  /** Options that name programs: from a file nobody vouched for they do not count. */
  readonly programs?: readonly string[]
  /** What of its options it does not know or cannot use, a sentence each. */
  readonly complaints?: (options: JsonObject) => readonly string[]
  readonly guards: readonly Guard[]
}

export function isCaught(outcome: Caught | Answer): outcome is Caught {
  return 'caught' in outcome
}
