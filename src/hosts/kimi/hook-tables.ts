import { startsHookProgram } from '../hook-entry.ts'

/** Tables `[[hooks]]` in a file of TOML, found line by line: nothing else of the file is read or changed. */
export interface HookTable {
  readonly event: string
  readonly command: string
  readonly timeoutMs: number | undefined
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
      isForAll: !/^[ \t]*matcher[ \t]*=/m.test(lines),
      start,
      end,
    }
  })
}

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
