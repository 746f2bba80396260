import type { ExactHook, HookReturn } from '../core/define-hook.ts'
import { HoldpointError } from '../core/errors.ts'
import type { EventKind } from '../core/event.ts'
import { evaluateEvent, failedLoad, notInTime, runtimeSettings } from './evaluate-event.ts'
import type { HookEvent } from './hook-event.ts'
import type { HookResult } from './hook-result.ts'
import { loadBase } from './load.ts'
import { checkedOptions, type RuntimeOptions } from './options.ts'
import { engineMaker } from './registered-engine.ts'
import type {
  CommandDefinition,
  HandlerDefinition,
  OverrideOptions,
  RegisteredHook,
  RegisterOptions,
  Registration,
} from './registration.ts'
import { duplicate, type RegistryEntry, readOverride, readRegistration } from './registry.ts'
import { type HookRun, tracer } from './trace.ts'

/** The engine in the program's own process. Several runtimes can exist at once; they share only a store. */
export interface Runtime {
  /** Throws an error with a code if the hook or its options are wrong. */
  register<
    const Kind extends EventKind,
    const Tool extends string,
    const Answered extends HookReturn | Promise<HookReturn> = HookReturn,
  >(
    hook: ExactHook<Kind, Tool, Answered> | CommandDefinition | HandlerDefinition,
    options?: RegisterOptions,
  ): Registration
  /** False: there is no hook with this id. */
  unregister(id: string): boolean
  /**
   * At these events, these agents get no hooks that are for all agents, even if they have none of their own.
   */
  override(options: OverrideOptions): Registration
  /** The registered hooks, in order. */
  hooks(): readonly RegisteredHook[]
  /** Never throws. A promise only if a hook returned one, or while packs and files are still being loaded. */
  evaluate(event: HookEvent): HookResult | Promise<HookResult>
  /**
   * The same for a program that cannot wait. If a hook returns a promise, or packs and files are still being loaded
   * (`ready`), nothing is decided in time: the result is that of an event that could not be decided, before a call a
   * deny.
   *
   * @example
   * await runtime.ready()
   * const { effect } = runtime.evaluateSync({ kind: 'UserPromptSubmit', prompt: 'Deploy it.' })
   */
  evaluateSync(event: HookEvent): HookResult
  /**
   * Resolves when packs and files are loaded; from then on, evaluate waits only for hooks. Rejects if they
   * cannot be loaded.
   */
  ready(): Promise<void>
  /** Called for every run of a hook; the returned function removes the listener. */
  trace(listener: (run: HookRun) => void): () => void
}

export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const settings = runtimeSettings(checkedOptions(options))
  let registered: readonly RegistryEntry[] = []
  let count = 0
  const listeners = new Set<(run: HookRun) => void>()
  let base = loadBase({ packs: options.packs ?? [], config: options.config ?? [], ...settings })
  if (base instanceof Promise) {
    base = base.catch(failedLoad)
    void base.then((loaded) => (base = loaded))
  }

  const unregister = (id: string) => {
    const kept = registered.filter(({ about }) => about.id !== id)
    const isThere = kept.length < registered.length
    registered = kept
    return isThere
  }
  const add = (made: RegistryEntry): Registration => {
    const { id } = made.about
    if (registered.some(({ about }) => about.id === id)) throw duplicate(id)
    registered = [...registered, made]
    return { id, unregister: () => registered.includes(made) && unregister(id) }
  }
  const nextId = (word: string): string => {
    count += 1
    const id = `${word}-${count}`
    return registered.some(({ about }) => about.id === id) ? nextId(word) : id
  }
  const engineNow = engineMaker()

  return {
    register: (hook, given = {}) => add(readRegistration(hook, given, nextId('hook'), settings)),
    override: (given) => add(readOverride(given, nextId('override'))),
    unregister,
    hooks: () => registered.map(({ about }) => about),
    // Hooks registered while this event is evaluated take effect at the next one.
    evaluate: (event) =>
      evaluateEvent(event, { settings, base, registered, trace: tracer(listeners), engineNow }),
    evaluateSync: (event) => {
      const result = evaluateEvent(event, { settings, base, registered, trace: tracer(listeners), engineNow })
      return result instanceof Promise ? notInTime(event) : result
    },
    ready: async () => {
      const loaded = await base
      if (!loaded.ok) throw new HoldpointError(loaded.problem)
    },
    trace: (listener) => {
      const own = (run: HookRun) => listener(run)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}
