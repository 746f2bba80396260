import type { MassGenEvent } from '../../core/formats/massgen-event.ts'
import type { GivenResult } from '../../core/formats/massgen-result.ts'

/** What a hook may return: nothing, true or false, or a result with any of its fields. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that has nothing to say need not return anything.
export type Returned = GivenResult | boolean | null | undefined | void

/** A hook as a plain function of the event. */
export type HookCallable = (event: MassGenEvent) => Returned | Promise<Returned>

/** A hook with the older signature: the name of the tool, its arguments as JSON text, and the context. */
export type LegacyCallable = (
  functionName: string,
  argumentsJson: string,
  context: LegacyContext,
) => Returned | Promise<Returned>

/** What hooks with the older signature get in addition to the call. */
export interface LegacyContext extends MassGenEvent {
  readonly [key: string]: unknown
}

export interface FunctionHookOptions {
  /** Shown in reasons and errors. */
  readonly name?: string
  /** Names or globs of tools, joined by `|`. */
  readonly matcher?: string
  /** Seconds. */
  readonly timeout?: number
  /** True: a timeout or an error of the hook denies. A hook that cannot be imported always denies. */
  readonly fail_closed?: boolean
}

/** The base class of hooks that are objects, with the older signature: permission hooks work unchanged. */
export abstract class FunctionHook {
  readonly name: string
  readonly matcher: string
  /** Seconds. */
  readonly timeout: number
  /** Undefined: the default of the manager it is registered with. */
  readonly fail_closed: boolean | undefined

  constructor(options: FunctionHookOptions = {}) {
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

/** Built-in hooks are short, and an agent waits for them. */
export const BUILT_IN_TIMEOUT_SECONDS = 5
