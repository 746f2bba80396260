import type { Decision } from '../../core/decision.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { ToolPromise } from './conversation.ts'

/** Results of tools as the model reads them: refused, replaced, extended. */

/** A refusal is a result, not a protocol error: only a result reaches the model. */
export function refusedResult(text: string): JsonObject {
  return { content: [textBlock(text)], isError: true }
}

export function refusalText(decision: Decision): string {
  const said = decision.reasons.map((reason) => reason.text).join('\n')
  const why = decision.halt ?? (said === '' ? `(${decision.because.join(', ')})` : said)
  return [`Holdpoint denied this call. ${why}`, ...contextOf(decision)].join('\n\n')
}

/** The texts of hooks for this agent. */
export function contextOf(decision: Decision): readonly string[] {
  return decision.context.filter((context) => context.to === 'self').map((context) => context.text)
}

/** The gate cannot end a workflow, so a hook that wants to end it denies the call. */
export function isRefused(decision: Decision): boolean {
  return decision.effect === 'deny' || decision.halt !== undefined
}

/** The result with a hook's replacement: a complete result, its content, or anything else as text. */
export function withOutput(result: JsonObject, output: Json): JsonObject {
  if (isObject(output) && Array.isArray(output.content)) return output
  const content = isContent(output)
    ? output
    : [textBlock(typeof output === 'string' ? output : JSON.stringify(output))]
  return { content, ...(result.isError === true ? { isError: true } : {}) }
}

/**
 * If a result has structured data, agents show the model the data and not the text, so a text is added to
 * both. If the tool's schema allows no other fields, it is not added to the data: clients refuse a result
 * that does not match its schema.
 */
export function withContext(result: JsonObject, texts: readonly string[], promise: ToolPromise): JsonObject {
  if (texts.length === 0) return result
  const { content, structuredContent: data } = result
  const mayAdd = isObject(data) && (promise !== 'only this data' || result.isError === true)
  return {
    ...result,
    content: [...(Array.isArray(content) ? content : []), ...texts.map(textBlock)],
    ...(mayAdd ? { structuredContent: { ...data, holdpoint: texts } } : {}),
  }
}

/** Clients refuse a result without the data of its schema, unless it is a failure. */
export function keepingPromise(result: JsonObject, promise: ToolPromise): JsonObject {
  const isKept = promise === 'nothing' || isObject(result.structuredContent)
  return isKept ? result : { ...result, isError: true }
}

/** All text of a failed result: the model would read unchecked what hooks do not see here. */
export function failureText(result: JsonObject): string {
  const { content, isError: _failed, ...more } = result
  const blocks: readonly Json[] = Array.isArray(content) ? content : []
  const said = blocks.map((block) => (isOnlyText(block) ? block.text : JSON.stringify(block)))
  if (content !== undefined && !Array.isArray(content)) said.push(JSON.stringify(content))
  if (Object.keys(more).length > 0) said.push(JSON.stringify(more))
  return said.join('\n') || 'The tool failed without a message.'
}

function isOnlyText(block: Json): block is { readonly type: 'text'; readonly text: string } {
  return isObject(block) && typeof block.text === 'string' && Object.keys(block).length === 2
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

function isContent(output: Json): output is readonly Json[] {
  return Array.isArray(output) && output.every((block) => isObject(block) && typeof block.type === 'string')
}
