import { type Event, toolOf } from '../event.ts'
import { textAt } from '../json.ts'
import { type Analysis, analyze } from '../shell/commands.ts'
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

export function isShellCall(event: Event): boolean {
  const name = toolOf(event)?.name
  return name === 'Bash' || name === 'PowerShell'
}

function analyzeEvent(event: Event, facts: Where): Analysis {
  if (!isShellCall(event)) return { judged: true, commands: [] }
  const text = commandText(event)
  if (text === undefined) return { judged: false, why: 'it has no text' }
  return analyze(toolOf(event)?.name === 'PowerShell' ? asPowerShell(text) : text, facts)
}

/** Another language, of which we read what we read of `pwsh -Command`. */
function asPowerShell(code: string): string {
  return `pwsh -Command '${code.replaceAll("'", `'\\''`)}'`
}

function commandText(event: Event): string | undefined {
  const tool = toolOf(event)
  return tool === undefined ? undefined : textAt(tool.input, 'command')
}
