import type { JsonObject } from './json.ts'

/**
 * The acting agent: one agent of one session. A sub-agent starts with no skills and inherits none. If no event has
 * shown the lineage of an agent, it is `unknown`, and rules that deny by role or depth treat unknown as a match.
 */
export interface Actor {
  readonly session: string
  /** Undefined for the main agent. */
  readonly agentId?: string
  readonly agentType?: string
  readonly role: 'main' | 'subagent'
  /** The agent that started this one: its id, `main`, or `unknown`. Undefined for the main agent. */
  readonly parent?: string
  /** Active skills, oldest first. */
  readonly skills: readonly string[]
  /** False when the state could not be read: a hook scoped to a skill then runs. */
  readonly scopeKnown: boolean
}

/** An agent of the session, as known from its events so far, and what hooks remembered about it. */
export interface KnownAgent {
  /** `main`, or the id of a sub-agent. */
  readonly id: string
  readonly type?: string
  readonly parent?: string
  readonly ended: boolean
  readonly memory: JsonObject
}

/** The key of an actor inside its session. */
export function actorKey(agentId: string | undefined): string {
  return agentId ?? MAIN
}

export const MAIN = 'main'
export const UNKNOWN_PARENT = 'unknown'
