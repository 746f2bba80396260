import type { Actor } from './actor.ts'
import type { Decision } from './decision.ts'
import type { Event } from './event.ts'

/** A question that no user at the agent can answer: it waits for a person at a board. */
export interface AskedQuestion {
  readonly event: Event
  readonly actor: Actor
  /** What is asked, and why. */
  readonly decision: Decision
}

/** Who answered, and where. */
export interface AnsweredBy {
  readonly user: string
  readonly terminal: string
  /** `browser` or `terminal`. */
  readonly how: string
}

export type Approval =
  /** `session`: the same call again in the same session is not asked again. */
  | {
      readonly kind: 'approved'
      readonly scope: 'once' | 'session'
      readonly by: AnsweredBy
      readonly waitedMs: number
    }
  /** With the person's own words for the agent, which may be empty. */
  | { readonly kind: 'denied'; readonly reason: string; readonly by: AnsweredBy; readonly waitedMs: number }
  /** There was somebody to ask, and no answer in time. */
  | { readonly kind: 'late'; readonly waitedMs: number }
  /** The board was closed while it was asked. */
  | { readonly kind: 'closed'; readonly waitedMs: number }
  /** There is nobody to ask. */
  | { readonly kind: 'nobody' }

/** Asks a person. Never rejects, and answers before the event's deadline. */
export type AskPerson = (question: AskedQuestion) => Promise<Approval>
