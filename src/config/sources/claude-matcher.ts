import type { EventKind } from '../../core/event.ts'
import type { Matcher, Pattern } from '../../core/hook.ts'
import { isObject, type Json } from '../../core/json.ts'
import { compilePattern } from '../../core/match/pattern.ts'
import { linearEngine } from '../../core/match/regex.ts'
import type { ClaudeReader } from './claude-reading.ts'
import type { Path } from './locate.ts'
import { nameValue } from './problems.ts'

/** The events with one tool call. Claude Code evaluates `if` only at these. */
export const TOOL_EVENTS: ReadonlySet<EventKind> = new Set<EventKind>([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
])

/**
 * The matcher of a group: text as in Claude Code, or an object whose keys must all match. Claude Code itself
 * rejects an object, and the whole file with it. Here only a group whose object has an unknown key is
 * rejected. Undefined: the group must be left out.
 */
export function matchOf(
  event: EventKind,
  matcher: Json | undefined,
  path: Path,
  reading: ClaudeReader,
): Matcher | undefined {
  if (matcher === undefined || matcher === null) return {}
  if (typeof matcher === 'string') return subjectMatch(event, matcher, path, reading)
  if (isObject(matcher)) return objectMatch(event, matcher, path, reading)
  reading.report(path, `A matcher must be a text or an object, not ${nameValue(matcher)}.`, {
    code: 'CONFIG_MATCHER',
  })
  return undefined
}

/** Events without a subject: Claude Code runs their hooks whatever the matcher is. */
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
/** At these events `|` separates names, and nothing is a regex. */
const ONLY_NAMES: ReadonlySet<EventKind> = new Set<EventKind>(['FileChanged', 'StopFailure'])

function subjectMatch(
  event: EventKind,
  text: string,
  path: Path,
  reading: ClaudeReader,
): Matcher | undefined {
  if (WITHOUT_SUBJECT.has(event)) return {}
  if (ONLY_NAMES.has(event)) {
    const names = text.split('|').map((name) => name.trim())
    return text === '' || text === '*' ? {} : { subject: { kind: 'names', names } }
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
  reading: ClaudeReader,
): Matcher | undefined {
  const match: { -readonly [Key in keyof Matcher]: Matcher[Key] } = {}
  for (const [written, text] of Object.entries(matcher)) {
    const key = KEYS.find((known) => known === written)
    if (key === undefined || typeof text !== 'string') {
      const message =
        key === undefined
          ? `\`${written.slice(0, 60)}\` is not a key of a matcher. Accepted: ${KEYS.join(', ')}.`
          : `Expected a text, not ${nameValue(text)}.`
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

/** The tool name is the subject if there is a tool, so `toolName` stays free for a condition. */
function targetOf(
  key: Exclude<(typeof KEYS)[number], 'event'>,
  event: EventKind,
): Exclude<keyof Matcher, 'exceptHost' | 'exceptTools' | 'orRunsCommands'> {
  if (key === 'agentName') return 'agentType'
  return key === 'toolName' && TOOL_EVENTS.has(event) ? 'subject' : key
}

/** Undefined: it cannot be read, which was reported. */
function patternOf(
  text: string,
  path: Path,
  { readMatcher, report }: ClaudeReader,
): Pattern | 'all' | undefined {
  const matcher = readMatcher(text, 'claude')
  if (!matcher.ok) {
    report(path, matcher.problem.message, { code: 'CONFIG_MATCHER' })
    return undefined
  }
  const { pattern, warning } = matcher.value
  if (warning !== undefined) report(path, warning, { code: 'CONFIG_MATCHER', severity: 'warning' })
  return pattern ?? 'all'
}
