import type { FileChange } from './decision.ts'
import type { Result } from './errors.ts'
import type { Facts } from './facts.ts'
import type { Abilities } from './hosts/host.ts'
import type { Engine, Trace } from './judge.ts'
import type { StateStore } from './state/state.ts'

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
