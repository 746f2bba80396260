import { isUtf8 } from 'node:buffer'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { ambiguityIn } from './strict-json.ts'

/** JSON-RPC as MCP uses it. This file only says what a message is, not what may be done with it. */
export type Id = string | number

export type Message =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly json: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly json: JsonObject }
  | { readonly kind: 'response'; readonly id: Id | null; readonly json: JsonObject }

/** A complete message: `bytes` mean exactly `messages`, on one line without its newline. */
export interface Received {
  readonly messages: readonly Message[]
  /** They came in a list, which may have only one element. */
  readonly isBatch: boolean
  readonly bytes: Buffer
}

/** An invalid message: why, and the id that an error must name. */
export interface Unreadable {
  readonly wrong: string
  readonly id: Id | null
  /** It is not JSON at all. */
  readonly garbled: boolean
}

/** The largest message that is read. Larger ones cannot be checked, so they are not forwarded. */
export const MESSAGE_MAX_BYTES = 32 * 1024 * 1024

/** Undefined: an empty line, which is ignored. */
export function readMessages(line: Buffer): Received | Unreadable | undefined {
  const text = line.toString('utf8').trim()
  if (text === '') return undefined
  const json = parse(text)
  if (json === undefined) return { wrong: 'is not JSON', id: null, garbled: true }
  const id = isObject(json) ? (idOf(json) ?? null) : null
  const wrong = isUtf8(line) ? ambiguityIn(text) : 'is not UTF-8'
  if (wrong !== undefined) return { wrong, id, garbled: false }
  if (!Array.isArray(json)) {
    const message = messageOf(json)
    if (typeof message === 'string') return { wrong: message, id, garbled: false }
    return { messages: [message], isBatch: false, bytes: onOneLine(line, text, json) }
  }
  const parts = json.map((part) => messageOf(part as Json))
  const broken = parts.find((part) => typeof part === 'string')
  if (broken !== undefined || parts.length === 0) {
    return { wrong: broken ?? 'is an empty batch', id: null, garbled: false }
  }
  const messages = parts.filter((part) => typeof part !== 'string')
  return { messages, isBatch: true, bytes: onOneLine(line, text, json) }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/**
 * A line break between two tokens is valid JSON, but a line reader would take it for the end of the message.
 */
function onOneLine(line: Buffer, text: string, json: Json): Buffer {
  if (/[\r\n]/.test(text)) return Buffer.from(JSON.stringify(json))
  return line.length === Buffer.byteLength(text) ? line : Buffer.from(text)
}

/** The message, or what is wrong with it. */
function messageOf(json: Json): Message | string {
  if (!isObject(json)) return 'is not a JSON-RPC object'
  const alike = Object.keys(json).find((key) => WORDS.has(folded(key)) && !WORDS.has(key))
  if (alike !== undefined)
    return `has the key ${JSON.stringify(alike)}, which some parsers read as another key`
  const { method } = json
  const [answers, id] = [Number('result' in json) + Number('error' in json), idOf(json)]
  if (id === undefined) return 'has an id that is neither a string nor a whole number'
  if (method === undefined) {
    if (answers !== 1) return 'is neither a request nor an answer'
    return id === null && json.error === undefined
      ? 'is not the answer to a request'
      : { kind: 'response', id, json }
  }
  if (typeof method !== 'string' || answers > 0) return 'is not a JSON-RPC request'
  return id === null ? { kind: 'notification', method, json } : { kind: 'request', id, method, json }
}

const WORDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

/** As parsers that ignore case compare keys, for example Go's, including its two special letters. */
export function folded(word: string): string {
  return word.toUpperCase().toLowerCase()
}

/**
 * Null if there is none; undefined if it is not valid. A number must stay the same when it is read and
 * written.
 */
function idOf(json: JsonObject): Id | null | undefined {
  const { id = null } = json
  return id === null || typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id | null) : undefined
}

/** `1` and `"1"` are different ids. */
export function idKey(id: Id): string {
  return JSON.stringify(id)
}

export const CODES = {
  parse: -32700,
  request: -32600,
  params: -32602,
  internal: -32603,
  /** The code that the official SDKs use when a connection closes during a request. */
  closed: -32000,
} as const

export function encodeMessage(json: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(json))
}

export function errorMessage(id: Id | null, code: number, message: string): Buffer {
  return encodeMessage({ jsonrpc: '2.0', id, error: { code, message } })
}

export function resultMessage(id: Id, result: JsonObject): Buffer {
  return encodeMessage({ jsonrpc: '2.0', id, result })
}
