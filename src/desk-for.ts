import type { Desk } from './desk.ts'
import type { Facts } from './facts.ts'
import type { Abilities } from './hosts/host.ts'
import type { LoadedPlan } from './load-plan.ts'
import type { StateStore } from './state/state.ts'

/** What every call has around it: its plan, the state of its session, a clock. */
export interface Around {
  readonly state: StateStore
  /** A monotonic clock in milliseconds. (The global `performance` costs a short-lived process 3 ms to load.) */
  now(): number
}

export function deskFor(
  loaded: LoadedPlan,
  { state, now }: Around,
  facts: Facts,
  can: Abilities,
  skills: readonly string[],
): Desk {
  const { stopBlocksMax } = loaded.plan.settings
  return {
    engine: loaded.engine,
    state,
    facts,
    can,
    skills,
    stopBlocksMax,
    deliversTwice: false,
    now,
    newId,
    hash,
  }
}

let crypto: typeof import('node:crypto') | undefined

/** Loaded when first needed, and sync from then on. */
function hash(text: string): string | Promise<string> {
  if (crypto === undefined) return load().then(() => hash(text))
  return crypto.createHash('sha256').update(text).digest('hex')
}

async function load(): Promise<void> {
  crypto = await import('node:crypto')
}

/** Sorts by time, then by chance. Unique, not secret: loading a cryptographic source would cost every event. */
export function newId(): string {
  const chance = () => Math.random().toString(36).slice(2, 8).padEnd(6, '0')
  return `${Date.now().toString(36)}-${chance()}${chance()}`
}
