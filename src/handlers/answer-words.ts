import type { Effect, Failure } from '../core/decision.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { invalidKey } from './answer-parts.ts'

/** In Claude Code's format `allow` skips the permission prompt; in all others it means "continue". */
const PERMISSION_WORDS = new Set(['allow', 'approve', 'deny', 'block', 'ask', 'askFirst', 'defer'])
const DECISION_WORDS = new Set(['allow', 'approve', 'deny', 'block', 'ask', 'askFirst', 'warn', 'fail'])
const EFFECT_WORDS = new Set(['pass', 'allow', 'ask', 'deny'])

const EFFECT_OF: Readonly<Record<string, Effect>> = {
  fine: 'pass',
  pass: 'pass',
  warn: 'pass',
  approve: 'allow',
  allow: 'allow',
  ask: 'ask',
  askFirst: 'ask',
  defer: 'ask',
  block: 'deny',
  deny: 'deny',
  fail: 'deny',
}

export function effectOf(word: string): Effect {
  return EFFECT_OF[word] ?? 'pass'
}

type Word = string | Failure | undefined

/** Every key that can contain a decision, wherever a hook put it. An unknown word is a failure. */
export function wordsIn(object: JsonObject): readonly (string | Failure)[] {
  return [
    read(object, 'permissionDecision', PERMISSION_WORDS),
    readDecision(object.decision),
    read(object, 'behavior', PERMISSION_WORDS),
    read(object, 'action', DECISION_WORDS),
    read(object, 'effect', EFFECT_WORDS),
    readAllowed(object.allowed),
  ].filter((word) => word !== undefined)
}

function read(object: JsonObject, key: string, known: ReadonlySet<string>): Word {
  const value = object[key]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !known.has(value)) return invalidKey(key, value, [...known].join(', '))
  return known === DECISION_WORDS && value === 'allow' ? 'fine' : value
}

/** `decision` is a word, or Claude Code's `{ behavior }` object at PermissionRequest. */
function readDecision(value: Json | undefined): Word {
  if (!isObject(value)) return read({ decision: value ?? null }, 'decision', DECISION_WORDS)
  return read(value, 'behavior', PERMISSION_WORDS) ?? invalidKey('decision', value, '{ behavior }')
}

function readAllowed(value: Json | undefined): Word {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') return invalidKey('allowed', value, 'true, false')
  return value ? 'fine' : 'deny'
}
