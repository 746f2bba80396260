import { bad, HoldpointError, type Problem } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { thrownText } from '../run.ts'
import { type InjectionCallback, MidStreamInjectionHook } from './built-ins/mid-stream-injection.ts'
import { type ConfigPlace, type Configured, placeOf, readConfigFile, readConfigText } from './config.ts'
import type { HookEvent } from './event-fields.ts'
import type { FunctionHook, HookCallable, HookOptions } from './function-hook.ts'
import type { FunctionHookManager } from './function-hook-manager.ts'
import { HookType } from './hook-type.ts'
import { invalidHook, mustBeFunction } from './invalid-hook.ts'
import { createJudge, type Judge, refused } from './judge.ts'
import { checkOptions, isFor, type Override, overrideOf, type Registered, registered } from './registry.ts'
import type { HookResult } from './result-fields.ts'

export interface ManagerOptions {
  /** Where relative paths of configured handlers start, and what hooks see as the working folder. */
  readonly cwd?: string
  /** What programs may see of it is an allowlist. Missing: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Functions of this program that stand for handlers of a configuration, by the name it uses. */
  readonly handlers?: Readonly<Record<string, HookCallable>>
  /** Told of what is deprecated, once each. Missing: Node's own warnings. */
  onWarning?(text: string): void
}

export interface AgentHookOptions extends HookOptions {
  /** At this event the agent gets no hooks that are for all agents, also where its own list is empty. */
  readonly override?: boolean
}

/** The hooks an override came with. None: it stays until the agent's hooks are cleared. */
type OwnOverride = Override & { readonly of: readonly string[] }

type OneOrMany<T> = T | readonly T[]
type Hook = FunctionHook | HookCallable

/** An event as callers have it: `tool_input` may be the arguments as the model wrote them. */
export type GivenEvent = Partial<Omit<HookEvent, 'tool_input'>> & {
  readonly tool_name: string
  readonly tool_input: JsonObject | string
}

/**
 * Hooks for all agents and for one, from code and from MassGen's configuration, run in the order they were registered:
 * those for all first, each on what the one before made of the input, until one denies.
 */
export class GeneralHookManager {
  readonly #options: ManagerOptions
  readonly #judge: Judge
  #hooks: readonly Registered[] = []
  #overrides: readonly OwnOverride[] = []
  readonly #configs = new Map<string, Configured & { readonly since: number }>()
  /** A configuration that cannot be read: what it would have stopped is not known, so nothing goes on. */
  readonly #broken = new Map<string, Problem>()
  #loading: Promise<unknown> = Promise.resolve()
  #count = 0
  #injection: string | undefined
  #isWarned = false

  constructor(options: ManagerOptions = {}) {
    for (const [name, handler] of Object.entries(options.handlers ?? {})) mustBeFunction(name, handler)
    this.#options = options
    this.#judge = createJudge(options)
  }

  /** For every agent. Returns the id to unregister it by. Throws when the hook is none. */
  registerGlobalHook(type: HookType, hook: Hook, options: HookOptions = {}): string {
    const [id = ''] = this.#add([hook], type, undefined, options)
    this.#changed()
    return id
  }

  /** For one agent: beside the hooks for all, or in their place. An empty list with `override` leaves it none. */
  registerAgentHook(
    agentId: string,
    type: HookType,
    hooks: OneOrMany<Hook>,
    { override = false, ...options }: AgentHookOptions = {},
  ): readonly string[] {
    const list = Array.isArray(hooks) ? (hooks as readonly Hook[]) : [hooks as Hook]
    if (typeof override !== 'boolean') throw invalidHook('override', 'This must be true or false.')
    const replaced = overrideOf(agentId, type)
    const ids = this.#add(list, type, agentId, options)
    if (override) this.#overrides = [...this.#overrides, { ...replaced, of: ids }]
    this.#changed()
    return ids
  }

