import type { Actor, KnownAgent } from './actor.ts'
import type { CommandOutcome, CommandRequirement } from './command.ts'
import type { Answer, Note } from './decision.ts'
import type { Event, EventKind } from './event.ts'
import type { Facts } from './facts.ts'
import type { FailurePreset } from './failure-presets.ts'
import type { JsonObject } from './json.ts'
import type { PackOptions } from './pack-options.ts'

/**
 * A built-in check: data for users to read, and one pure function. A guard names an act (`git/force-push`) and says
 * whether the event is that act. The level and the mode decide what happens then. It never answers
 * allow, unless `grants` is set.
 */
export interface Guard {
  /** The same as its path: `safety/git/force-push` is in src/policy/packs/safety/git/force-push.ts. */
  readonly id: string
  readonly title: string
  /** Why the act is blocked, in one sentence. */
  readonly why: string
  /** What to do instead; read by the agent. */
  readonly instead: string
  readonly on: readonly EventKind[]
  /** Exact tool names joined by `|`; empty for events without a tool, `*` for every tool. */
  readonly match: string
  /** Only for actors that have this skill active. Missing: for all actors. */
  readonly skill?: string
  /** Needs the other agents of the session. They are only looked up for such guards. */
  readonly knowsAgents?: boolean
  /**
   * Reads what differs between two deliveries of one call: its ids, or the host's own payload. Its answers are not used
   * again for the same call.
   */
  readonly readsDelivery?: true
  /** May answer `allow`, if every file that enables its pack is trusted. */
  readonly grants?: boolean
  /**
   * Cheap check for guards that do not apply to most events: false if `check` would find nothing. Then the guard is not
   * run at all.
   */
  concerns?(event: Event, facts: Facts): boolean
  /**
   * What an event must be about, one of these at least, so that the guard is found without being asked. Missing: it may
   * apply to any event.
   */
  readonly topics?: readonly Topics[]
  /** The mode of each level for a certain match. `unsure` matches ask, and deny at `paranoid`. */
  readonly modes: Readonly<Record<Level, Mode>>
  /** What it stops can be undone: with the option `undoable: ask`, the user is asked if the host can ask. */
  readonly undoable?: true
  /** The effect when the guard itself fails. Missing: deny. */
  readonly onFailure?: 'deny' | 'pass' | FailurePreset
  /** Time limit of one run. Missing: five seconds. */
  readonly timeoutMs?: number
  readonly examples: { readonly stops: readonly Example[]; readonly passes: readonly Example[] }
  /** The options of its pack that it reads, so that they have types in `check`. */
  readonly options?: PackOptions
  /**
   * The next command whose outcome `check` needs, given the commands that already ran. Undefined: none. The handler runs
   * it, if the pack was enabled by a layer that may run programs.
   */
  needs?(input: GuardInput): Promise<CommandRequirement | undefined>
  check(input: GuardInput): GuardMatch | Answer | null | Promise<GuardMatch | Answer | null>
}

/** Words for what an event is about, and those that a guard looks for. */
export interface Topics {
  of(event: Event, facts: Facts): ReadonlySet<string>
  readonly any: readonly string[]
}

export type Level = 'standard' | 'strict' | 'paranoid'
export type Mode = 'deny' | 'ask' | 'warn' | 'off'
export const LEVELS: readonly Level[] = ['standard', 'strict', 'paranoid']
/** From weakest to strictest: the strictest of all layers wins. */
export const MODES: readonly Mode[] = ['off', 'warn', 'ask', 'deny']

export interface GuardInput {
  readonly event: Event
  readonly actor: Actor
  readonly facts: Facts
  /** The pack's options from the configuration. */
  readonly options: JsonObject
  readonly memory: JsonObject | undefined
  /** All agents of the session, in order of their first event. Undefined: the state could not be read. */
  readonly agents?: readonly KnownAgent[] | undefined
  /** The outcomes of the commands that the guard needed, by command text. */
  readonly ran?: ReadonlyMap<string, CommandOutcome>
}

/** The event is (or may be) the guarded act. */
export interface GuardMatch {
  /** What would happen, as the end of a sentence: "deletes / and everything below it". */
  readonly caught: string
  /** The part of the input that causes it. */
  readonly fragment?: string
  /** Set if the guard could not decide for certain: what is unknown. */
  readonly unsure?: string
  readonly notes?: readonly Note[]
  readonly detail?: JsonObject
}

/** A test case of a guard: a shell command, a tool call, or another event, with the files on disk. */
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
  /** What hooks remembered at earlier events of the session. */
  readonly memory?: JsonObject
  readonly agents?: readonly KnownAgent[]
  readonly ran?: readonly (readonly [command: string, CommandOutcome])[]
}

/** The same symbol in every copy of Holdpoint: a pack that another copy made is recognised. */
export const MADE_BY: unique symbol = Symbol.for('holdpoint/made-by')

export interface Pack {
  readonly id: string
  readonly title: string
  /** Options that name programs. They are ignored in files that are not trusted. */
  readonly programs?: readonly string[]
  /** The pack's own options. They are checked when the plan is made, and `check` gets them with their defaults. */
  readonly options?: PackOptions
  /** The versions of Holdpoint that the pack works with, such as `>=0.2.0`. */
  readonly holdpoint?: string
  /** Set by `definePack`: the version of Holdpoint that made it. */
  readonly [MADE_BY]?: string
  /**
   * A wrong option is reported and counts as missing, because the defaults are the strictest. Otherwise calls are denied
   * until it is corrected.
   */
  readonly wrongOptions?: 'use defaults'
  readonly guards: readonly Guard[]
}

export function isGuardMatch(outcome: GuardMatch | Answer): outcome is GuardMatch {
  return 'caught' in outcome
}
