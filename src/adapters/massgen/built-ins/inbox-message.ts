import type { Injection } from '../../../core/formats/massgen-result.ts'
import { isObject, type Json } from '../../../core/json.ts'
import { compilePattern, parsePattern } from '../../../core/match/pattern.ts'

/** The message in the inbox: a text, the tools it is for, its expiry, and its number. */
export interface FileMessage {
  readonly inject: Injection
  readonly tool_matcher: string
  /** Seconds since 1970. */
  readonly expires_at: number | null
  readonly sequence: number | null
}

/** Undefined: it is not valid. */
export function readInboxMessage(text: string): FileMessage | undefined {
  const value = parse(text)
  if (!isObject(value) || !isObject(value.inject)) return undefined
  // Writers in other languages use null for missing values.
  const { content } = value.inject
  const strategy = value.inject.strategy ?? 'tool_result'
  const matcher = value.tool_matcher ?? '*'
  const { expires_at: expires = null, sequence = null } = value
  const expiresAt = readTime(expires)
  if (typeof content !== 'string' || content === '' || expiresAt === undefined) return undefined
  if (strategy !== 'tool_result' && strategy !== 'user_message') return undefined
  if (typeof matcher !== 'string' || !parsePattern(matcher, 'glob').ok) return undefined
  if (sequence !== null && (typeof sequence !== 'number' || !Number.isFinite(sequence))) return undefined
  return { inject: { content, strategy }, tool_matcher: matcher, expires_at: expiresAt, sequence }
}

export function isExpired({ expires_at: at }: FileMessage, nowMs: number): boolean {
  return at !== null && at * 1_000 <= nowMs
}

export function isForTool({ tool_matcher: matcher }: FileMessage, tool: string): boolean {
  const pattern = parsePattern(matcher, 'glob')
  return pattern.ok && compilePattern(pattern.value, NO_REGEX)(tool)
}

/** A glob that matches all tools needs no check. */
const NO_REGEX = { compile: () => () => false }

/** Two messages as one, so that nothing is lost if the second comes before the first was read. */
export function mergeMessages(first: FileMessage, second: FileMessage): FileMessage {
  const isMessage = [first, second].every(({ inject }) => inject.strategy === 'user_message')
  const matchers = new Set([first.tool_matcher, second.tool_matcher])
  return {
    inject: {
      content: `${first.inject.content}\n${second.inject.content}`,
      strategy: isMessage ? 'user_message' : 'tool_result',
    },
    tool_matcher: matchers.has('*') || matchers.has('') ? '*' : [...matchers].join('|'),
    expires_at:
      first.expires_at === null || second.expires_at === null
        ? null
        : Math.max(first.expires_at, second.expires_at),
    sequence: second.sequence,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds since 1970, or ISO 8601. */
function readTime(value: Json): number | null | undefined {
  if (value === null) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms / 1_000
}
