import type { FailureKind } from '../../../core/hook.ts'
import type { Json, JsonObject } from '../../../core/json.ts'

/**
 * The messages between Holdpoint and the process of a module: one JSON object on each line, on two separate pipes, because
 * a module may print. A third pipe has no data; it closes when Holdpoint ends.
 */
export const REQUESTS_FD = 3
export const REPLIES_FD = 4
export const LIFE_FD = 5

/** More than any answer needs. */
export const ANSWER_MAX_BYTES = 1024 * 1024
/** The engine's own limit on the heap; Buffers do not count there. */
export const HEAP_MAX_MEGABYTES = 256
/** The memory limit of the process. */
export const RESIDENT_MAX_BYTES = 512 * 1024 * 1024

export interface ModuleRequest {
  /** New for every call: an answer without it does not belong to this call. */
  readonly id: string
  readonly file: string
  /** Node's own loader, or the one that understands TypeScript and provides `holdpoint`. */
  readonly loader: 'native' | 'typescript'
  /** The entries of Holdpoint that its code imports. */
  readonly own: readonly string[]
  /** The name of the export, or several names joined by `|`, of which the first existing one counts. */
  readonly export?: string
  /** The arguments of the function, if they are not the event and the context. */
  readonly args?: readonly [Json, Json, Json]
  /** The module is a pack: what it says about itself, or one of its guards. */
  readonly pack?: { readonly kind: 'describe' } | { readonly kind: 'check'; readonly guard: string }
  readonly event: JsonObject
  readonly context: JsonObject
}

export type ModuleReply =
  /** The module is loaded; its function is called now. */
  | { readonly id: string; readonly kind: 'loaded' }
  | { readonly id: string; readonly kind: 'answer'; readonly answer: Json }
  | { readonly id: string; readonly kind: 'failure'; readonly failure: FailureKind; readonly message: string }
  /** The event loop is running again after the answer: ready for the next call. */
  | { readonly id: string; readonly kind: 'quiet' }
  /** The module left timers, sockets or programs running: the process is not used again. */
  | { readonly id: string; readonly kind: 'restless' }
