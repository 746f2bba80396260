import type { EventKind } from '../event.ts'
import type { WrittenOnFailure } from '../failure-presets.ts'
import type { Run } from '../hook.ts'

/** An external program beside the functions: the event on its standard input, its answer from standard output. */
export interface CommandDefinition {
  /** Missing: every event. */
  readonly on?: EventKind | readonly EventKind[]
  /** Names or globs joined by `|`. Missing: all. */
  readonly match?: string
  /** A script, a program, or a shell command line; relative to the runtime's `cwd`. */
  readonly command: string
  readonly args?: readonly string[]
  /** The words the program is spoken to in. Missing: Claude Code's. */
  readonly protocol?: 'claude' | 'mux' | 'massgen'
}

/** Any other handler with its own parameters, as a compiled plan holds it. */
export interface HandlerDefinition {
  readonly on?: EventKind | readonly EventKind[]
  readonly match?: string
  readonly handler: Run
}

export interface RegisterOptions {
  /** Names the hook in reasons, failures and traces. Unique in its runtime. */
  readonly id?: string
  /** The agent it is for, by id or type: names or globs joined by `|`. Missing: all agents. */
  readonly agent?: string
  /** For these agents and events, hooks that are for all agents do not run. Packs and required hooks stay. */
  readonly override?: boolean
  /** Missing: 10 seconds. A function that never returns cannot be stopped by anybody; one that awaits can. */
  readonly timeoutMs?: number
  /** What a failure becomes. Missing: deny where an act is about to happen, elsewhere pass with a notice. */
  readonly onFailure?: WrittenOnFailure
  /** Runs before all others, one after another: each sees what the one before made of the input. */
  readonly rewrites?: boolean
  /** Of rewriters: after a deny of one such hook the others like it are not asked any more. */
  readonly shortCircuit?: boolean
  /** Its `allow` counts. */
  readonly grants?: boolean
  /** No override takes it away. */
  readonly required?: boolean
}

export interface OverrideOptions {
  readonly agent: string
  readonly on: EventKind | readonly EventKind[]
}

export interface Registration {
  readonly id: string
  /** False: it was unregistered before. */
  unregister(): boolean
}

/** What is registered, as data. */
export interface RegisteredHook {
  readonly id: string
  /** How it runs: `callable`, `command`, another handler, or `override` for one that only takes others away. */
  readonly type: string
  readonly on: readonly EventKind[]
  readonly match?: string
  readonly agent?: string
  readonly override: boolean
  readonly rewrites: boolean
  readonly required: boolean
}
