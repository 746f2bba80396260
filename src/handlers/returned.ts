import { stricter } from '../combine.ts'
import { type Answer, EFFECTS, type Effect, type Failure } from '../decision.ts'
import { frozenCopy, isObject, type Json, type JsonObject } from '../json.ts'
import { readAnswer } from './answer.ts'

/** What a function of this process returned, now or later. Sync stays sync. */
export function readAnswerOf(returned: unknown): Answer | Failure | null | Promise<Answer | Failure | null> {
  if (returned === undefined || returned === null) return null
  return isThenable(returned) ? Promise.resolve(returned).then(readReturned) : readReturned(returned)
}

/**
 * What a function returned: nothing, a whole answer (`effect`), one in short (`{ deny: 'why' }`), or any dialect of
 * programs. Whatever does not fit exactly is a failure, never a pass. It is copied: what its author does to the object
 * afterwards changes nothing that was judged.
 */
export function readReturned(returned: unknown): Answer | Failure | null {
  if (returned === undefined || returned === null) return null
  if (!isObject(returned)) {
    const seen = Array.isArray(returned) ? 'a list' : `a ${typeof returned}`
    return invalid(`returned ${seen} instead of an answer object or nothing`)
  }
  const answer = frozenCopy(returned)
  if (!isObject(answer)) return invalid('returned something that is not JSON')
  if (EFFECTS.some((effect) => effect === answer.effect)) return readWhole(answer)
  return Object.keys(answer).some((key) => SHORT.has(key)) ? readShort(answer) : readAnswer(answer)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

type Check = (value: Json) => boolean
const isText: Check = (value) => typeof value === 'string'
const isList =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const isContext: Check = (value) =>
  isObject(value) &&
  isText(value.text ?? null) &&
  ['self', 'parent', 'main'].includes(String(value.to)) &&
  [undefined, 'tool_result', 'user_message'].some((strategy) => strategy === value.strategy)
const isPatch: Check = (value) => {
  if (!isObject(value) || typeof value.key !== 'string') return false
  if (value.op === 'count') return typeof value.by === 'number'
  if (value.op === 'push') return value.value !== undefined && typeof value.keep === 'number'
  return value.op === 'set' && value.value !== undefined
}
const isFileChange: Check = (value) =>
  isObject(value) && typeof value.path === 'string' && (value.text === null || typeof value.text === 'string')

/** Every part of an answer and what it must be. */
const WHOLE: Readonly<Record<keyof Answer, Check>> = {
  effect: isText,
  reason: isText,
  guard: isText,
  context: isList(isContext),
  notices: isList(isText),
  rewrite: isObject,
  output: () => true,
  halt: isText,
  remember: isList(isPatch),
  rememberDenied: isList(isPatch),
  files: isList(isFileChange),
  // Only guards keep notes; a function writes what it wants itself.
  notes: () => false,
  detail: () => true,
}

function readWhole(value: JsonObject): Answer | Failure {
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined || !Object.hasOwn(WHOLE, key)) continue
    if (!WHOLE[key as keyof Answer](part)) return invalid(`\`${key}\` of its answer is not what it must be`)
  }
  return value as unknown as Answer
}

const EFFECT_KEYS: readonly Exclude<Effect, 'pass'>[] = ['deny', 'ask', 'allow']
const SHORT: ReadonlySet<string> = new Set([...EFFECT_KEYS, 'warn', 'context', 'rewrite'])

/** The words functions use. A key nobody knows beside them fails: half an answer understood may be the wrong half. */
function readShort(value: JsonObject): Answer | Failure {
  const wrong = Object.entries(value).find(([key, part]) => part !== undefined && !isShort(key, part))
  if (wrong !== undefined) {
    const accepted = 'deny, ask, warn and context (texts), allow (text or true), rewrite (object)'
    return invalid(`\`${wrong[0]}\` of its answer is not understood; accepted: ${accepted}`)
  }
  const spoken = EFFECT_KEYS.filter((key) => value[key] !== undefined)
  const effect = spoken.reduce<Effect>(stricter, 'pass')
  const reason = effect === 'pass' ? undefined : value[effect]
  return {
    effect,
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof value.warn === 'string' ? { notices: [value.warn] } : {}),
    ...(typeof value.context === 'string' ? { context: [{ text: value.context, to: 'self' } as const] } : {}),
    ...(isObject(value.rewrite) ? { rewrite: value.rewrite } : {}),
  }
}

function isShort(key: string, part: Json): boolean {
  if (!SHORT.has(key)) return false
  if (key === 'rewrite') return isObject(part)
  return (typeof part === 'string' && part.trim() !== '') || (key === 'allow' && part === true)
}

function invalid(message: string): Failure {
  return { failure: 'invalidOutput', message }
}
