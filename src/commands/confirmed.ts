import { createInterface } from 'node:readline/promises'
import { HoldpointError } from '../errors.ts'

/** Whether a person says yes to what was just listed. With nobody there to ask, `--yes` has to have said it. */
export async function confirmed(question: string, options: { readonly yes?: boolean }): Promise<boolean> {
  if (options.yes === true) return true
  if (!process.stdin.isTTY) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: 'Nobody is here to ask.',
      fix: 'Pass --yes after reading the list above.',
    })
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await prompt.question(`${question} Type yes: `)
  prompt.close()
  return answer.trim() === 'yes'
}
