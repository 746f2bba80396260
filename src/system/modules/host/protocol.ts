import type { FailureKind } from '../../../core/hook.ts'
import type { Json, JsonObject } from '../../../core/json.ts'

/**
 * The messages between Holdpoint and a process of modules, on two separate pipes, because a module may print. A third
 * pipe has no data; it closes when Holdpoint ends. Replies are one JSON object on each line. A batch is several lines:
 * its head, then the texts that its calls refer to, then an empty line.
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

/** Which function of which file. */
export interface ModulePart {
  readonly file: string
  /** Node's own loader, or the one that understands TypeScript and provides `holdpoint`. */
  readonly loader: 'native' | 'typescript'
  /** The entries of Holdpoint that its code imports. */
  readonly own: readonly string[]
  /** The name of the export, or several names joined by `|`, of which the first existing one counts. */
  readonly export?: string | undefined
  /** The module is a pack: what it says about itself, or one of its guards. */
  readonly pack?:
    | { readonly kind: 'describe' }
    | { readonly kind: 'check'; readonly guard: string }
    | undefined
}

/** One call: a function, and what it is asked. */
export interface ModuleRequest {
  readonly part: ModulePart
  /** The arguments of the function, if they are not the event and the context. */
  readonly args?: Arguments | undefined
  readonly event: JsonObject
  /** The part of the context that is the same object for many calls. */
  readonly shared: JsonObject
  /** The part of the context that is its own. */
  readonly own: JsonObject
}

type Arguments = readonly [Json, Json, Json]

/**
 * A call in a batch: the number of its part, the lines of its event and of the shared part of its context, then what is
 * its own. What several calls share is sent once, and each call gets its own copy.
 */
export type BatchedCall = readonly [
  part: number,
  event: number,
  shared: number,
  own: JsonObject,
  args?: Arguments,
]

/** The calls of one event that share a process. They run side by side. */
export interface Batch {
  /** New for every batch: an answer without it does not belong to this batch. */
  readonly id: number
  /** One function has the process for itself, so it may change built-in objects. */
  readonly isAlone: boolean
  /** Parts that this process has not been asked for before; their numbers follow those of the earlier ones. */
  readonly parts: readonly ModulePart[]
  readonly calls: readonly BatchedCall[]
}

export type ModuleReply = { readonly id: number } /** Answers to calls that follow each other. */ & (
  | { readonly kind: 'answers'; readonly from: number; readonly answers: readonly Json[] }
  | {
      readonly kind: 'failure'
      readonly call: number
      readonly failure: FailureKind
      readonly message: string
    }
  /** It changed built-in objects when it was loaded, and nothing has run since then. */
  | { readonly kind: 'changed'; readonly call: number }
  /** The process ends while the code of this call runs. */
  | { readonly kind: 'ending'; readonly call: number }
  /** Nothing else can run, because of this call; -1: because of one of those that have not answered. */
  | { readonly kind: 'held'; readonly call: number }
  /** Everything is loaded; the functions are called now. */
  | { readonly kind: 'loaded' }
  /** After the last answer: ready for the next batch. */
  | { readonly kind: 'quiet' }
  /** Timers, sockets or programs were left running: the process is not used again. May also follow `quiet`. */
  | { readonly kind: 'restless' }
)
