import type { Context } from '../decision.ts'
import { bad, good, type Result } from '../errors.ts'
import { frozenCopy, isObject, type Json, type JsonObject } from '../json.ts'

export type Strategy = 'tool_result' | 'user_message'

/** Text for the agent: appended to the result of the tool, or sent as a separate message. */
export interface Injection {
  readonly content: string
  readonly strategy: Strategy
  /** If several hooks inject: every text by its strategy. `content` then contains all of them. */
  readonly by_strategy?: Readonly<Partial<Record<Strategy, readonly string[]>>>
}

/** One hook that ran, in the order they ran. */
export interface Execution {
  readonly hook: string
  readonly decision: MassGenDecision
  readonly duration_ms: number
  /** The beginning of the injected text, or of its reason. */
  readonly preview: string | null
  readonly error: string | null
}

export type MassGenDecision = 'allow' | 'deny' | 'ask'

/** The result of one hook, or the combined result of all hooks of an event. Plain JSON. */
export interface MassGenResult {
  /** False exactly when `decision` is `deny`. */
  readonly allowed: boolean
  readonly decision: MassGenDecision
  readonly reason: string | null
  /** The complete new input of the tool. */
  readonly updated_input: JsonObject | null
  readonly inject: Injection | null
  /** Hooks that could not answer, and why. */
  readonly hook_errors: readonly string[]
  readonly executions: readonly Execution[]
}

/** A result as a hook writes it: missing fields get their default, and a plain text is added to the tool's result. */
export type GivenResult = Partial<Omit<MassGenResult, 'inject'>> & { readonly inject?: GivenInjection | null }
export type GivenInjection = Omit<Injection, 'strategy'> & Partial<Pick<Injection, 'strategy'>>

export const ALLOWED: MassGenResult = Object.freeze({
  allowed: true,
  decision: 'allow',
  reason: null,
  updated_input: null,
  inject: null,
  hook_errors: [],
  executions: [],
})

/** The fields of a result. `modified_args` is an older name for a new input. */
export const RESULT_KEYS: ReadonlySet<string> = new Set([...Object.keys(ALLOWED), 'modified_args'])

/**
 * A copy of the known fields, for an object of any class. Undefined: it has none of these fields, or one of them is
 * not JSON.
 */
export function resultFields(object: object): JsonObject | undefined {
  const fields = Object.entries(object).filter(([key]) => RESULT_KEYS.has(key))
  const copy = fields.length === 0 ? undefined : frozenCopy(Object.fromEntries(fields))
  return isObject(copy) ? copy : undefined
}

export function readInjection(inject: Json | undefined): Result<Injection | null> {
  if (inject === undefined || inject === null) return good(null)
  if (!isObject(inject) || typeof inject.content !== 'string') {
    return invalid(`\`inject\` is ${shown(inject)}; accepted: { content, strategy }`)
  }
  const { content, strategy = 'tool_result' } = inject
  if (!isStrategy(strategy)) {
    return invalid(`\`inject.strategy\` is ${shown(strategy)}; accepted: ${STRATEGIES.join(', ')}`)
  }
  const grouped = readGroups(inject.by_strategy)
  if (grouped === undefined) return invalid('`inject.by_strategy` is not texts by strategy')
  return good(content === '' ? null : { content, strategy, ...grouped })
}

/** The texts for the agent. A hook may pass on what other hooks injected, each text with its own strategy. */
export function injectedTexts(injection: Injection | null): readonly Context[] {
  if (injection === null) return []
  const { content, strategy, by_strategy: groups = { [strategy]: [content] } } = injection
  return STRATEGIES.flatMap((each) =>
    (groups[each] ?? []).map((text): Context => ({ text, to: 'self', strategy: each })),
  )
}

function readGroups(groups: Json | undefined): Pick<Injection, 'by_strategy'> | undefined {
  if (groups === undefined || groups === null) return {}
  if (!isObject(groups)) return undefined
  const isGroup = ([strategy, texts]: [string, Json]) => isStrategy(strategy) && isTexts(texts)
  return Object.entries(groups).every(isGroup)
    ? { by_strategy: groups as Injection['by_strategy'] & object }
    : undefined
}

const STRATEGIES: readonly Strategy[] = ['tool_result', 'user_message']

function isStrategy(value: Json): value is Strategy {
  return STRATEGIES.some((each) => each === value)
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function shown(value: Json): string {
  return JSON.stringify(value).slice(0, 60)
}

function invalid(message: string): Result<never> {
  return bad('HOOK_INVALID', message)
}
