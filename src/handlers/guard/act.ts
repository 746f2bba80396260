import { type Event, type ToolCall, toolOf } from '../../event.ts'
import type { Facts } from '../../facts.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'

/** One act that a guard stopped, so that a person can let exactly it through. */
export interface Act {
  /** A hash nobody can aim at, over all that makes the act what it is. */
  readonly id: string
  /** The same, short enough to be typed. */
  readonly code: string
}

/** Undefined where there is no call to let through, or one nobody could write down. */
export function actOf(guard: string, event: Event, facts: Pick<Facts, 'cwd' | 'project'>): Act | undefined {
  const tool = toolOf(event)
  const input = inputHash(tool)
  if (tool === undefined || input === undefined) return undefined
  const id = hashOf(JSON.stringify([guard, tool.name, input, facts.cwd, facts.project]))
  return { id, code: codeOf(id) }
}

let last: { readonly tool: ToolCall; readonly hash: string | undefined } | undefined

/** Of the input alone, once however many guards stop the call: it may be megabytes. */
function inputHash(tool: ToolCall | undefined): string | undefined {
  if (tool === undefined) return undefined
  if (last?.tool !== tool) {
    const text = spelled(essential(tool), 0)
    last = { tool, hash: text === undefined ? undefined : hashOf(text) }
  }
  return last.hash
}

function hashOf(text: string): string {
  // Loaded here and not above: most processes judge one call, and stop nothing.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(text).digest('hex')
}

/** What a shell call does is its command. What the agent says about it changes with every try. */
function essential(tool: ToolCall): JsonObject {
  const { command } = tool.input
  if (tool.name !== 'Bash' || typeof command !== 'string') return tool.input
  const { description: _description, timeout: _timeout, ...rest } = tool.input
  return rest
}

const DEPTH_MAX = 64

/** The same text for the same value, in whatever order its keys were written. */
function spelled(value: Json, depth: number): string | undefined {
  if (depth > DEPTH_MAX) return undefined
  if (Array.isArray(value)) return joined(value.map((each) => spelled(each, depth + 1)))
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return joined(
    keys.map((key) => {
      const text = spelled(value[key] ?? null, depth + 1)
      return text === undefined ? undefined : `${JSON.stringify(key)}:${text}`
    }),
    '{}',
  )
}

function joined(texts: readonly (string | undefined)[], [open, close] = '[]'): string | undefined {
  return texts.includes(undefined) ? undefined : `${open}${texts.join()}${close}`
}

/** No letter that looks like a digit. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_BITS = 40

function codeOf(id: string): string {
  const bits = BigInt(`0x${id.slice(0, CODE_BITS / 4)}`)
  const letters = Array.from(
    { length: CODE_BITS / 5 },
    (_, at) => LETTERS[Number((bits >> BigInt(at * 5)) & 31n)],
  )
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}
