import type { Facts } from '../../core/facts.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import { type Analysis, readCommands } from '../../shell/walk/read-commands.ts'
import { exactTexts } from '../../shell/words/words.ts'
import { isSignals, segments } from './paths.ts'

const WAITERS: ReadonlySet<string> = new Set(['sleep', 'watch', 'inotifywait', 'fswatch', 'entr', 'usleep'])

/** Whether the command waits for something, and how. An unreadable command may wait. */
export function waitingIn(text: string, facts: Facts): string | undefined {
  return foundIn(readCommands(text, facts), ({ name, args, via }) => {
    if (via.some((step) => LOOP.test(step))) return 'a loop waits'
    if (name !== undefined && WAITERS.has(name)) return `\`${name}\` waits`
    const follows = args.some((word) => exactTexts(word).some((each) => FOLLOW.test(each)))
    return name === 'tail' && follows ? '`tail` follows a file' : undefined
  })
}

const LOOP = /^(?:while|until|for|select)\b/
const FOLLOW = /^-[a-zA-Z]*[fF]|^--(?:follow|retry)/

/** Whether it reads a signal folder with something other than the tools for that. */
export function lookupIn(text: string, facts: Facts): string | undefined {
  return foundIn(readCommands(text, facts), ({ name, args, redirections, via }) => {
    if (name === 'uv' || name === 'holdpoint' || name === 'mkdir' || via.includes('uv run')) return undefined
    const words = [...args, ...redirections.map(({ target }) => target)].map(({ source }) => source)
    const isLookup = words.some((word) => segments(word.replace(/["']/g, '')).some(isSignals))
    return isLookup ? 'it looks for signals without the tools' : undefined
  })
}

function foundIn(read: Analysis, why: (command: SimpleCommand) => string | undefined): string | undefined {
  if (!read.judged) return `it cannot be read: ${read.why}`
  for (const command of read.commands) {
    const found = why(command)
    if (found !== undefined) return found
  }
  return undefined
}
