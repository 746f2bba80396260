import { type Event, toolOf } from '../event.ts'
import { textAt } from '../json.ts'
import { type Analysis, analyze } from '../shell/commands.ts'
import type { Caught } from './guard.ts'

interface Where {
  readonly cwd: string
  readonly home: string
}

/** One parse per event, however many guards ask. Events live as long as their call, so nothing piles up. */
const remembered = new WeakMap<Event, Where & { readonly analysis: Analysis }>()

/** What the event's shell command would run; no commands for an event that is no shell call. */
export function shellOf(event: Event, facts: Where): Analysis {
  const known = remembered.get(event)
  if (known !== undefined && known.cwd === facts.cwd && known.home === facts.home) return known.analysis
  const analysis = analyzeEvent(event, facts)
  remembered.set(event, { cwd: facts.cwd, home: facts.home, analysis })
  return analysis
}

/**
 * A guard's answer to a command that cannot be read: a doubt where the text names what the guard watches, so that
 * nothing passes because it is garbled. `safety/shell/unreadable` catches the others.
 */
export function unreadable(event: Event, why: string, mentions: RegExp, caught: string): Caught | null {
  const text = commandText(event)
  if (text !== undefined && !mentions.test(text)) return null
  return { caught, unsure: `the command cannot be read: ${why}` }
}

export function isShellCall(event: Event): boolean {
  return toolOf(event)?.name === 'Bash'
}

function analyzeEvent(event: Event, facts: Where): Analysis {
  if (!isShellCall(event)) return { judged: true, commands: [] }
  const text = commandText(event)
  return text === undefined ? { judged: false, why: 'it has no text' } : analyze(text, facts)
}

function commandText(event: Event): string | undefined {
  const tool = toolOf(event)
  return tool === undefined ? undefined : textAt(tool.input, 'command')
}
