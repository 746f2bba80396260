import { type Event, type ToolCall, toolOf } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'

/** One act that a guard blocked, so that the user can allow exactly this act. */
export interface Act {
  /** A cryptographic hash over everything that identifies the act. */
  readonly id: string
  /** The same without the guard: the call, whichever guards stop it. */
  readonly call: string
  /** Of the call, short enough to type: one code, also if several guards object. */
  readonly code: string
}

/** Undefined if there is no call to allow, or one that cannot be written as JSON. */
export function actOf(guard: string, event: Event, facts: Pick<Facts, 'cwd' | 'project'>): Act | undefined {
  const tool = toolOf(event)
  const known = tool === undefined ? undefined : callOf(tool, facts)
  if (known === undefined) return undefined
  const { about, call, code } = known
  return { id: hashOf(JSON.stringify([guard, ...about])), call, code }
}

interface Call extends Pick<Act, 'call' | 'code'> {
  readonly about: readonly string[]
}

/** What is the same for all guards that block the call, computed once: its input may be megabytes. */
function callOf(tool: ToolCall, { cwd, project }: Pick<Facts, 'cwd' | 'project'>): Call | undefined {
  if (last?.tool !== tool || last.cwd !== cwd || last.project !== project) {
    const text = spelled(essential(tool), 0)
    const about = text === undefined ? undefined : [tool.name, hashOf(text), cwd, project]
    const call = about === undefined ? '' : hashOf(JSON.stringify(about))
    last = { tool, cwd, project, found: about && { about, call, code: codeOf(call) } }
  }
  return last.found
}

let last:
  | {
      readonly tool: ToolCall
      readonly cwd: string
      readonly project: string
      readonly found: Call | undefined
    }
  | undefined

function hashOf(text: string): string {
  // Imported here because most processes judge one call and block nothing.
  const { hash } = process.getBuiltinModule('node:crypto')
  return hash('sha256', text, 'hex')
}

/** A shell call is identified by its command. Its description changes with every attempt. */
function essential(tool: ToolCall): JsonObject {
  const { command } = tool.input
  if (tool.name !== 'Bash' || typeof command !== 'string') return tool.input
  const { description: _description, timeout: _timeout, ...rest } = tool.input
  return rest
}

const DEPTH_MAX = 64

/** The same text for the same value, in whatever order its keys are. */
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

/** Without letters that look like digits. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_BITS = 40

function codeOf(id: string): string {
  let left = Number.parseInt(id.slice(0, CODE_BITS / 4), 16)
  let letters = ''
  for (let at = 0; at < CODE_BITS / 5; at += 1) {
    letters += LETTERS[left % 32]
    left = Math.floor(left / 32)
  }
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
