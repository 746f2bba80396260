import { HoldpointError, type Result } from '../core/errors.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { isKeyManaged, managedPublicFile, publicFile } from '../system/signatures.ts'
import { changePin, createKey, keyState } from '../system/signing-key.ts'
import type { Caller } from './caller.ts'
import { FORGOTTEN_PIN, type Person, requireConsent, requirePerson, starterHere, typed } from './person.ts'
import { recordPerson } from './person-record.ts'
import { fitted, screenWidth } from './screen.ts'
import { typedSecret } from './typed-secret.ts'

export type PinVerb = 'set' | 'remove' | 'reset' | 'status'

interface PinOptions {
  readonly home?: string
  /** Only for `status`. */
  readonly json?: boolean
  /** Only for `set`: the file that permits it in a terminal that nobody knows. */
  readonly unattended?: string
}

/** The PIN that `allow`, `pause` and `trust` ask for: without it, a program that reads every file cannot sign. */
export async function pin(caller: Caller, verb: PinVerb, options: PinOptions): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  if (verb === 'status')
    return out(
      caller,
      options.json === true ? JSON.stringify({ key: keyState(home) }) : STATUS[keyState(home)],
    )
  const isPermitted = verb === 'set' && options.unattended !== undefined
  if (isPermitted) await requireConsent(caller, home, 'pin', options.unattended)
  const person = isPermitted
    ? {}
    : await requirePerson(caller, home, verb === 'reset' ? FORGOTTEN_PIN : 'pin')
  if (verb === 'set') return set(caller, home, person)
  if (verb === 'remove') return remove(caller, home, person)
  return reset(caller, home)
}

const STATUS = {
  none: 'There is no key yet. Run `holdpoint pin set` to make one that a PIN protects.',
  plain:
    'No PIN is set. A program that can read your files could allow calls, pause guards or trust files in your name. To prevent this, run `holdpoint pin set`.',
  pin: 'A PIN is set. `holdpoint allow`, `pause` and `trust` ask for it.',
  broken: 'Your key cannot be read. To make a new one, run `holdpoint pin reset`.',
}

/**
 * At the end of `init`: what it means to have no PIN, and the question for one where a person answers questions. Nothing
 * is said where nobody reads it.
 */
export async function offerPin(
  caller: Caller,
  home: Home,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  if (!caller.stdout.isTTY || keyState(home) === 'pin') return
  out(caller, `\n${WITHOUT_PIN}`)
  const isAsked = yes !== true && caller.stdin.isTTY && starterHere(caller).kind === 'person'
  if (!isAsked) return out(caller, 'To set one, run `holdpoint pin set` in a terminal window of your own.')
  const { confirm } = await import('@clack/prompts')
  const { stdin, stdout } = caller
  const answer = await confirm({
    ...{ input: stdin, output: stdout },
    message: 'Set a PIN now?',
    initialValue: false,
  })
  if (answer === true) await set(caller, home, {})
}

const WITHOUT_PIN =
  'You have no PIN. Without one, `holdpoint allow`, `trust` and `uninstall` work only in a terminal window that you opened yourself, not in tmux or in an editor, and a program that drives your desktop could run them in your name.'

const PIN_MIN_LENGTH = 6

async function set(caller: Caller, home: Home, person: Person): Promise<void> {
  if (keyState(home) === 'none') createKey(home)
  const before = await currentPin(caller, home, person)
  const chosen = await typedSecret(caller, `New PIN, at least ${PIN_MIN_LENGTH} characters: `)
  if ([...chosen].length < PIN_MIN_LENGTH)
    throw refused('The PIN is too short.', `Choose at least ${PIN_MIN_LENGTH} characters.`)
  if ((await typedSecret(caller, 'The same PIN again: ')) !== chosen)
    throw refused('You typed two different PINs.', 'Run the command again.')
  unwrap(changePin(home, before, chosen))
  recordPerson(caller, home, 'SigningKey', 'a PIN was set')
  out(caller, 'The PIN is set. `holdpoint allow`, `pause` and `trust` ask for it from now on.')
  if (isKeyManaged(home)) return
  out(caller, 'A program that can write your files can still replace your key. To prevent that, run as root:')
  out(caller, `  install -D -m 644 ${publicFile(home)} ${managedPublicFile(home)}`)
}

async function remove(caller: Caller, home: Home, person: Person): Promise<void> {
  if (keyState(home) !== 'pin') return out(caller, 'No PIN is set.')
  unwrap(changePin(home, await currentPin(caller, home, person), undefined))
  recordPerson(caller, home, 'SigningKey', 'the PIN was removed')
  out(caller, 'The PIN is removed.')
}

/** For a forgotten PIN or a broken key. What the old key signed no longer counts. */
async function reset(caller: Caller, home: Home): Promise<void> {
  out(
    caller,
    'This makes a new signing key without a PIN. Your exceptions, pauses and trust no longer count.',
  )
  if (!(await typed(caller, 'Make a new key?', 'reset'))) return out(caller, 'Nothing was changed.')
  createKey(home)
  recordPerson(caller, home, 'SigningKey', 'a new signing key was made')
  out(caller, 'There is a new key. Run `holdpoint pin set`, then `holdpoint trust` in your projects.')
}

async function currentPin(caller: Caller, home: Home, { pin }: Person): Promise<string | undefined> {
  return keyState(home) === 'pin' ? (pin ?? typedSecret(caller, 'Your PIN: ')) : undefined
}

function unwrap(result: Result<void>): void {
  if (!result.ok) throw new HoldpointError(result.problem)
}

function refused(message: string, fix: string): HoldpointError {
  return new HoldpointError({ code: 'OPTION_INVALID', key: 'pin', message, fix })
}

function out(caller: Caller, line: string): void {
  caller.stdout.write(`${fitted(line, screenWidth(caller.stdout))}\n`)
}
