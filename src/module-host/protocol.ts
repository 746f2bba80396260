import type { FailureKind } from '../hook.ts'
import type { Json, JsonObject } from '../json.ts'

/**
 * What Holdpoint and the process a module runs in tell each other: one JSON object a line, on two pipes of their own,
 * because a module may print. A third pipe carries nothing; it ends when Holdpoint does.
 */
export const REQUESTS_FD = 3
export const REPLIES_FD = 4
export const LIFE_FD = 5

/** More than any answer needs. */
export const ANSWER_MAX_BYTES = 1024 * 1024
/** The engine's own limit on the heap; Buffers do not count there. */
export const HEAP_MAX_MEGABYTES = 256
/** What the whole process may occupy. */
export const RESIDENT_MAX_BYTES = 512 * 1024 * 1024

export interface ModuleRequest {
  /** Fresh for every call: an answer without it is not an answer to this call. */
  readonly id: string
  readonly file: string
  /** Node's own loader, or the one that understands TypeScript and provides `holdpoint`. */
  readonly loader: 'native' | 'typescript'
  /** The name of the export, or several of which the first that is there counts, joined by `|`. */
  readonly export?: string
  /** What the function is called with, in place of the event and the context. */
  readonly args?: readonly [Json, Json, Json]
  readonly event: JsonObject
  readonly context: JsonObject
}

export type ModuleReply =
  /** The module is loaded; its function is called now. */
  | { readonly id: string; readonly is: 'loaded' }
  | { readonly id: string; readonly is: 'answer'; readonly answer: Json }
  | { readonly id: string; readonly is: 'failure'; readonly failure: FailureKind; readonly message: string }
  /** The event loop turns again after the answer: ready for the next call. */
  | { readonly id: string; readonly is: 'quiet' }
  /** The module left timers, sockets or programs behind: a process for nobody else. */
  | { readonly id: string; readonly is: 'restless' }
