import { commandLinesOf } from '../../core/command-lines.ts'
import { type Event, toolOf } from '../../core/event.ts'
import type { GuardMatch } from '../../core/guard.ts'
import { wordSet } from '../../core/word-list.ts'
import { type Analysis, readAsSeen } from '../../shell/walk/read-commands.ts'
import { resolvePath } from '../../shell/words/paths.ts'
import { oncePerEvent } from './once-per-event.ts'

interface Where {
  readonly cwd: string
  readonly home: string
  readonly written?: ReadonlyMap<string, string>
  readonly readNow?: ((path: string) => string | undefined) | undefined
}

/** What the event's shell command would run; no commands for an event that runs none. */
export const shellOf = oncePerEvent(analyzeEvent)

/**
 * The answer of a guard to a command that cannot be read. It is unsure if the text contains a word that the guard
 * watches, so that a broken command does not pass. `safety/shell/unreadable` catches the rest.
 */
export function unreadableMatch(
  event: Event,
  why: string,
  mentions: RegExp,
  caught: string,
): GuardMatch | null {
  const text = commandText(event)
  if (text !== undefined && text.length <= SEARCHED_MAX && !mentions.test(text)) return null
  return { caught, unsure: `the command cannot be read: ${why}` }
}

/** Longer text is not searched: a hundred guards would take seconds, and unreadable text is unsure anyway. */
const SEARCHED_MAX = 128 * 1024

/** Whether the call runs something that a shell could run too. */
export function isShellCall(event: Event): boolean {
  const tool = toolOf(event)
  return tool !== undefined && (ALWAYS_SHELLS.has(tool.name) || commandLinesOf(tool) !== undefined)
}

/** Shells of Claude Code. One without a command cannot be judged. */
const ALWAYS_SHELLS = wordSet('Bash PowerShell')

/** Each line is read on its own, and one that cannot be read makes the call unreadable. */
function analyzeEvent(event: Event, facts: Where): Analysis {
  const tool = toolOf(event)
  if (tool === undefined) return NOTHING
  const found = commandLinesOf(tool)
  if (found === undefined)
    return ALWAYS_SHELLS.has(tool.name) ? { judged: false, why: 'it has no text' } : NOTHING
  if (found.unread !== undefined) return { judged: false, why: found.unread }
  const where = found.cwd === undefined ? facts : { ...facts, cwd: folderAt(found.cwd, facts) }
  const [first, ...others] = found.lines.map((line) => readAsSeen(line, where))
  return others.reduce(joined, first ?? NOTHING)
}

const NOTHING: Analysis = { judged: true, commands: [] }

function joined(one: Analysis, other: Analysis): Analysis {
  if (!one.judged) return one
  if (!other.judged) return other
  const hidden = one.hidden ?? other.hidden
  return {
    judged: true,
    commands: [...one.commands, ...other.commands],
    ...(hidden === undefined ? {} : { hidden }),
  }
}

/** A folder that cannot be resolved is no folder that is known. */
function folderAt(folder: string, facts: Where): string {
  return resolvePath(folder, facts) ?? ''
}

/** Everything the call would run, as one text. */
export function commandText(event: Event): string | undefined {
  const tool = toolOf(event)
  return tool === undefined ? undefined : commandLinesOf(tool)?.lines.join('\n')
}
