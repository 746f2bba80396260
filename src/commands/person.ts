import { createInterface } from 'node:readline/promises'
import { HoldpointError } from '../errors.ts'
import { agentAbove, ancestors } from '../world/ancestry.ts'

/**
 * Only a person goes on from here: at a terminal, and in no process that an agent started. Whoever has this user's
 * rights and means to can still pretend; an agent that follows its instructions cannot slip through.
 */
export function requirePerson(command: string): void {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw refusal(
      `\`holdpoint ${command}\` is for a person at a terminal, and this is none.`,
      'Type it in a terminal of your own.',
    )
  }
  const agent = agentAbove(ancestors())
  if (agent === undefined) return
  throw refusal(
    `\`holdpoint ${command}\` is for a person, and this was started by ${agent}.`,
    'Open a terminal outside the agent and type it there.',
  )
}

/** Whether the person types the word: a key pressed by habit is none. */
export async function typed(question: string, word: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await prompt.question(`${question} Type ${word}: `)
  prompt.close()
  return answer.trim() === word
}

function refusal(message: string, fix: string): HoldpointError {
  return new HoldpointError({ code: 'OPTION_INVALID', message, fix })
}
