import type { HookEvent } from './event-fields.ts'
import type { GivenResult } from './result-fields.ts'

/** Whatever a hook may return: nothing, yes or no, or a result with any of its fields. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that has nothing to say need not return anything.
export type Returned = GivenResult | boolean | null | undefined | void

/** A hook as a plain function of the event. */
export type HookCallable = (event: HookEvent) => Returned | Promise<Returned>

/** A hook as it was before there were events: the name of the tool, its arguments as JSON text, and the rest. */
export type LegacyCallable = (
  functionName: string,
  argumentsJson: string,
  context: LegacyContext,
) => Returned | Promise<Returned>

/** What hooks with the older signature know beside the call. */
export interface LegacyContext extends HookEvent {
  readonly [key: string]: unknown
}

export interface HookOptions {
  /** Shown in reasons and errors. */
  readonly name?: string
  /** Names or globs of tools, joined by `|`. */
  readonly matcher?: string
  /** Seconds. */
  readonly timeout?: number
  /** True: a timeout or an error of the hook denies. What cannot be imported denies anyway. */
  readonly fail_closed?: boolean
}

/** The base of hooks that are objects, with the older signature: permission hooks keep working as they are. */
export abstract class FunctionHook {
  readonly name: string
  readonly matcher: string
  /** Seconds. */
  readonly timeout: number
  /** Undefined: as the manager it is registered with has it. */
  readonly fail_closed: boolean | undefined

  constructor(options: HookOptions = {}) {
    this.name = options.name ?? this.constructor.name
    this.matcher = options.matcher ?? '*'
    this.timeout = options.timeout ?? TIMEOUT_SECONDS
    this.fail_closed = options.fail_closed
  }

  abstract execute(
    functionName: string,
    argumentsJson: string,
    context: LegacyContext,
  ): Returned | Promise<Returned>
}

export const TIMEOUT_SECONDS = 30

/** Hooks of our own do little, and an agent waits for them. */
export const BUILT_IN_TIMEOUT_SECONDS = 5
