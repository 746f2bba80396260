import { type Answer, EFFECTS, type Effect, type Failure, stricter } from '../core/decision.ts'
import { RESULT_KEYS } from '../core/formats/massgen-result.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { invalidOutput } from './answer-parts.ts'
import type { Protocol } from './spelling.ts'

/**
 * The forms that only functions return: a full answer, or one in the short form. Undefined: it is neither. An answer
 * that does not match exactly is a failure, never a pass.
 */
export function readFunctionAnswer(
  value: JsonObject,
  protocol: Protocol | undefined,
): Answer | Failure | undefined {
  if (EFFECTS.some((effect) => effect === value.effect)) return readWhole(value)
  const keys = Object.keys(value)
  // A MassGen result may have a key that is a short form here; reading only half of it could be wrong.
  const isResult = protocol === 'massgen' && keys.some((key) => RESULT_KEYS.has(key))
  return !isResult && keys.some((key) => SHORT.has(key)) ? readShort(value) : undefined
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

/** Every part of an answer and its type. */
const WHOLE: Readonly<Record<keyof Answer, Check>> = {
  effect: isText,
  reason: isText,
  question: isText,
  ifDenied: isText,
  guard: isText,
  context: isList(isContext),
  notices: isList(isText),
  rewrite: isObject,
  output: () => true,
  halt: isText,
  remember: isList(isPatch),
  rememberDenied: isList(isPatch),
  files: isList(isFileChange),
  // Only guards write notes; a function can write files itself.
  notes: () => false,
  detail: () => true,
}

function readWhole(value: JsonObject): Answer | Failure {
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined || !Object.hasOwn(WHOLE, key)) continue
    if (!WHOLE[key as keyof Answer](part))
      return invalidOutput(`\`${key}\` of its answer is not what it must be`)
  }
  return value as unknown as Answer
}

const EFFECT_KEYS: readonly Exclude<Effect, 'pass'>[] = ['deny', 'ask', 'allow']
const SHORT: ReadonlySet<string> = new Set([...EFFECT_KEYS, 'warn', 'context', 'rewrite'])

/** The short form. An unknown key next to a known one fails, because reading only half of an answer could be wrong. */
function readShort(value: JsonObject): Answer | Failure {
  const wrong = Object.entries(value).find(([key, part]) => part !== undefined && !isShort(key, part))
  if (wrong !== undefined) {
    const accepted = 'deny, ask, warn and context (texts), allow (text or true), rewrite (object)'
    return invalidOutput(`\`${wrong[0]}\` of its answer is not understood; accepted: ${accepted}`)
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
