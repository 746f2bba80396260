import type { HostId } from './agents.ts'
import type { Check } from './checks.ts'
import type { Policy } from './policy.ts'
import type { Conversations } from './station.ts'
import type { RunOptions, World } from './world.ts'

/** One row of the page: what the scripted model does, what Holdpoint is told to hold, what must be seen on each host. */
export interface Scenario {
  readonly name: string
  readonly policy: Policy
  readonly script: Conversations
  /** Files of the project before the start. */
  readonly project?: Readonly<Record<string, string>>
  readonly options?: RunOptions
  /** Runs after the installation and before the start. A function it returns is called at the end. */
  arrange?(world: World): unknown
  /** Total: a new host does not compile until it has answered every scenario. */
  readonly expected: Readonly<Record<HostId, Expected>>
}

/** What must be seen; or why there is nothing to run on this host, and what holds instead. */
export type Expected = readonly Check[] | { readonly cannot: string }

export interface Chapter {
  readonly title: string
  readonly scenarios: readonly Scenario[]
}
