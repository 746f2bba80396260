import type { ToolCall } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { plainCommand } from './plain-command.ts'
import { type Whitelist, whyNotListed } from './whitelist.ts'

/** Tools that run a command line. All are judged the same way. */
export const SHELL_TOOLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'Monitor'])

/** Undefined: the command is on the list. Otherwise the reason why it may not run, as the end of a sentence. */
export function whyNotRun(tool: ToolCall, list: Whitelist, facts: Facts): string | undefined {
  const { command, run_in_background: background } = tool.input
  if (typeof command !== 'string' || command.trim() === '') return 'the call contains no command'
  if (background !== undefined && background !== null && background !== false) {
    return 'it runs in the background'
  }
  if (tool.name === 'PowerShell' && !MEANS_THE_SAME.test(command)) {
    return 'PowerShell may read it differently'
  }
  const plain = plainCommand(command, facts)
  return plain.kind === 'more' ? plain.why : whyNotListed(plain.words, list, facts)
}

/** Characters with the same meaning in every shell. */
const MEANS_THE_SAME = /^[\w ./:=+-]+$/
