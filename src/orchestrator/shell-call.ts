import type { ToolCall } from '../event.ts'
import type { Facts } from '../facts.ts'
import { plainCommand } from './plain-command.ts'
import { type Whitelist, whyNotListed } from './whitelist.ts'

/** Tools that run a command line: all are judged alike. */
export const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'Monitor'])

/** Undefined: the command is on the list. Otherwise why it may not run, as the end of a sentence. */
export function whyNotRun(tool: ToolCall, list: Whitelist, facts: Facts): string | undefined {
  const { command, run_in_background: background } = tool.input
  if (typeof command !== 'string' || command.trim() === '') return 'there is no command in it'
  if (background !== undefined && background !== null && background !== false) {
    return 'it runs in the background'
  }
  if (tool.name === 'PowerShell' && !MEANS_THE_SAME.test(command)) {
    return 'PowerShell may read it in another way'
  }
  const plain = plainCommand(command, facts)
  return plain.is === 'more' ? plain.why : whyNotListed(plain.words, list, facts)
}

/** Signs that mean the same to every shell. */
const MEANS_THE_SAME = /^[\w ./:=+-]+$/
