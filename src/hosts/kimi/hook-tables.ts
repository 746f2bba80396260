import { wordSet } from '../../core/word-list.ts'
import { startsHookProgram } from '../hook-entry.ts'

/** Tables `[[hooks]]` in a file of TOML, found line by line: nothing else of the file is read or changed. */
export interface HookTable {
  readonly event: string
  readonly command: string
  readonly timeoutMs: number | undefined
  /** What in it Kimi does not accept: then it drops every hook of the file. */
  readonly wrong: string | undefined
  /** It is started at every event of its kind. */
  readonly isForAll: boolean
  /** Where the table stands in the text. */
  readonly start: number
  readonly end: number
}

export function hookTables(text: string): readonly HookTable[] {
  return [...text.matchAll(/^[ \t]*\[\[[ \t]*hooks[ \t]*\]\][^\n]*(?:\n|$)/gm)].map((found) => {
    const start = found.index
    const body = start + found[0].length
    const next = /^[ \t]*(?:\[|# holdpoint:)/m.exec(text.slice(body))
    const end = next === null ? text.length : body + next.index
    const lines = text.slice(body, end)
    return {
      event: stringAt(lines, 'event') ?? '',
      command: stringAt(lines, 'command') ?? '',
      timeoutMs: secondsAt(lines),
      wrong: wrongIn(lines),
      isForAll: !/^[ \t]*matcher[ \t]*=/m.test(lines),
      start,
      end,
    }
  })
}

/** Seen on 2.1.0: one key or value that it does not know, in any of the tables, and none of them is run. */
function wrongIn(lines: string): string | undefined {
  const keys = [...lines.matchAll(/^[ \t]*(?!#)("[^"\n]*"|'[^'\n]*'|[^\s=#]+)[ \t]*[.=]/gm)].map(
    ([, key = '']) => key.replace(/^["']|["']$/g, ''),
  )
  const unknown = keys.find((key) => !['event', 'matcher', 'command', 'timeout'].includes(key))
  if (unknown !== undefined) return `\`${unknown}\``
  if (!EVENTS.has(stringAt(lines, 'event') ?? '')) return '`event`'
  if ((stringAt(lines, 'command') ?? '') === '') return '`command`'
  const timeout = /^[ \t]*["']?timeout["']?[ \t]*=[ \t]*([^\n#]*)/m.exec(lines)?.[1]?.trim()
  const isTimeout = timeout === undefined || (/^\+?[\d_]+$/.test(timeout) && isSeconds(timeout))
  return isTimeout ? undefined : '`timeout`'
}

function isSeconds(text: string): boolean {
  const seconds = Number(text.replaceAll('_', ''))
  return seconds >= 1 && seconds <= 600
}

const EVENTS = wordSet(`
  PreToolUse PostToolUse PostToolUseFailure PermissionRequest PermissionResult UserPromptSubmit Stop StopFailure Interrupt
  SessionStart SessionEnd SubagentStart SubagentStop PreCompact PostCompact Notification
`)

export function isOwnTable({ command }: HookTable): boolean {
  return startsHookProgram(command, undefined)
}

/** A basic string of TOML has the escapes of JSON; a literal one has none. */
function stringAt(lines: string, key: string): string | undefined {
  const value = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*("(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*')`, 'm').exec(
    lines,
  )?.[1]
  if (value === undefined) return undefined
  if (value.startsWith("'")) return value.slice(1, -1)
  try {
    return JSON.parse(value) as string
  } catch {
    return undefined
  }
}

function secondsAt(lines: string): number | undefined {
  const value = /^[ \t]*timeout[ \t]*=[ \t]*(\d+)/m.exec(lines)?.[1]
  return value === undefined ? undefined : Number(value) * 1_000
}
