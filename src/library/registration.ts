import type { EventKind } from '../core/event.ts'
import type { WrittenOnFailure } from '../core/failure-presets.ts'
import type { HandlerSpec } from '../core/hook.ts'

/** An external program as a hook: it gets the event on standard input and answers on standard output. */
export interface CommandDefinition {
  /** Missing: every event. */
  readonly on?: EventKind | readonly EventKind[]
  /** Names or globs joined by `|`. Missing: all tools. */
  readonly match?: string
  /** A script, a program, or a shell command line; relative to the runtime's `cwd`. */
  readonly command: string
  readonly args?: readonly string[]
  /** The protocol of the program. Missing: Claude Code's. */
  readonly protocol?: 'claude' | 'mux' | 'massgen'
}

/** Any other handler with its own parameters, as in a compiled plan. */
export interface HandlerDefinition {
  readonly on?: EventKind | readonly EventKind[]
  readonly match?: string
  readonly handler: HandlerSpec
}

export interface RegisterOptions {
  /** The name of the hook in reasons, failures and traces. Unique in its runtime. */
  readonly id?: string
  /** The agents it is for, by id or type: names or globs joined by `|`. Missing: all agents. */
  readonly agent?: string
  /** For these agents and events, hooks for all agents do not run. Packs and required hooks still run. */
  readonly override?: boolean
  /**
   * Missing: 10 seconds. A synchronous function that never returns cannot be stopped; an asynchronous one
   * can.
   */
  readonly timeoutMs?: number
  /** What a failure becomes. Missing: deny if the event can be stopped, otherwise pass with a notice. */
  readonly onFailure?: WrittenOnFailure
  /** Runs before other hooks, one after another: each gets the input as the one before changed it. */
  readonly rewrites?: boolean
  /** For rewriters: after one such hook denies, the others like it are not called. */
  readonly shortCircuit?: boolean
  /** Its `allow` has an effect. */
  readonly grants?: boolean
  /** Overrides do not remove it. */
  readonly required?: boolean
}

export interface OverrideOptions {
  readonly agent: string
  readonly on: EventKind | readonly EventKind[]
}

export interface Registration {
  readonly id: string
  /** False: it was already unregistered. */
  unregister(): boolean
}

/** The registered hooks, as data. */
export interface RegisteredHook {
  readonly id: string
  /** How it runs: `callable`, `command`, another handler, or `override` for one that only removes others. */
  readonly type: string
  readonly on: readonly EventKind[]
  readonly match?: string
  readonly agent?: string
  readonly override: boolean
  readonly rewrites: boolean
  readonly required: boolean
}
