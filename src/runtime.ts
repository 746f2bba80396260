import type { HookDefinition } from './define-hook.ts'
import { HoldpointError } from './errors.ts'
import type { EventKind } from './event.ts'
import type { HookEvent } from './runtime/hook-event.ts'
import type { HookResult } from './runtime/hook-result.ts'
import { failedLoad, judge, settingOf } from './runtime/judge.ts'
import { loadBase } from './runtime/load.ts'
import { checkedOptions, type RuntimeOptions } from './runtime/options.ts'
import { engineMaker } from './runtime/registered-engine.ts'
import type {
  CommandDefinition,
  HandlerDefinition,
  OverrideOptions,
  RegisteredHook,
  RegisterOptions,
  Registration,
} from './runtime/registration.ts'
import { duplicate, type Registered, readOverride, readRegistration } from './runtime/registry.ts'
import { type HookRun, tracer } from './runtime/trace.ts'

/** The engine in the program's own process. Any number of them live side by side; they share nothing but a store. */
export interface Runtime {
  /** Throws a coded error when the hook or its options are wrong. */
  register<const Kind extends EventKind, const Tool extends string>(
    hook: HookDefinition<Kind, Tool> | CommandDefinition | HandlerDefinition,
    options?: RegisterOptions,
  ): Registration
  /** False: there is none of this id. */
  unregister(id: string): boolean
  /** At these events, these agents get no hooks that are for all agents, also where they have none of their own. */
  override(options: OverrideOptions): Registration
  /** What is registered, in order. */
  hooks(): readonly RegisteredHook[]
  /** Never throws. A promise only where a hook returned one, or while packs and files are still being loaded. */
  evaluate(event: HookEvent): HookResult | Promise<HookResult>
  /** Packs and files are loaded; from here on evaluate waits for hooks alone. Rejects when they cannot be. */
  ready(): Promise<void>
  /** Told of every run of a hook; the returned function ends it. */
  trace(listener: (run: HookRun) => void): () => void
}

export function createRuntime(options: RuntimeOptions = {}): Runtime {
  const setting = settingOf(checkedOptions(options))
  let registered: readonly Registered[] = []
  let count = 0
  const listeners = new Set<(run: HookRun) => void>()
  let base = loadBase({ packs: options.packs ?? [], config: options.config ?? [], ...setting })
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
  const add = (made: Registered): Registration => {
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
    register: (hook, given = {}) => add(readRegistration(hook, given, nextId('hook'), setting)),
    override: (given) => add(readOverride(given, nextId('override'))),
    unregister,
    hooks: () => registered.map(({ about }) => about),
    // What is registered while this event is judged counts for the next one.
    evaluate: (event) => judge(event, { setting, base, registered, trace: tracer(listeners), engineNow }),
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
