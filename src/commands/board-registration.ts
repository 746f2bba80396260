import { ownSettings } from '../app/own-settings.ts'
import { HoldpointError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { type BoardRegistration, createBoardKey, signRegistration } from '../daemon/approvals/registration.ts'
import type { Home } from '../system/home.ts'
import { personHere } from '../system/person.ts'
import { keyState, openSigner, sealWithPin } from '../system/signing-key.ts'
import type { Caller } from './caller.ts'
import { isPersonHere } from './person.ts'
import { say } from './screen.ts'
import { typedSecret } from './typed-secret.ts'

/** A board that may answer questions, or why it may not. */
export type BoardRights =
  | {
      readonly kind: 'answers'
      readonly registration: BoardRegistration
      /** Encrypted with the PIN, which is not kept. */
      readonly sealedKey: JsonObject
      readonly notify: boolean | readonly string[]
    }
  | { readonly kind: 'shows'; readonly why: string; readonly fix: string }

/**
 * The person at this terminal signs the key of the board with the PIN. Everything else is a board that only shows: no
 * person, no PIN, or a policy in which no question waits.
 */
export async function registerBoard(caller: Caller, home: Home, pid: number): Promise<BoardRights> {
  const settings = await ownSettings(home)
  if (settings === undefined || settings.ask.waitMs === 0) {
    return shows(
      'No question waits for a person.',
      'Set `settings: { ask: { waitMs: 20000 } }` in your config.yaml.',
    )
  }
  if (!isPersonHere(caller, home)) {
    return shows('No person started this board at a terminal.', 'Run `holdpoint ui` in your own terminal.')
  }
  if (keyState(home) !== 'pin') {
    return shows('Your signing key has no PIN, so any program could answer.', 'Run `holdpoint pin set`.')
  }
  say(
    caller,
    'Questions of agents wait for an answer here. To be able to answer, type your PIN; press Enter only to look.',
  )
  const pin = await typedSecret(caller, 'Your PIN: ')
  if (pin === '')
    return shows('You chose only to look.', 'End the board and start it again to answer questions.')
  const signer = openSigner(home, personHere(), pin)
  if (!signer.ok) throw new HoldpointError(signer.problem)
  const key = createBoardKey()
  const registration = signRegistration(key.publicKey, signer.value, Date.now(), pid)
  say(caller, caller.colours.dim('You can answer questions here for 12 hours.'))
  const sealedKey = sealWithPin(key.privateKey, pin)
  key.privateKey.fill(0)
  return { kind: 'answers', registration, sealedKey, notify: settings.ask.notify }
}

function shows(why: string, fix: string): BoardRights {
  return { kind: 'shows', why, fix }
}
