import { lastResortOf } from '../../core/deadlines.ts'
import { thrownText } from '../../core/engine/hook-execution.ts'
import { bad, HoldpointError, type Problem } from '../../core/errors.ts'
import type { MassGenEvent } from '../../core/formats/massgen-event.ts'
import { type AnyHookType, type ExtendedHookType, HookType } from '../../core/formats/massgen-hook-type.ts'
import type { MassGenResult } from '../../core/formats/massgen-result.ts'
import type { Override } from '../../core/hook.ts'
import type { JsonObject } from '../../core/json.ts'
import type { StateStore } from '../../core/state/state.ts'
import { eventKindOf, type HookEvent as LibraryEvent } from '../../library/hook-event.ts'
import { type HookResult as LibraryResult, refusedEvent } from '../../library/hook-result.ts'
import { type InjectionCallback, MidStreamInjectionHook } from './built-ins/mid-stream-injection.ts'
import { type ConfigPlace, type Configured, placeOf, readConfigFile, readConfigText } from './config.ts'
import type { FunctionHook, FunctionHookOptions, HookCallable } from './function-hook.ts'
import type { FunctionHookManager } from './function-hook-manager.ts'
import { invalidHook, mustBeFunction } from './invalid-hook.ts'
import { createManagerEngine, type ManagerEngine, refused } from './manager-engine.ts'
import { checkManagerOptions, isFor, type ManagerHook, overrideOf, registered } from './registry.ts'

export interface ManagerOptions {
  /** The base of relative paths in configured handlers, and the working folder that hooks see. */
  readonly cwd?: string
  /** Programs get only an allow list of it. Missing: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Functions of this program for handlers of a configuration, by the name in the configuration. */
  readonly handlers?: Readonly<Record<string, HookCallable>>
  /** What hooks remember, and how often an agent's stop was blocked. Missing: in memory, for this manager. */
  readonly state?: StateStore
  /** Gets each deprecation warning once. Missing: Node's own warnings. */
  onWarning?(text: string): void
}

export interface AgentHookOptions extends FunctionHookOptions {
  /** At this event the agent gets no hooks that are for all agents, even if its own list is empty. */
  readonly override?: boolean
}

/** The hooks that came with the override. Without hooks it stays until the agent's hooks are cleared. */
type OwnOverride = Override & { readonly of: readonly string[] }

type OneOrMany<T> = T | readonly T[]
type Hook = FunctionHook | HookCallable

/** An event as callers have it: `tool_input` may be the arguments as the model wrote them. */
export type GivenEvent = Partial<Omit<MassGenEvent, 'tool_input'>> & {
  readonly tool_name: string
  readonly tool_input: JsonObject | string
}

/** An event that is not a tool call: with the fields that Claude Code has at this event. */
export type GivenOtherEvent = Readonly<Record<string, unknown>>

/**
 * Hooks for all agents and for one, from code and from MassGen's configuration. They run in the order of
 * registration, those for all agents first; each gets the input as the one before changed it, until one
 * denies.
 */
export class GeneralHookManager {
  readonly #options: ManagerOptions
  readonly #judge: ManagerEngine
  #hooks: readonly ManagerHook[] = []
  #overrides: readonly OwnOverride[] = []
  readonly #configs = new Map<string, Configured & { readonly since: number }>()
  /** If a configuration cannot be read, it is unknown what it would have stopped, so everything is denied. */
  readonly #broken = new Map<string, Problem>()
  #loading: Promise<unknown> = Promise.resolve()
  #count = 0
  #injection: string | undefined
  #isWarned = false

  constructor(options: ManagerOptions = {}) {
    for (const [name, handler] of Object.entries(options.handlers ?? {})) mustBeFunction(name, handler)
    this.#options = options
    this.#judge = createManagerEngine(options)
  }

  /** For every agent. Returns the id to unregister it with. Throws if the hook is not valid. */
  registerGlobalHook(type: AnyHookType, hook: Hook, options: FunctionHookOptions = {}): string {
    const [id = ''] = this.#add([hook], type, undefined, options)
    this.#changed()
    return id
  }

  /**
   * For one agent: in addition to the hooks for all agents, or instead of them. An empty list with `override`
   * leaves it none.
   */
  registerAgentHook(
    agentId: string,
    type: AnyHookType,
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

  /**
   * False: there is no hook with this id. When the last hook of an override is removed, the hooks for all
   * agents apply again.
   */
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

  /** The hooks for an agent's calls at a hook type, by id, in order. */
  async getHooksForAgent(agentId: string | null, type: AnyHookType): Promise<readonly string[]> {
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

  /**
   * Removes everything that is only for this agent, from code and from configurations: the hooks for all
   * agents apply again.
   */
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

  /**
   * Takes over all hooks of an older manager, in their order. Both can be used while callers are migrated.
   */
  adopt(older: FunctionHookManager): readonly string[] {
    return older
      .registrations()
      .map(({ type, hook, options }) => this.registerGlobalHook(type, hook, options))
  }

  /**
   * A MassGen configuration as text, or a `hooks` mapping for all agents or, with `agentId`, for one. The
   * same source again replaces its earlier hooks. Returns the problems of single entries; rejects if it
   * cannot be read at all.
   */
  registerHooksFromConfig(config: string | JsonObject, agentId?: string): Promise<readonly Problem[]> {
    const root = this.#options.cwd ?? process.cwd()
    return this.#load(readConfigText(config, agentId, root, this.#options.handlers ?? {}))
  }

  loadConfigFile(path: string): Promise<readonly Problem[]> {
    const root = this.#options.cwd ?? process.cwd()
    return this.#load(readConfigFile(path, root, this.#options.handlers ?? {}))
  }

  /** The combined result of all hooks. Never rejects: an event that cannot be evaluated is denied before a call. */
  executeHooks(type: HookType, event: GivenEvent): Promise<MassGenResult>
  executeHooks(type: ExtendedHookType, event: GivenOtherEvent): Promise<MassGenResult>
  async executeHooks(type: AnyHookType, event: object): Promise<MassGenResult> {
    await this.#loading
    const [problem] = this.#broken.values()
    return problem === undefined ? this.#judge.execute(type, event) : refused(type, problem)
  }

  /**
   * The same hooks for an event of the library, so that a manager can be used wherever a runtime can:
   * `guardTools(hooks, tools)` of `holdpoint/sdk/ai`, `holdpointHooks(hooks)` of `holdpoint/sdk/claude-agent`,
   * `guardAgent(hooks, agent)` of `holdpoint/sdk/openai-agents`. Hooks get a MassGen event. Never rejects.
   *
   * @example
   * const { effect } = await hooks.evaluate({ kind: 'PreToolUse', agent: 'reviewer', tool: { name: 'Write', input: {} } })
   */
  async evaluate(event: LibraryEvent): Promise<LibraryResult> {
    await this.#loading
    const [problem] = this.#broken.values()
    if (problem === undefined) return this.#judge.evaluate(event)
    return refusedEvent(lastResortOf(eventKindOf(event)), problem)
  }

  /** The old way to add text to a running turn. */
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

  /** All hooks, or an exception if one is not valid. */
  #add(
    hooks: readonly unknown[],
    type: AnyHookType,
    agent: string | undefined,
    options: FunctionHookOptions,
  ): readonly string[] {
    checkManagerOptions(options)
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
    // Calls wait until it is read, and are denied if it is broken, so that no call runs because a file was
    // read late.
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
