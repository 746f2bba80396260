import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'

/** An Ed25519 key that signs for a fleet, as text: 44 characters of base64. */
export type PublicKey = string

/** The keys that count, and how many of them must have signed. */
export interface KeySet {
  /** Raised by each rotation. 0: the keys of the enrollment. */
  readonly version: number
  readonly keys: readonly PublicKey[]
  readonly threshold: number
}

export interface BundleSignature {
  /** The id of the key. */
  readonly keyid: string
  readonly sig: string
}

/** What a signature is for, so that one for an index is not valid for a bundle. */
export type PayloadType = 'bundle' | 'index' | 'keys'

const TYPE_PREFIX = 'application/vnd.holdpoint.'
/** SubjectPublicKeyInfo of Ed25519, before the 32 bytes of the key. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32
const KEYS_MAX = 20

/** The text of a public key; undefined if it is not an Ed25519 key. Accepts the raw key and SubjectPublicKeyInfo. */
export function parsePublicKey(text: string): PublicKey | undefined {
  const trimmed = text.trim()
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(trimmed)) return undefined
  const bytes = Buffer.from(trimmed, 'base64')
  const raw = bytes.length === SPKI_PREFIX.length + KEY_BYTES ? bytes.subarray(SPKI_PREFIX.length) : bytes
  if (raw.length !== KEY_BYTES) return undefined
  if (raw !== bytes && !bytes.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX)) return undefined
  return raw.toString('base64')
}

export function publicKeyOf(key: KeyObject): PublicKey {
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return spki.subarray(SPKI_PREFIX.length).toString('base64')
}

/** Short enough to compare by eye. */
export function keyId(key: PublicKey): string {
  return createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 16)
}

/** For checking signatures. Throws if it is not a key. */
export function keyObject(key: PublicKey): KeyObject {
  const spki = Buffer.concat([SPKI_PREFIX, Buffer.from(key, 'base64')])
  return createPublicKey({ key: spki, format: 'der', type: 'spki' })
}

/** The bytes that are signed: the "pre-authentication encoding" of DSSE, which also covers the type. */
function signedBytes(type: PayloadType, payload: Buffer): Buffer {
  const name = `${TYPE_PREFIX}${type}+json`
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(name)} ${name} ${payload.length} `), payload])
}

export function signPayload(type: PayloadType, payload: Buffer, key: KeyObject): BundleSignature {
  return {
    keyid: keyId(publicKeyOf(key)),
    sig: sign(null, signedBytes(type, payload), key).toString('base64'),
  }
}

/** Which of these keys have signed the payload, each one once. */
export function signersOf(
  type: PayloadType,
  payload: Buffer,
  signatures: readonly BundleSignature[],
  keys: readonly PublicKey[],
): readonly PublicKey[] {
  const bytes = signedBytes(type, payload)
  return [...new Set(keys)].filter((key) =>
    signatures.some(({ keyid, sig }) => keyid === keyId(key) && isSigned(bytes, key, sig)),
  )
}

function isSigned(bytes: Buffer, key: PublicKey, sig: string): boolean {
  try {
    return verify(null, bytes, keyObject(key), Buffer.from(sig, 'base64'))
  } catch {
    return false
  }
}

const SIGNATURES_MAX = 100

/** The list of signatures in a document. Entries that are not signatures do not count. */
export function readSignatures(value: Json | undefined): readonly BundleSignature[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, SIGNATURES_MAX).flatMap((each: Json) => {
    if (!isObject(each)) return []
    const [keyid, sig] = [textAt(each, 'keyid'), textAt(each, 'sig')]
    return keyid === undefined || sig === undefined ? [] : [{ keyid, sig }]
  })
}

/** Undefined if it is not a set of keys whose threshold can be reached. */
export function readKeySet(value: JsonObject): KeySet | undefined {
  const { version, threshold } = value
  const texts = Array.isArray(value.keys) ? value.keys : []
  const keys = texts.flatMap((each: Json) => (typeof each === 'string' ? (parsePublicKey(each) ?? []) : []))
  if (keys.length !== texts.length || keys.length === 0 || keys.length > KEYS_MAX) return undefined
  if (new Set(keys).size !== keys.length) return undefined
  if (!isCount(version) || !isCount(threshold)) return undefined
  return threshold < 1 || threshold > keys.length ? undefined : { version, keys, threshold }
}

export function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
