import type { Command } from 'commander'
import type { Caller } from './caller.ts'
import { candidatesFor } from './completion/candidates.ts'
import { completionValues } from './completion/values.ts'

/**
 * Answers the scripts of `holdpoint completion`. `words` are the words after the program name up to the
 * cursor; the last one is unfinished or empty. Prints one candidate a line, with its description after a tab.
 * `:files` or `:folders` alone means that the shell should complete a path.
 */
export async function complete(caller: Caller, program: Command, words: readonly string[]): Promise<void> {
  const { candidates, paths } = await candidatesFor(program, words, completionValues)
  const lines = candidates.map(({ value, description }) => {
    const said = description.replaceAll(/\s+/g, ' ').trim()
    return said === '' ? value : `${value}\t${said}`
  })
  if (paths !== undefined) lines.push(`:${paths}`)
  caller.stdout.write(lines.map((line) => `${line}\n`).join(''))
}
