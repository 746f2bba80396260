import { stricter } from '../combine.ts'
import type { Answer, Context, Effect, Failure } from '../decision.ts'
import { isObject, type Json, type JsonObject, textAt } from '../json.ts'

/**
 * Every way a hook may spell its answer, read into one. Where several keys speak, the strictest counts. A word
 * nobody knows is a failure of that hook, never an allow: real hosts let the tool run there.
 */
export function readAnswer(value: JsonObject): Answer | Failure | null {
  const specific = value.hookSpecificOutput
  if (specific !== undefined && !isObject(specific))
    return invalid('hookSpecificOutput', specific, 'an object')
  const inner: JsonObject = specific ?? {}
  const words = [value, inner].flatMap(wordsIn).filter((word) => word !== undefined)

  const wrong = words.find((word) => typeof word !== 'string')
  if (wrong !== undefined && typeof wrong !== 'string') return wrong
  const parts = readParts(value, inner)
  if ('failure' in parts) return parts
  const spoken = words as readonly string[]
  if (
    spoken.length === 0 &&
    Object.keys(value).length > 0 &&
    !Object.keys(value).some((key) => PARTS.has(key))
  ) {
    return {
      failure: 'invalidOutput',
      message: `says nothing we know: ${JSON.stringify(value).slice(0, 80)}`,
    }
  }
  const effect = spoken.reduce<Effect>((sum, word) => stricter(sum, EFFECT_OF[word] ?? 'pass'), 'pass')
  const reason = reasonIn(value, inner)
  const answer: Answer = {
    ...parts,
    effect,
    ...(effect !== 'pass' && reason !== undefined ? { reason } : {}),
    ...notices(value, spoken.includes('warn') ? reason : undefined),
    ...(spoken.includes('fail') ? { halt: reason ?? 'A hook ended the workflow.' } : haltIn(value)),
  }
  return effect === 'pass' && Object.keys(answer).length === 1 ? null : answer
}

/** In Claude Code's own words `allow` skips the permission prompt; in all others it means "fine, go on". */
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

/** Keys that mean something without any decision. An object with none of them, and no decision, is no answer. */
const PARTS: ReadonlySet<string> = new Set([
  'hookSpecificOutput',
  'systemMessage',
  'continue',
  'suppressOutput',
  'additionalContext',
  'inject',
  'updated_input',
  'updatedInput',
  'modified_args',
  'hook_errors',
  'decision',
  'action',
  'allowed',
  'async',
])

type Word = string | Failure | undefined

/** Every key that can carry a decision, wherever a hook put it. */
function wordsIn(object: JsonObject): readonly Word[] {
  return [
    read(object, 'permissionDecision', PERMISSION_WORDS),
    readDecision(object.decision),
    read(object, 'behavior', PERMISSION_WORDS),
    read(object, 'action', DECISION_WORDS),
    read(object, 'effect', EFFECT_WORDS),
    readAllowed(object.allowed),
  ]
}

function read(object: JsonObject, key: string, known: ReadonlySet<string>): Word {
  const value = object[key]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !known.has(value)) return invalid(key, value, [...known].join(', '))
  return known === DECISION_WORDS && value === 'allow' ? 'fine' : value
}

/** `decision` is a word, or Claude Code's `{ behavior }` object at PermissionRequest. */
function readDecision(value: Json | undefined): Word {
  if (!isObject(value)) return read({ decision: value ?? null }, 'decision', DECISION_WORDS)
  return read(value, 'behavior', PERMISSION_WORDS) ?? invalid('decision', value, '{ behavior }')
}

function readAllowed(value: Json | undefined): Word {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') return invalid('allowed', value, 'true, false')
  return value ? 'fine' : 'deny'
}

function reasonIn(value: JsonObject, inner: JsonObject): string | undefined {
  const nested = [value.decision, inner.decision].find(isObject)
  return (
    textAt(inner, 'permissionDecisionReason') ??
    textAt(value, 'permissionDecisionReason') ??
    textAt(value, 'reason') ??
    textAt(value, 'error') ??
    textAt(value, 'message') ??
    (nested === undefined ? undefined : textAt(nested, 'message'))
  )
}

function readParts(value: JsonObject, inner: JsonObject): Partial<Answer> | Failure {
  const nested = [value.decision, inner.decision].find(isObject)
  const rewrite =
    inner.updatedInput ??
    value.updated_input ??
    value.updatedInput ??
    nested?.updatedInput ??
    parsedText(value.modified_args)
  if (rewrite !== undefined && rewrite !== null && !isObject(rewrite))
    return invalid('updatedInput', rewrite, 'an object')
  const context = readContext(value, inner)
  if ('failure' in context) return context
  const output = inner.updatedToolOutput ?? inner.updatedMCPToolOutput
  const errors = value.hook_errors ?? []
  if (!Array.isArray(errors) || !errors.every((error) => typeof error === 'string')) {
    return invalid('hook_errors', errors, 'a list of strings')
  }
  return {
    ...(isObject(rewrite) ? { rewrite } : {}),
    ...(context.texts.length === 0 ? {} : { context: context.texts }),
    ...(output === undefined ? {} : { output }),
    ...(errors.length === 0 ? {} : { detail: { hook_errors: errors } }),
  }
}

/** MassGen's older word for a new input is a text. What cannot be read stays a text, and is refused as one. */
function parsedText(text: Json | undefined): Json | undefined {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function readContext(value: JsonObject, inner: JsonObject): { readonly texts: readonly Context[] } | Failure {
  const texts: Context[] = []
  const added = inner.additionalContext ?? value.additionalContext
  if (added !== undefined && added !== null) {
    if (typeof added !== 'string') return invalid('additionalContext', added, 'a string')
    if (added !== '') texts.push({ text: added, to: 'self' })
  }
  const inject = value.inject
  if (inject !== undefined && inject !== null) {
    if (!isObject(inject) || typeof inject.content !== 'string')
      return invalid('inject', inject, '{ content, strategy }')
    const strategy = inject.strategy ?? 'tool_result'
    if (strategy !== 'tool_result' && strategy !== 'user_message') {
      return invalid('inject.strategy', strategy, 'tool_result, user_message')
    }
    if (inject.content !== '') texts.push({ text: inject.content, to: 'self', strategy })
  }
  return { texts }
}

function notices(value: JsonObject, warning: string | undefined): Pick<Answer, 'notices'> {
  const all = [textAt(value, 'systemMessage'), warning].filter((text) => text !== undefined)
  return all.length === 0 ? {} : { notices: all }
}

/** Not a block: the workflow ends after this event. */
function haltIn(value: JsonObject): Pick<Answer, 'halt'> {
  return value.continue === false ? { halt: textAt(value, 'stopReason') ?? 'A hook ended the workflow.' } : {}
}

function invalid(key: string, value: Json, accepted: string): Failure {
  const seen = JSON.stringify(value).slice(0, 60)
  return { failure: 'invalidOutput', message: `\`${key}\` is ${seen}; accepted: ${accepted}` }
}
