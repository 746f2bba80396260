import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scryptSync,
  sign,
} from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { bad, good, type Result } from '../core/errors.ts'
import { isObject, type JsonObject, textAt } from '../core/json.ts'
import { writeWhole } from './files.ts'
import { readOwnJson } from './own-json.ts'
import {
  isKeyManaged,
  type KeyHome,
  managedPublicFile,
  messageOf,
  publicFile,
  publicKeys,
  type SignedBy,
  type Signer,
} from './signatures.ts'

/** The private key that signs the decisions of a person. With a PIN it is encrypted. */
function privateFile(home: KeyHome): string {
  return join(home.folder, 'person.key')
}

export type KeyState = 'none' | 'plain' | 'pin' | 'broken'

/** How the private key is stored. */
export function keyState(home: KeyHome): KeyState {
  if (statSync(privateFile(home), { throwIfNoEntry: false }) === undefined) return 'none'
  const kept = readOwnJson(privateFile(home))
  if (textAt(kept ?? {}, 'key') !== undefined) return 'plain'
  return isObject(kept?.sealed) ? 'pin' : 'broken'
}

/** Creates a new key, stored with this PIN or without one. Signatures of an earlier key no longer count. */
export function createKey(home: KeyHome, pin?: string): void {
  const pair = generateKeyPairSync('ed25519')
  keepKey(home, pair.privateKey, pin)
}

/** The same key with another PIN, or with none. */
export function changePin(
  home: KeyHome,
  before: string | undefined,
  after: string | undefined,
): Result<void> {
  const key = openKey(home, before)
  if (!key.ok) return key
  keepKey(home, key.value, after)
  return good(undefined)
}

/** The private key is written first, because a public key without it could not be used. */
function keepKey(home: KeyHome, key: KeyObject, pin: string | undefined): void {
  const bytes = key.export({ format: 'der', type: 'pkcs8' })
  const kept = pin === undefined ? { key: bytes.toString('base64') } : { sealed: sealWithPin(bytes, pin) }
  writeWhole(privateFile(home), `${JSON.stringify({ version: 1, ...kept }, null, 2)}\n`, 0o600)
  writeWhole(publicFile(home), `${publicText(key)}\n`, 0o600)
}

function publicText(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
}

/** Signs in the name of this person. Creates a key if there is none yet. */
export function openSigner(home: KeyHome, by: Omit<SignedBy, 'atMs'>, pin?: string): Result<Signer> {
  if (keyState(home) === 'none') createKey(home)
  const key = openKey(home, pin)
  if (!key.ok) return key
  const counts = publicKeys(home).some((each) => publicTextOf(each) === publicText(key.value))
  if (!counts) {
    const file = isKeyManaged(home) ? managedPublicFile(home) : publicFile(home)
    return bad('SIGNING_KEY', 'Your signing key does not belong to the public key that counts here.', {
      file,
    })
  }
  return good({
    sign: (kind, content) => {
      const signed = { ...by, atMs: Date.now() }
      const signature = sign(null, messageOf(kind, content, signed), key.value).toString('base64')
      return { ...signed, signature }
    },
  })
}

function publicTextOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

function openKey(home: KeyHome, pin: string | undefined): Result<KeyObject> {
  const file = privateFile(home)
  const kept = readOwnJson(file)
  const broken = () => bad('SIGNING_KEY', 'Your signing key cannot be read.', { file })
  if (kept === undefined) return broken()
  try {
    const plain = textAt(kept, 'key')
    if (plain !== undefined) return good(privateKeyOf(Buffer.from(plain, 'base64')))
    if (!isObject(kept.sealed)) return broken()
    const bytes = pin === undefined ? undefined : unsealWithPin(kept.sealed, pin)
    if (bytes === undefined) {
      const fix = 'Run the command again. If you forgot the PIN, run `holdpoint pin reset`.'
      return bad('SIGNING_KEY', 'The PIN is wrong.', { file, fix })
    }
    return good(privateKeyOf(bytes))
  } catch {
    return broken()
  }
}

function privateKeyOf(bytes: Buffer): KeyObject {
  return createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
}

/** About half a second and 128 MB for each guess. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }
const CIPHER = 'aes-256-gcm'

/** Encrypts something with a PIN. */
export function sealWithPin(bytes: Buffer, pin: string): JsonObject {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv(CIPHER, scryptSync(pin.normalize('NFC'), salt, 32, SCRYPT), nonce)
  const data = Buffer.concat([cipher.update(bytes), cipher.final()])
  return {
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  }
}

/** Undefined if the PIN is wrong, or if this is not sealed data. */
export function unsealWithPin(sealed: JsonObject, pin: string): Buffer | undefined {
  const [salt, nonce, tag, data] = ['salt', 'nonce', 'tag', 'data'].map((name) =>
    Buffer.from(textAt(sealed, name) ?? '', 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer]
  try {
    const decipher = createDecipheriv(CIPHER, scryptSync(pin.normalize('NFC'), salt, 32, SCRYPT), nonce)
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(data), decipher.final()])
  } catch {
    return undefined
  }
}
