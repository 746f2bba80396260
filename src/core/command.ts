/** Commands that a guard or a contract needs, and their outcomes. Types only: the handler runs them. */

export type CommandRequirement = {
  /** A shell command line, run in the project. */
  readonly run: string
  readonly timeoutMs: number
}

/** The outcome of a command that must succeed. */
export type CommandOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly how: string; readonly said: string }
  /** Stopped at its own limit, or because the time for the event is used up. */
  | {
      readonly kind: 'late'
      readonly whose: 'own' | 'event'
      readonly afterMs: number
      readonly said: string
    }
  /** No time was left to start it. */
  | { readonly kind: 'not run' }
  /** `why`: what keeps this command from being trusted, although the file is trusted. */
  | { readonly kind: 'untrusted'; readonly why?: string }
