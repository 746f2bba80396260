import type { KeyObject } from 'node:crypto'
import { type KeySet, keyId, type PublicKey, parsePublicKey, publicKeyOf } from '../../config/bundle/keys.ts'
import { pinnedSet } from '../../config/bundle/rotation.ts'
import { HoldpointError } from '../../core/errors.ts'
import { createKeyFile } from '../../tools/bundle/key-file.ts'
import { readPublished, rotateKeys, writePublication } from '../../tools/bundle/publish.ts'
import type { Caller } from '../caller.ts'
import { say } from '../screen.ts'
import { typedSecret } from '../typed-secret.ts'
import { countOption, daysFrom, openKey, sureOf } from './options.ts'

interface CreateOptions {
  readonly out: string
  readonly passphrase?: boolean
}

/** A new key that signs for a fleet. Its public half is what machines are enrolled with. */
export async function createFleetKey(caller: Caller, options: CreateOptions): Promise<void> {
  const key = sureOf(
    createKeyFile(
      caller.path(options.out),
      options.passphrase === true ? await newPassphrase(caller) : undefined,
    ),
  )
  say(caller, `The private key is in ${options.out}. Keep it secret, and keep a copy in a safe place.`)
  say(caller, 'The public key, for `holdpoint fleet enroll --key`:')
  caller.stdout.write(`${publicKeyOf(key)}\n`)
}

async function newPassphrase(caller: Caller): Promise<string> {
  const first = caller.stdin.isTTY ? await typedSecret(caller, 'A passphrase for the key: ') : ''
  const again = first === '' ? '' : await typedSecret(caller, 'Again: ')
  if (first !== '' && first === again) return first
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--passphrase',
    message: first === '' ? 'No passphrase was typed.' : 'The two passphrases differ.',
    fix: 'Run the command again in a terminal.',
  })
}

/** The public half of a key. */
export async function showKey(caller: Caller, file: string): Promise<void> {
  caller.stdout.write(`${publicKeyOf(await openKey(caller, file))}\n`)
}

interface RotateOptions {
  readonly key: readonly string[]
  readonly set: readonly string[]
  readonly threshold?: string
  readonly from?: readonly string[]
  readonly fromThreshold?: string
  readonly expires?: string
}

/** Replaces the keys that count in a published folder. Each person who must agree runs it once with their own key. */
export async function rotateKey(caller: Caller, folder: string, options: RotateOptions): Promise<void> {
  const secrets: KeyObject[] = []
  for (const file of options.key) secrets.push(await openKey(caller, file))
  const own = secrets.map(publicKeyOf)
  const keys = options.set.map((text) => publicKey(text, '--set'))
  const threshold = countOption(options.threshold ?? '1', '--threshold', 1, keys.length)
  const pinned = pinnedKeys(options, own, keys)
  const published = sureOf(readPublished(caller.path(folder), ownKey(own), { mayBeNew: keys, pinned }))
  const ids = keys.map(keyId).join(', ')
  let rotated: { version: number; counts: boolean; why?: string } = { version: 0, counts: false }
  for (const secret of secrets) {
    rotated = sureOf(rotateKeys(published, { keys, threshold }, secret))
    if (rotated.counts) break
  }
  const { version, counts, why } = rotated
  if (!counts) {
    say(
      caller,
      `Version ${version} of the keys is signed with ${own.map(keyId).join(', ')}, and needs more signatures. ${why}`,
    )
    say(
      caller,
      `Let the other persons run the same command with their own keys. Before the first rotation, they add ${pinned.keys.map((each) => `--from ${each}`).join(' ')}.`,
    )
    return
  }
  const now = new Date()
  const { publication } = published
  const signer = secrets.find((secret) => keys.includes(publicKeyOf(secret)))
  if (publication !== undefined && signer !== undefined) {
    const renewed = { ...published, keys: { version, keys, threshold } }
    const expires = daysFrom(now, options.expires ?? '30d')
    sureOf(writePublication(renewed, { key: signer, now, expires }, publication))
    say(caller, `Version ${version} of the keys is published: ${threshold} of ${ids} must sign from now on.`)
    return
  }
  say(caller, `Version ${version} of the keys counts now: ${threshold} of ${ids} must sign.`)
  if (publication !== undefined)
    say(caller, 'Now run `holdpoint fleet bundle publish` with one of the new keys.')
}

function ownKey([first]: readonly PublicKey[]): PublicKey {
  if (first !== undefined) return first
  throw new HoldpointError({ code: 'OPTION_INVALID', key: '--key', message: 'There is no key to sign with.' })
}

/** The keys that machines were enrolled with: those that are named, or those of this person that go. */
function pinnedKeys(
  { from, fromThreshold }: RotateOptions,
  own: readonly PublicKey[],
  next: readonly PublicKey[],
): KeySet {
  const gone = own.filter((key) => !next.includes(key))
  const keys =
    from === undefined ? (gone.length > 0 ? gone : own) : from.map((text) => publicKey(text, '--from'))
  return pinnedSet(keys, countOption(fromThreshold ?? '1', '--from-threshold', 1, keys.length))
}

export function publicKey(text: string, option: string): PublicKey {
  const key = parsePublicKey(text)
  if (key !== undefined) return key
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: option,
    message: `"${text.slice(0, 60)}" is not an Ed25519 public key.`,
    fix: 'Use the line that `holdpoint fleet key create` or `holdpoint fleet key show FILE` prints.',
  })
}
