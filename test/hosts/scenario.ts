import type { Conversations } from './agent-setup.ts'
import type { HostId } from './agents.ts'
import type { Check } from './checks.ts'
import type { Policy } from './policy.ts'
import type { RunOptions, Sandbox } from './sandbox.ts'

/** One row of the page: what the scripted model does, Holdpoint's policy, and what must be seen on each host. */
export interface Scenario {
  readonly name: string
  readonly policy: Policy
  readonly script: Conversations
  /** Files of the project before the start. */
  readonly project?: Readonly<Record<string, string>>
  readonly options?: RunOptions
  /** Runs after the installation and before the start. If it returns a function, that is called at the end. */
  arrange?(sandbox: Sandbox): unknown
  /** Complete: a new host does not compile until it has an answer for every scenario. */
  readonly expected: Readonly<Record<HostId, Expected>>
}

/** What must be seen; or why the scenario cannot run on this host, and what applies instead. */
export type Expected = readonly Check[] | { readonly cannot: string }

export interface Chapter {
  readonly title: string
  readonly scenarios: readonly Scenario[]
}
