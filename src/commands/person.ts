import { createInterface } from 'node:readline/promises'
import { HoldpointError } from '../core/errors.ts'
import { wordSet } from '../core/word-list.ts'
import { ancestors } from '../system/ancestry.ts'
import type { Home } from '../system/home.ts'
import { checkPermit, type Permitted } from '../system/permit.ts'
import { personHere } from '../system/person.ts'
import type { Signer } from '../system/signatures.ts'
import { keyState, openSigner } from '../system/signing-key.ts'
import { type Starter, starterOf } from '../system/starter.ts'
import type { Caller } from './caller.ts'
import { typedSecret } from './typed-secret.ts'

/** A person at a terminal; the PIN, if it was typed already. */
export interface Person {
  readonly pin?: string
  /** The command was confirmed by typing its name. */
  readonly hasTyped?: true
}

/**
 * Continues only for a person: at a terminal that a person opened, and not in a process that an agent started. Where that
 * cannot be known the PIN proves it. A program with this user's rights that drives the desktop can still imitate a
 * person who has no PIN.
 */
export async function requirePerson(caller: Caller, home: Home, command: string): Promise<Person> {
  const refused = refusalFor(caller, home, command)
  if (refused !== undefined) throw refused
  return provePerson(caller, home, command)
}

/**
 * For commands that remove or weaken protection and may run without a terminal: a person started them, or a file that
 * `--unattended` names permits them. A command that does so only in some cases says which one this is: `replaces …`.
 */
export async function requireConsent(
  caller: Caller,
  home: Home,
  command: Permitted,
  unattended: string | undefined,
  does?: string,
): Promise<Person> {
  const starter = starterHere(caller)
  const named = does === undefined ? whole(command) : `${whole(command)} where it ${does}`
  if (starter.kind === 'agent') throw agentRefusal(named, starter.name)
  if (unattended !== undefined) {
    const permitted = checkPermit(home, caller.path(unattended), command)
    if (!permitted.ok) throw new HoldpointError(permitted.problem)
    return {}
  }
  if (isTerminal(caller) && (starter.kind === 'person' || keyState(home) === 'pin'))
    return provePerson(caller, home, command)
  throw unknownRefusal(named, starter.kind === 'person' ? 'its input is no terminal' : starter.why)
}

/** For commands that scripts may run, but no agent. */
export function refuseAgent(caller: Caller, command: string): void {
  const starter = starterHere(caller)
  if (starter.kind === 'agent') throw agentRefusal(whole(command), starter.name)
}

/** Whether a person at a terminal is here, for commands that can do without. */
export function isPersonHere(caller: Caller, home: Home): boolean {
  return refusalFor(caller, home, '') === undefined
}

/** For who cannot type the PIN any more. */
export const FORGOTTEN_PIN = 'pin reset'

/** Who started this command. */
export function starterHere(caller: Caller): Starter {
  return starterOf((caller.ancestors ?? ancestors)())
}

/** Signs in the name of this person. */
export async function personSigner(caller: Caller, home: Home, { pin }: Person): Promise<Signer> {
  const typedPin = pin ?? (keyState(home) === 'pin' ? await askPin(caller) : undefined)
  const signer = openSigner(home, personHere(), typedPin)
  if (!signer.ok) throw new HoldpointError(signer.problem)
  return signer.value
}

/** Questions of their own, which are answered by typing a word. */
const ASKING = wordSet('allow pause pin')

/**
 * Only who knows the PIN can open the key. Without a PIN the name of the command is typed: a script that a person starts
 * has the person's terminal, and `--yes` is one of its words.
 */
async function provePerson(caller: Caller, home: Home, command: string): Promise<Person> {
  const [word = ''] = command.split(' ')
  if (keyState(home) !== 'pin' || command === FORGOTTEN_PIN) {
    if (ASKING.has(word)) return {}
    if (await typed(caller, `${whole(command)}.`, word)) return { hasTyped: true }
    throw refusal(`\`${word}\` was not typed, so nothing was changed.`, 'Run it again and type the word.')
  }
  const pin = await askPin(caller)
  const signer = openSigner(home, personHere(), pin)
  if (!signer.ok) throw new HoldpointError(signer.problem)
  return { pin }
}

function askPin(caller: Caller): Promise<string> {
  return typedSecret(caller, 'Your PIN: ')
}

function isTerminal({ stdin, stdout }: Caller): boolean {
  return stdin.isTTY === true && stdout.isTTY === true
}

function refusalFor(caller: Caller, home: Home, command: string): HoldpointError | undefined {
  if (!isTerminal(caller)) {
    return refusal(`${whole(command)}, and this is not a terminal.`, 'Run it in your own terminal.')
  }
  const starter = starterHere(caller)
  if (starter.kind === 'agent') return agentRefusal(whole(command), starter.name)
  // Where nobody knows, only the PIN shows a person, and who has forgotten it cannot type it.
  const hasPin = keyState(home) === 'pin' && command !== FORGOTTEN_PIN
  return starter.kind === 'person' || hasPin ? undefined : unknownRefusal(whole(command), starter.why)
}

/** The command in the words of a message, which may say in which case it is meant. */
function whole(command: string): string {
  return `\`holdpoint ${command}\` is only for people`
}

function agentRefusal(named: string, agent: string): HoldpointError {
  return refusal(
    `${named}, but ${agent} started this process.`,
    'Open a terminal outside the agent and run it there.',
  )
}

function unknownRefusal(named: string, why: string): HoldpointError {
  return refusal(
    `${named}, and it is not known that a person opened this terminal: ${why}.`,
    'Run it in the window of a terminal program that you opened yourself, or run `holdpoint pin set` there once: the PIN then counts in every terminal. Without a person: `--unattended FILE`, see docs/guide/unattended.md.',
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
