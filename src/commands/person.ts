import { createInterface } from 'node:readline/promises'
import { HoldpointError } from '../core/errors.ts'
import { agentAbove, ancestors } from '../system/ancestry.ts'
import type { Home } from '../system/home.ts'
import { personHere } from '../system/person.ts'
import type { Signer } from '../system/signatures.ts'
import { keyState, openSigner } from '../system/signing-key.ts'
import type { Caller } from './caller.ts'
import { typedSecret } from './typed-secret.ts'

/**
 * Continues only for a person: at a terminal, and not in a process that an agent started. A program with this
 * user's rights can still imitate a person, but an agent that follows its instructions cannot do it by
 * accident.
 */
export function requirePerson(caller: Caller, command: string): void {
  const refused = refusalFor(caller, command)
  if (refused !== undefined) throw refused
}

/** Whether a person at a terminal is here, for commands that can do without. */
export function isPersonHere(caller: Caller): boolean {
  return refusalFor(caller, '') === undefined
}

/** Signs in the name of the person at this terminal. Call `requirePerson` first. */
export async function personSigner(caller: Caller, home: Home): Promise<Signer> {
  const pin = keyState(home) === 'pin' ? await typedSecret(caller, 'Your PIN: ') : undefined
  const signer = openSigner(home, personHere(), pin)
  if (!signer.ok) throw new HoldpointError(signer.problem)
  return signer.value
}

function refusalFor(caller: Caller, command: string): HoldpointError | undefined {
  if (!caller.stdin.isTTY || !caller.stdout.isTTY) {
    return refusal(
      `\`holdpoint ${command}\` is only for people, and this is not a terminal.`,
      'Run it in your own terminal.',
    )
  }
  const agent = agentAbove((caller.ancestors ?? ancestors)())
  if (agent === undefined) return undefined
  return refusal(
    `\`holdpoint ${command}\` is only for people, but ${agent} started this process.`,
    'Open a terminal outside the agent and run it there.',
  )
}

/** Whether the user types the whole word; pressing Enter by habit does not count. */
export async function typed(caller: Caller, question: string, word: string): Promise<boolean> {
  const prompt = createInterface({ input: caller.stdin, output: caller.stdout })
  const answer = await prompt.question(`${question} Type ${word}: `)
  prompt.close()
  return answer.trim() === word
}

function refusal(message: string, fix: string): HoldpointError {
  return new HoldpointError({ code: 'OPTION_INVALID', message, fix })
}
