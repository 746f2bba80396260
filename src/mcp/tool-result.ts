import type { Decision } from '../decision.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { ToolPromise } from './conversation.ts'

/** Results of tools as the model reads them: refused, replaced, added to. */

/** A refusal is a result, not an error of the protocol: only a result reaches the model. */
export function refusal(text: string): JsonObject {
  return { content: [textBlock(text)], isError: true }
}

export function refusalText(decision: Decision): string {
  const said = decision.reasons.map((reason) => reason.text).join('\n')
  const why = decision.halt ?? (said === '' ? `(${decision.because.join(', ')})` : said)
  return [`Holdpoint denied this call. ${why}`, ...contextOf(decision)].join('\n\n')
}

/** What hooks have to say to this agent. */
export function contextOf(decision: Decision): readonly string[] {
  return decision.context.filter((context) => context.to === 'self').map((context) => context.text)
}

/** The gate ends no workflow; what should end one does not go on here. */
export function isDenied(decision: Decision): boolean {
  return decision.effect === 'deny' || decision.halt !== undefined
}

/** The result with what a hook put in its place: a whole result, its content, or anything else as text. */
export function withOutput(result: JsonObject, output: Json): JsonObject {
  if (isObject(output) && Array.isArray(output.content)) return output
  const content = isContent(output)
    ? output
    : [textBlock(typeof output === 'string' ? output : JSON.stringify(output))]
  return { content, ...(result.isError === true ? { isError: true } : {}) }
}

/**
 * Where a result holds data, agents show the model the data and not the text; so it is said in both, unless the tool
 * promised that nothing else stands there: clients refuse a result that breaks its promise.
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

/** A result that lost the data its tool promised is refused by clients, unless it is a failure. */
export function keepingPromise(result: JsonObject, promise: ToolPromise): JsonObject {
  const isKept = promise === 'nothing' || isObject(result.structuredContent)
  return isKept ? result : { ...result, isError: true }
}

/** What a failed result says, all of it: what hooks do not see here, the model would read unjudged. */
export function failureText(result: JsonObject): string {
  const { content, isError: _failed, ...more } = result
  const blocks: readonly Json[] = Array.isArray(content) ? content : []
  const said = blocks.map((block) => (isOnlyText(block) ? block.text : JSON.stringify(block)))
  if (content !== undefined && !Array.isArray(content)) said.push(JSON.stringify(content))
  if (Object.keys(more).length > 0) said.push(JSON.stringify(more))
  return said.join('\n') || 'The tool failed and said nothing.'
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
