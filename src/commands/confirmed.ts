import { createInterface } from 'node:readline/promises'
import { HoldpointError } from '../core/errors.ts'
import type { Caller } from './caller.ts'

/** Asks the user to confirm what was just listed. Without a terminal, `--yes` is required. */
export async function confirmed(
  caller: Caller,
  question: string,
  options: { readonly yes?: boolean },
): Promise<boolean> {
  if (options.yes === true) return true
  if (!caller.stdin.isTTY) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: 'This command asks for confirmation, but there is no terminal.',
      fix: 'Read the list above, then run the command again with --yes.',
    })
  }
  const prompt = createInterface({ input: caller.stdin, output: caller.stdout })
  const answer = await prompt.question(`${question} Type yes: `)
  prompt.close()
  return answer.trim() === 'yes'
}
