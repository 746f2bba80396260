import { isUtf8 } from 'node:buffer'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { ambiguityIn } from './strict-json.ts'

/** JSON-RPC as MCP speaks it. What is here says what a message is, never what may be done with it. */
export type Id = string | number

export type Message =
  | { readonly is: 'request'; readonly id: Id; readonly method: string; readonly json: JsonObject }
  | { readonly is: 'notification'; readonly method: string; readonly json: JsonObject }
  | { readonly is: 'response'; readonly id: Id | null; readonly json: JsonObject }

/** What came, whole: `bytes` say exactly `messages`, on one line without its end. */
export interface Received {
  readonly messages: readonly Message[]
  /** They came in a list: more than one, or one by chance. */
  readonly isBatch: boolean
  readonly bytes: Buffer
}

/** What came and is no message, why, and whom an answer would have to name. */
export interface Unreadable {
  readonly wrong: string
  readonly id: Id | null
  /** No JSON at all. */
  readonly garbled: boolean
}

/** The largest message that is read; nothing larger is judged, so nothing larger passes. */
export const MESSAGE_MAX_BYTES = 32 * 1024 * 1024

/** Undefined: an empty line, which means nothing. */
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

/** A line break between two tokens is fine in JSON; a reader of lines takes it for the end of a message. */
function onOneLine(line: Buffer, text: string, json: Json): Buffer {
  if (/[\r\n]/.test(text)) return Buffer.from(JSON.stringify(json))
  return line.length === Buffer.byteLength(text) ? line : Buffer.from(text)
}

/** The message, or what is wrong with it. */
function messageOf(json: Json): Message | string {
  if (!isObject(json)) return 'is no JSON-RPC object'
  const alike = Object.keys(json).find((key) => WORDS.has(folded(key)) && !WORDS.has(key))
  if (alike !== undefined) return `has the key ${JSON.stringify(alike)}, which some readers take for another`
  const { method } = json
  const [answers, id] = [Number('result' in json) + Number('error' in json), idOf(json)]
  if (id === undefined) return 'has an id that is neither a text nor a whole number'
  if (method === undefined) {
    if (answers !== 1) return 'is neither a request nor one answer'
    return id === null && json.error === undefined ? 'answers no request' : { is: 'response', id, json }
  }
  if (typeof method !== 'string' || answers > 0) return 'is no JSON-RPC request'
  return id === null ? { is: 'notification', method, json } : { is: 'request', id, method, json }
}

const WORDS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error'])

/** As readers do that do not tell upper case from lower: Go's, also with its two odd letters. */
export function folded(word: string): string {
  return word.toUpperCase().toLowerCase()
}

/** Null where there is none; undefined where it cannot be one. A number must survive being read and written. */
function idOf(json: JsonObject): Id | null | undefined {
  const { id = null } = json
  return id === null || typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id | null) : undefined
}

/** `1` and `"1"` are two ids. */
export function keyOf(id: Id): string {
  return JSON.stringify(id)
}

export const CODES = {
  parse: -32700,
  request: -32600,
  params: -32602,
  internal: -32603,
  /** What the official SDKs say when a connection closes under a request. */
  closed: -32000,
} as const

export function encode(json: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(json))
}

export function errorMessage(id: Id | null, code: number, message: string): Buffer {
  return encode({ jsonrpc: '2.0', id, error: { code, message } })
}

export function resultMessage(id: Id, result: JsonObject): Buffer {
  return encode({ jsonrpc: '2.0', id, result })
}
