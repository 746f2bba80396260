import { type Event, toolOf } from '../event.ts'
import { type Analysis, analyzeAsSeen } from '../shell/commands.ts'
import { isShellTool } from '../shell-tools.ts'
import type { Caught } from './guard.ts'
import { oncePerEvent } from './once-per-event.ts'

interface Where {
  readonly cwd: string
  readonly home: string
}

/** What the event's shell command would run; no commands for an event that is no shell call. */
export const shellOf = oncePerEvent(analyzeEvent)

/**
 * A guard's answer to a command that cannot be read: a doubt where the text names what the guard watches, so that
 * nothing passes because it is garbled. `safety/shell/unreadable` catches the others.
 */
export function unreadable(event: Event, why: string, mentions: RegExp, caught: string): Caught | null {
  const text = commandText(event)
  if (text !== undefined && text.length <= SEARCHED_MAX && !mentions.test(text)) return null
  return { caught, unsure: `the command cannot be read: ${why}` }
}

/** Longer text is not searched: a hundred guards would take seconds, and what nobody can read is a doubt anyway. */
const SEARCHED_MAX = 128 * 1024

/** A tool of another agent is a shell only where it is given a command to run. */
export function isShellCall(event: Event): boolean {
  const name = toolOf(event)?.name
  if (name === undefined || !isShellTool(name)) return false
  return name === 'Bash' || name === 'PowerShell' || commandText(event) !== undefined
}

function analyzeEvent(event: Event, facts: Where): Analysis {
  if (!isShellCall(event)) return { judged: true, commands: [] }
  const text = commandText(event)
  if (text === undefined) return { judged: false, why: 'it has no text' }
  return analyzeAsSeen(toolOf(event)?.name === 'PowerShell' ? asPowerShell(text) : text, facts)
}

/** Another language, of which we read what we read of `pwsh -Command`. */
function asPowerShell(code: string): string {
  return `pwsh -Command '${code.replaceAll("'", `'\\''`)}'`
}

function commandText(event: Event): string | undefined {
  const tool = toolOf(event)
  if (tool === undefined) return undefined
  const { command = tool.input.cmd } = tool.input
  if (typeof command === 'string') return command === '' ? undefined : command
  // Words, as `execvp` takes them: what is in them is no syntax.
  const isWords =
    Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string')
  return isWords ? command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ') : undefined
}
