import type { EventKind } from '../event.ts'
import type { Match, Pattern } from '../hook.ts'
import { isObject, type Json } from '../json.ts'
import { compilePattern } from '../pattern.ts'
import { linearEngine } from '../regex.ts'
import type { Reading } from './claude-reading.ts'
import type { Path } from './locate.ts'
import { nameValue } from './problems.ts'

/** The events that are about one tool call; only there does Claude Code look at `if`. */
export const TOOL_EVENTS: ReadonlySet<EventKind> = new Set<EventKind>([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
])

/**
 * A group's matcher: text as Claude Code reads it, or an object whose keys must all match. Claude Code itself
 * refuses an object, and the whole file with it; here only an object with an unknown key is refused, with its
 * group. Undefined: the group has to be left out.
 */
export function matchOf(
  event: EventKind,
  matcher: Json | undefined,
  path: Path,
  reading: Reading,
): Match | undefined {
  if (matcher === undefined || matcher === null) return {}
  if (typeof matcher === 'string') return subjectMatch(event, matcher, path, reading)
  if (isObject(matcher)) return objectMatch(event, matcher, path, reading)
  reading.report(path, `A matcher is a text or an object; there is ${nameValue(matcher)}.`, {
    code: 'CONFIG_MATCHER',
  })
  return undefined
}

/** Events without a subject: Claude Code fires their hooks whatever the matcher says. */
const WITHOUT_SUBJECT: ReadonlySet<EventKind> = new Set<EventKind>([
  'UserPromptSubmit',
  'PostToolBatch',
  'Stop',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'WorktreeCreate',
  'WorktreeRemove',
  'CwdChanged',
  'MessageDisplay',
])
/** Here `|` parts names, and nothing is a regex. */
const ONLY_NAMES: ReadonlySet<EventKind> = new Set<EventKind>(['FileChanged', 'StopFailure'])

function subjectMatch(event: EventKind, text: string, path: Path, reading: Reading): Match | undefined {
  if (WITHOUT_SUBJECT.has(event)) return {}
  if (ONLY_NAMES.has(event)) {
    const names = text.split('|').map((name) => name.trim())
    return text === '' || text === '*' ? {} : { subject: { is: 'names', names } }
  }
  const pattern = patternOf(text, path, reading)
  if (pattern === undefined) return undefined
  return pattern === 'all' ? {} : { subject: pattern }
}

const KEYS = ['toolName', 'agentName', 'agentType', 'source', 'trigger', 'skill', 'event'] as const

function objectMatch(
  event: EventKind,
  matcher: Readonly<Record<string, Json>>,
  path: Path,
  reading: Reading,
): Match | undefined {
  const match: { -readonly [Key in keyof Match]: Match[Key] } = {}
  for (const [written, text] of Object.entries(matcher)) {
    const key = KEYS.find((known) => known === written)
    if (key === undefined || typeof text !== 'string') {
      const message =
        key === undefined
          ? `\`${written.slice(0, 60)}\` is not a key of a matcher. Accepted: ${KEYS.join(', ')}.`
          : `Here must be a text; there is ${nameValue(text)}.`
      reading.report([...path, written], message, { code: 'CONFIG_MATCHER' })
      return undefined
    }
    const pattern = patternOf(text, [...path, written], reading)
    if (pattern === undefined) return undefined
    if (key === 'event') {
      if (pattern !== 'all' && !compilePattern(pattern, linearEngine)(event)) return undefined
    } else if (pattern !== 'all') {
      match[targetOf(key, event)] = pattern
    }
  }
  return match
}

/** A tool's name is the subject wherever there is a tool, and `toolName` stays free for a condition. */
function targetOf(
  key: Exclude<(typeof KEYS)[number], 'event'>,
  event: EventKind,
): Exclude<keyof Match, 'exceptHost' | 'orShellTool'> {
  if (key === 'agentName') return 'agentType'
  return key === 'toolName' && TOOL_EVENTS.has(event) ? 'subject' : key
}

/** Undefined: it cannot be read, which was said. */
function patternOf(text: string, path: Path, { readMatcher, report }: Reading): Pattern | 'all' | undefined {
  const matcher = readMatcher(text, 'claude')
  if (!matcher.ok) {
    report(path, matcher.problem.message, { code: 'CONFIG_MATCHER' })
    return undefined
  }
  const { pattern, warning } = matcher.value
  if (warning !== undefined) report(path, warning, { code: 'CONFIG_MATCHER', severity: 'warning' })
  return pattern ?? 'all'
}
