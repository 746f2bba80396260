import { HookType } from '../../core/formats/massgen-hook-type.ts'
import type { MassGenResult } from '../../core/formats/massgen-result.ts'
import type { JsonObject } from '../../core/json.ts'
import {
  FunctionHook,
  type FunctionHookOptions,
  type LegacyCallable,
  type LegacyContext,
  type Returned,
} from './function-hook.ts'
import { GeneralHookManager, type ManagerOptions } from './general-hook-manager.ts'

/** One registration, in a form that the newer manager can take over. */
export interface LegacyRegistration {
  readonly type: HookType
  readonly hook: FunctionHook
  readonly options: FunctionHookOptions
}

/**
 * The older manager: hooks of one tool or of all, with the older signature. Its hooks give permissions, so a
 * hook that fails denies unless it sets `fail_closed: false`.
 */
export class FunctionHookManager {
  readonly #inner: GeneralHookManager
  #registrations: readonly LegacyRegistration[] = []

  constructor(options: ManagerOptions = {}) {
    this.#inner = new GeneralHookManager(options)
  }

  registerHook(functionName: string, type: HookType, hook: FunctionHook | LegacyCallable): void {
    this.#add(type, hook, { matcher: functionName })
  }

  registerGlobalHook(type: HookType, hook: FunctionHook | LegacyCallable): void {
    this.#add(type, hook, {})
  }

  /** By hook type; hooks for all tools keep their position in the order of registration. */
  getHooksForFunction(functionName: string): Readonly<Record<HookType, readonly FunctionHook[]>> {
    const at = (type: HookType) =>
      this.#registrations
        .filter((each) => each.type === type && isFor(each, functionName))
        .map(({ hook }) => hook)
    return {
      [HookType.PRE_CALL]: at(HookType.PRE_CALL),
      [HookType.POST_CALL]: at(HookType.POST_CALL),
      [HookType.PRE_TOOL_USE]: at(HookType.PRE_TOOL_USE),
      [HookType.POST_TOOL_USE]: at(HookType.POST_TOOL_USE),
    }
  }

  registrations(): readonly LegacyRegistration[] {
    return this.#registrations
  }

  clearHooks(): void {
    this.#registrations = []
    this.#inner.clearHooks()
  }

  executeHooks(
    type: HookType,
    functionName: string,
    argumentsJson: string | JsonObject,
    context: Partial<LegacyContext> = {},
  ): Promise<MassGenResult> {
    return this.#inner.executeHooks(type, {
      ...context,
      tool_name: functionName,
      tool_input: argumentsJson,
    })
  }

  #add(type: HookType, hook: FunctionHook | LegacyCallable, options: FunctionHookOptions): void {
    const object = typeof hook === 'function' ? new CallableHook(hook) : hook
    const closed = hook instanceof FunctionHook ? (hook.fail_closed ?? true) : true
    const all = { ...options, fail_closed: closed }
    this.#inner.registerGlobalHook(type, object, all)
    this.#registrations = [...this.#registrations, { type, hook: object, options: all }]
  }
}

function isFor({ options }: LegacyRegistration, functionName: string): boolean {
  return options.matcher === undefined || options.matcher === functionName
}

class CallableHook extends FunctionHook {
  readonly #callable: LegacyCallable

  constructor(callable: LegacyCallable) {
    super({ name: callable.name || 'hook' })
    this.#callable = callable
  }

  execute(functionName: string, argumentsJson: string, context: LegacyContext): Returned | Promise<Returned> {
    return this.#callable(functionName, argumentsJson, context)
  }
}
