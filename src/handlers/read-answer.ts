import { type Answer, type Effect, type Failure, stricter } from '../core/decision.ts'
import { resultFields } from '../core/formats/massgen-result.ts'
import { frozenCopy, isObject, type JsonObject } from '../core/json.ts'
import { haltIn, invalidOutput, noticesIn, PART_KEYS, readParts, reasonIn } from './answer-parts.ts'
import { effectOf, wordsIn } from './answer-words.ts'
import { readFunctionAnswer } from './function-answer.ts'
import type { Protocol } from './spelling.ts'

/** What answered. The value of a function may have any type; a program can only print JSON. */
export interface Speaker {
  readonly kind: 'program' | 'function'
  /** The protocol of the hook. */
  readonly protocol?: Protocol
}

/**
 * The one reader of hook answers, for all handlers: nothing, a full answer (`effect`), the short form
 * (`{ deny: 'why' }`), or any format of programs. An invalid answer is a failure of that hook, never an allow: real
 * hosts let the tool run in that case.
 */
export function readAnswer(said: unknown, speaker: Speaker): Answer | Failure | null {
  if (said === undefined || said === null) return null
  // The answers of MassGen's permission hooks before there were results.
  if (typeof said === 'boolean' && speaker.protocol === 'massgen') return said ? null : { effect: 'deny' }
  if (!isObject(said)) {
    const seen = Array.isArray(said) ? 'a list' : `a ${typeof said}`
    return invalidOutput(`returned ${seen} instead of an answer object or nothing`)
  }
  if (speaker.kind === 'program') return readDialects(said)
  const value = copied(said, speaker)
  if (value === undefined) return invalidOutput('returned something that is not JSON')
  return readFunctionAnswer(value, speaker.protocol) ?? readDialects(value)
}

/** The same for the return value of a function of this process, sync or async. Sync stays sync. */
export function readAnswerOf(
  returned: unknown,
  speaker: Speaker,
): Answer | Failure | null | Promise<Answer | Failure | null> {
  if (!isThenable(returned)) return readAnswer(returned, speaker)
  return Promise.resolve(returned).then((said) => readAnswer(said, speaker))
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/**
 * A copy, so that a later change of the object has no effect. MassGen results may be objects of a class, or contain
 * values that are not JSON in fields that are not read.
 */
function copied(said: JsonObject, { protocol }: Speaker): JsonObject | undefined {
  const copy = frozenCopy(said)
  if (isObject(copy)) return copy
  return protocol === 'massgen' ? resultFields(said) : undefined
}

/** All forms in which a program may answer. If several keys contain a decision, the strictest counts. */
function readDialects(value: JsonObject): Answer | Failure | null {
  const specific = value.hookSpecificOutput
  if (specific !== undefined && !isObject(specific)) {
    return invalidOutput(`\`hookSpecificOutput\` is ${JSON.stringify(specific).slice(0, 60)}, not an object`)
  }
  const inner: JsonObject = specific ?? {}
  const words = [...wordsIn(value), ...wordsIn(inner)]
  const wrong = words.find((word) => typeof word !== 'string')
  if (wrong !== undefined) return wrong as Failure
  const parts = readParts(value, inner)
  if ('failure' in parts) return parts
  const spoken = words as readonly string[]
  const keys = Object.keys(value)
  if (spoken.length === 0 && keys.length > 0 && !keys.some((key) => PART_KEYS.has(key))) {
    return invalidOutput(`contains no known key: ${JSON.stringify(value).slice(0, 80)}`)
  }
  const effect = spoken.map(effectOf).reduce<Effect>(stricter, 'pass')
  const reason = reasonIn(value, inner)
  const answer: Answer = {
    ...parts,
    effect,
    ...(effect !== 'pass' && reason !== undefined ? { reason } : {}),
    ...noticesIn(value, spoken.includes('warn') ? reason : undefined),
    ...(spoken.includes('fail') ? { halt: reason ?? 'A hook ended the workflow.' } : haltIn(value)),
  }
  return effect === 'pass' && Object.keys(answer).length === 1 ? null : answer
}
