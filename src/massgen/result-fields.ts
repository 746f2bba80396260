import { bad, good, type Result } from '../errors.ts'
import { frozenCopy, isObject, type Json, type JsonObject } from '../json.ts'

export type Strategy = 'tool_result' | 'user_message'

/** Text for the agent: appended to the result of the tool, or as a message of its own. */
export interface Injection {
  readonly content: string
  readonly strategy: Strategy
  /** Of several hooks: every text by its strategy. `content` then holds them all. */
  readonly by_strategy?: Readonly<Partial<Record<Strategy, readonly string[]>>>
}

/** One hook that ran, in the order they ran. */
export interface Execution {
  readonly hook: string
  readonly decision: Word
  readonly duration_ms: number
  /** The beginning of what it injected, or of its reason. */
  readonly preview: string | null
  readonly error: string | null
}

export type Word = 'allow' | 'deny' | 'ask'

/** What a hook says, and what all hooks of an event say together. Plain JSON. */
export interface HookResult {
  /** False exactly when `decision` is `deny`. */
  readonly allowed: boolean
  readonly decision: Word
  readonly reason: string | null
  /** The whole new input of the tool. */
  readonly updated_input: JsonObject | null
  readonly inject: Injection | null
  /** Hooks that could not answer, and why. */
  readonly hook_errors: readonly string[]
  readonly executions: readonly Execution[]
}

/** A result as a hook writes it: what is left out has its default, and a text is for the tool's result. */
export type GivenResult = Partial<Omit<HookResult, 'inject'>> & { readonly inject?: GivenInjection | null }
export type GivenInjection = Omit<Injection, 'strategy'> & Partial<Pick<Injection, 'strategy'>>

export const ALLOWED: HookResult = Object.freeze({
  allowed: true,
  decision: 'allow',
  reason: null,
  updated_input: null,
  inject: null,
  hook_errors: [],
  executions: [],
})

/**
 * Reads what a hook returned: nothing, yes or no (older permission hooks), or an object with any of the fields. The
 * stricter of `allowed` and `decision` counts. A word nobody knows is a mistake, never an allow.
 */
export function readHookResult(returned: unknown): Result<HookResult> {
  if (returned === undefined || returned === null) return good(ALLOWED)
  if (typeof returned === 'boolean') {
    return good(returned ? ALLOWED : { ...ALLOWED, allowed: false, decision: 'deny' })
  }
  if (typeof returned !== 'object' || Array.isArray(returned)) {
    return wrong(`A hook returned ${Array.isArray(returned) ? 'a list' : `a ${typeof returned}`}.`)
  }
  const keys = Object.keys(returned)
  // Of a class or not, and whatever else it holds: what counts are the fields, as they are now.
  const fields = Object.entries(returned).filter(([key]) => READ.has(key))
  const value = frozenCopy(Object.fromEntries(fields))
  if (!isObject(value)) return wrong('A hook returned something that is not JSON.')
  const isEmpty = keys.length === 0 && Object.getPrototypeOf(returned) === Object.prototype
  if (!isEmpty && !keys.some((key) => KNOWN.has(key))) {
    return wrong(`A hook returned nothing anybody knows: ${keys.join(', ').slice(0, 80)}.`)
  }
  const decision = readWord(value)
  if (!decision.ok) return decision
  const input = readUpdated(value)
  if (!input.ok) return input
  const inject = readInject(value.inject)
  if (!inject.ok) return inject
  const { reason = null, hook_errors: errors = [], executions = [] } = value
  if (reason !== null && typeof reason !== 'string') return wrong(`\`reason\` is ${shown(reason)}.`)
  if (!isTexts(errors)) return wrong(`\`hook_errors\` is ${shown(errors)}; it must be a list of texts.`)
  if (!isExecutions(executions)) return wrong('`executions` is not a list of runs.')
  return good({
    allowed: decision.value !== 'deny',
    decision: decision.value,
    reason,
    updated_input: input.value,
    inject: inject.value,
    hook_errors: errors,
    executions,
  })
}

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(ALLOWED), 'modified_args', 'metadata'])
const READ: ReadonlySet<string> = new Set([...KNOWN].filter((key) => key !== 'metadata'))

/** Words of other dialects mean what they say. */
const WORDS: Readonly<Record<string, Word>> = {
  allow: 'allow',
  approve: 'allow',
  deny: 'deny',
  block: 'deny',
  ask: 'ask',
  askFirst: 'ask',
}

function readWord({ allowed, decision }: JsonObject): Result<Word> {
  if (allowed !== undefined && allowed !== null && typeof allowed !== 'boolean') {
    return wrong(`\`allowed\` is ${shown(allowed)}; it must be true or false.`)
  }
  if (decision === undefined || decision === null) return good(allowed === false ? 'deny' : 'allow')
  const word = typeof decision === 'string' && Object.hasOwn(WORDS, decision) ? WORDS[decision] : undefined
  if (word === undefined) return wrong(`\`decision\` is ${shown(decision)}; accepted: allow, deny, ask.`)
  return good(allowed === false ? 'deny' : word)
}

/** `modified_args`: the same as text, as MassGen's own manager had it. */
function readUpdated({ updated_input: updated, modified_args: text }: JsonObject): Result<JsonObject | null> {
  if (updated !== undefined && updated !== null) {
    return isObject(updated) ? good(updated) : wrong(`\`updated_input\` is ${shown(updated)}, not an object.`)
  }
  if (text === undefined || text === null) return good(null)
  const parsed = typeof text === 'string' ? parseObject(text) : undefined
  return parsed === undefined
    ? wrong(`\`modified_args\` is ${shown(text)}, not an object as JSON.`)
    : good(parsed)
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readInject(inject: Json | undefined): Result<Injection | null> {
  if (inject === undefined || inject === null) return good(null)
  if (!isObject(inject) || typeof inject.content !== 'string') {
    return wrong(`\`inject\` is ${shown(inject)}; it must be { content, strategy }.`)
  }
  const { content, strategy = 'tool_result' } = inject
  if (strategy !== 'tool_result' && strategy !== 'user_message') {
    return wrong(`\`inject.strategy\` is ${shown(strategy)}; accepted: tool_result, user_message.`)
  }
  const grouped = readGroups(inject.by_strategy)
  if (grouped === undefined) return wrong('`inject.by_strategy` is not texts by strategy.')
  return good(content === '' ? null : { content, strategy, ...grouped })
}

function readGroups(groups: Json | undefined): Pick<Injection, 'by_strategy'> | undefined {
  if (groups === undefined || groups === null) return {}
  if (!isObject(groups)) return undefined
  const isGroup = ([strategy, texts]: [string, Json]) => STRATEGIES.has(strategy) && isTexts(texts)
  return Object.entries(groups).every(isGroup)
    ? { by_strategy: groups as Injection['by_strategy'] & object }
    : undefined
}

const STRATEGIES: ReadonlySet<string> = new Set(['tool_result', 'user_message'])

function isExecutions(value: Json): value is Json & readonly Execution[] {
  const isRun = (each: Json) =>
    isObject(each) && typeof each.hook === 'string' && typeof each.duration_ms === 'number'
  return Array.isArray(value) && value.every(isRun)
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function shown(value: Json): string {
  return JSON.stringify(value).slice(0, 60)
}

function wrong(message: string): Result<never> {
  return bad('HOOK_INVALID', message)
}
