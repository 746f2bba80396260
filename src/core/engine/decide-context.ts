import type { AskPerson } from '../approval.ts'
import type { FileChange } from '../decision.ts'
import type { Result } from '../errors.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Abilities } from '../host.ts'
import type { StateStore } from '../state/state.ts'
import type { ImpliedCall } from './implied-calls.ts'
import type { Engine, Trace } from './run-hooks.ts'

/** The context in which one event is decided. Everything that reads or changes the machine is passed in here. */
export interface DecideContext {
  readonly engine: Engine
  readonly state: StateStore
  readonly facts: Facts
  readonly can: Abilities
  /** The host may deliver the same event twice. */
  readonly deliversTwice: boolean
  readonly stopBlocksMax: number
  /** The host does not say whether a stop follows a blocked one. */
  readonly stopsUnmarked?: boolean | undefined
  /** Skills that the caller says are active, in addition to those in the state. */
  readonly skills: readonly string[]
  /** Which hook of the host reports the event: of a settings file, of a skill. Two of them may report one call. */
  readonly entry?: string | undefined
  /** The time that all hooks share. Missing: the event's share of the host's timeout. */
  readonly budgetMs?: number | undefined
  /** The project to remember for the rest of the session, for hosts that do not name it at every event. */
  readonly pinProject?: string | undefined
  /** Asks a person who is not at the agent. Missing: a question that reaches nobody is denied at once. */
  readonly askPerson?: AskPerson | undefined
  /** What the host says about a session without a user, if not by its mode: nobody sees its questions. */
  readonly headless?: string | undefined
  now(): number
  newId(): string
  /** A cryptographic hash: an agent must not be able to make two different inputs look the same. */
  hash(text: string): string
  /** Writes the files that findings ask for. Missing in a dry run, which commits nothing. */
  readonly applyFiles?: ((files: readonly FileChange[]) => Result<void>) | undefined
  readonly trace?: Trace | undefined
  /** The calls that follow from an event without an event of their own. If missing, they are not searched. */
  readonly implied?:
    | ((event: Event, facts: Facts) => readonly ImpliedCall[] | Promise<readonly ImpliedCall[]>)
    | undefined
}
