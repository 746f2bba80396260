import type { Answer, Context, Failure } from '../core/decision.ts'
import { errorDetail } from '../core/formats/massgen-aggregate.ts'
import { injectedTexts, readInjection } from '../core/formats/massgen-result.ts'
import { isObject, type Json, type JsonObject, textAt } from '../core/json.ts'
import { wordSet } from '../core/word-list.ts'

/** Keys that have a meaning without a decision. An object with none of them, and no decision, is not an answer. */
export const PART_KEYS = wordSet(`
  hookSpecificOutput systemMessage continue suppressOutput additionalContext inject updated_input updatedInput
  modified_args hook_errors decision action allowed async
`)

/** The parts of an answer besides its decision: a new input or output, texts, errors inside the hook. */
export function readParts(value: JsonObject, inner: JsonObject): Partial<Answer> | Failure {
  const nested = [value.decision, inner.decision].find(isObject)
  const rewrite =
    inner.updatedInput ??
    value.updated_input ??
    value.updatedInput ??
    nested?.updatedInput ??
    parsedText(value.modified_args)
  if (rewrite !== undefined && rewrite !== null && !isObject(rewrite)) {
    return invalidKey('updatedInput', rewrite, 'an object')
  }
  const context = readContext(value, inner)
  if ('failure' in context) return context
  const output = inner.updatedToolOutput ?? inner.updatedMCPToolOutput
  const errors = value.hook_errors ?? []
  if (!Array.isArray(errors) || !errors.every((error) => typeof error === 'string')) {
    return invalidKey('hook_errors', errors, 'a list of strings')
  }
  return {
    ...(isObject(rewrite) ? { rewrite } : {}),
    ...(context.texts.length === 0 ? {} : { context: context.texts }),
    ...(output === undefined ? {} : { output }),
    ...errorDetail(errors),
  }
}

/** MassGen's older key for a new input is a text. If it cannot be parsed it stays a text, and is rejected. */
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
    if (typeof added !== 'string') return invalidKey('additionalContext', added, 'a string')
    if (added !== '') texts.push({ text: added, to: 'self' })
  }
  const injection = readInjection(value.inject)
  if (!injection.ok) return invalidOutput(injection.problem.message)
  return { texts: [...texts, ...injectedTexts(injection.value)] }
}

export function reasonIn(value: JsonObject, inner: JsonObject): string | undefined {
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

export function noticesIn(value: JsonObject, warning: string | undefined): Pick<Answer, 'notices'> {
  const all = [textAt(value, 'systemMessage'), warning].filter((text) => text !== undefined)
  return all.length === 0 ? {} : { notices: all }
}

/** This does not block: the workflow ends after this event. */
export function haltIn(value: JsonObject): Pick<Answer, 'halt'> {
  return value.continue === false ? { halt: textAt(value, 'stopReason') ?? 'A hook ended the workflow.' } : {}
}

export function invalidKey(key: string, value: Json, accepted: string): Failure {
  return invalidOutput(`\`${key}\` is ${JSON.stringify(value).slice(0, 60)}; accepted: ${accepted}`)
}

export function invalidOutput(message: string): Failure {
  return { failure: 'invalidOutput', message }
}