  /** False: there is none of this id. With the last of the hooks that took their place, those for all come back. */
  unregister(id: string): boolean {
    const kept = this.#hooks.filter((each) => each.id !== id)
    const isThere = kept.length < this.#hooks.length
    this.#hooks = kept
    this.#overrides = this.#overrides.filter(
      ({ of }) => of.length === 0 || of.some((hook) => kept.some((each) => each.id === hook)),
    )
    if (isThere) this.#changed()
    return isThere
  }

  /** The hooks an agent's calls meet at a moment, by id, in order. */
  async getHooksForAgent(agentId: string | null, type: HookType): Promise<readonly string[]> {
    await this.#loading
    return this.#judge.idsFor(agentId, type)
  }

  clearHooks(): void {
    this.#hooks = []
    this.#overrides = []
    this.#configs.clear()
    this.#broken.clear()
    this.#changed()
  }

  /** Whatever is for this agent alone, from code and from configurations: it has the hooks for all again. */
  clearAgentHooks(agentId: string): void {
    const isOthers = ({ agent }: Override) => !isFor({ agentType: agent }, agentId)
    this.#hooks = this.#hooks.filter(({ agent }) => agent !== agentId)
    this.#overrides = this.#overrides.filter(isOthers)
    for (const [place, config] of this.#configs) {
      const entries = config.entries.filter(
        ({ actor }) => actor.agentType === undefined || !isFor({ agentType: actor.agentType }, agentId),
      )
      this.#configs.set(place, { ...config, entries, overrides: config.overrides.filter(isOthers) })
    }
    this.#broken.delete(placeOf(agentId))
    this.#changed()
  }

  /** All hooks of an older manager, in their order: both may be asked while callers are moved over. */
  adopt(older: FunctionHookManager): readonly string[] {
    return older
      .registrations()
      .map(({ type, hook, options }) => this.registerGlobalHook(type, hook, options))
  }

  /**
   * A MassGen configuration as text, or a `hooks` mapping for all agents or, with `agentId`, for one. The same place
   * again replaces what it said. Returns what is wrong with single entries; rejects when it cannot be read at all.
   */
  registerHooksFromConfig(config: string | JsonObject, agentId?: string): Promise<readonly Problem[]> {
    const root = this.#options.cwd ?? process.cwd()
    return this.#load(readConfigText(config, agentId, root, this.#options.handlers ?? {}))
  }

  loadConfigFile(path: string): Promise<readonly Problem[]> {
    const root = this.#options.cwd ?? process.cwd()
    return this.#load(readConfigFile(path, root, this.#options.handlers ?? {}))
  }

  /** What all hooks say together. Never rejects: what cannot be judged is denied before a call. */
  async executeHooks(type: HookType, event: GivenEvent): Promise<HookResult> {
    await this.#loading
    const [problem] = this.#broken.values()
    return problem === undefined ? this.#judge.execute(type, event) : refused(type, problem)
  }

  /** The old way to put text into a running turn. */
  setMidStreamInjectionCallback(callback: InjectionCallback | null): void {
    if (!this.#isWarned) {
      this.#isWarned = true
      this.#warn(
        'setMidStreamInjectionCallback is deprecated; register a MidStreamInjectionHook at PostToolUse instead.',
      )
    }
    if (this.#injection !== undefined) this.unregister(this.#injection)
    this.#injection =
      callback === null
        ? undefined
        : this.registerGlobalHook(HookType.POST_TOOL_USE, new MidStreamInjectionHook(callback))
  }

  /** All of them, or none when one is no hook. */
  #add(
    hooks: readonly unknown[],
    type: HookType,
    agent: string | undefined,
    options: HookOptions,
  ): readonly string[] {
    checkOptions(options)
    const all = [...this.#hooks]
    const isTaken = (id: string) => id === '' || all.some((each) => each.id === id)
    for (const hook of hooks) {
      const name = options.name ?? nameOf(hook)
      let id = name
      do {
        this.#count += 1
        if (isTaken(id)) id = `${name || 'hook'}-${this.#count}`
      } while (isTaken(id))
      const whose = agent === undefined ? {} : { agent }
      all.push(registered(hook, { id, since: this.#count, type, ...whose, failClosed: false, options }))
    }
    const ids = all.slice(this.#hooks.length).map(({ id }) => id)
    this.#hooks = all
    return ids
  }

  #load(reading: Promise<ConfigPlace>): Promise<readonly Problem[]> {
    this.#count += 1
    const now = this.#count
    const unread = (error: unknown): ConfigPlace => ({
      place: placeOf(undefined),
      read: bad('HOOK_INVALID', `The configuration cannot be read: ${thrownText(error)}.`),
    })
    const loaded = reading.catch(unread).then(({ place, read }) => {
      if (!read.ok) {
        this.#broken.set(place, read.problem)
        throw new HoldpointError(read.problem)
      }
      this.#broken.delete(place)
      this.#configs.set(place, { ...read.value, since: this.#configs.get(place)?.since ?? now })
      this.#changed()
      return read.value.problems
    })
    // Calls wait for it, and are refused when it is broken: nothing goes on because a file came late.
    this.#loading = Promise.allSettled([this.#loading, loaded])
    return loaded
  }

  #changed(): void {
    const configs = [...this.#configs.values()]
    const inOrder = [
      ...this.#hooks.map(({ since, entry }) => ({ since, entries: [entry] })),
      ...configs,
    ].sort((a, b) => a.since - b.since)
    this.#judge.use(
      this.#hooks,
      inOrder.flatMap(({ entries }) => entries),
      [...this.#overrides, ...configs.flatMap(({ overrides }) => overrides)],
    )
  }

  #warn(text: string): void {
    if (this.#options.onWarning === undefined) process.emitWarning(text, 'DeprecationWarning')
    else this.#options.onWarning(text)
  }
}

function nameOf(hook: unknown): string {
  const holds = typeof hook === 'function' || (typeof hook === 'object' && hook !== null && 'name' in hook)
  return holds && typeof hook.name === 'string' ? hook.name : ''
}
