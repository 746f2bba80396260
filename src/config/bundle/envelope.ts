import type { KeyObject } from 'node:crypto'
import { bad, good, type Result } from '../../core/errors.ts'
import { type JsonObject, parseJsonObject, textAt } from '../../core/json.ts'
import {
  type BundleSignature,
  type KeySet,
  keyId,
  type PayloadType,
  type PublicKey,
  readSignatures,
  signersOf,
  signPayload,
} from './keys.ts'

/**
 * A signed JSON document in one file, in the format of DSSE. The signatures cover the bytes of the payload as they
 * are, so that no two programs can disagree about how JSON is written.
 */
export interface Envelope {
  readonly payload: Buffer
  readonly signatures: readonly BundleSignature[]
}

export const DOCUMENT_MAX_BYTES = 1024 * 1024

export function writeEnvelope(
  type: PayloadType,
  payload: Buffer,
  signatures: readonly BundleSignature[],
): string {
  const payloadType = `application/vnd.holdpoint.${type}+json`
  const document = { payloadType, payload: payload.toString('base64'), signatures }
  return `${JSON.stringify(document, null, 2)}\n`
}

export function readEnvelope(text: string, name: string): Result<Envelope> {
  const document = parseJsonObject(text)
  const payload = document === undefined ? undefined : textAt(document, 'payload')
  if (document === undefined || payload === undefined) {
    return bad('BUNDLE_INVALID', `${name} is not a signed document.`, {
      fix: 'Check that the address is the folder that `holdpoint fleet bundle publish` wrote, and that no login page answers.',
    })
  }
  return good({ payload: Buffer.from(payload, 'base64'), signatures: readSignatures(document.signatures) })
}

/** Signs it as well. A signature by the same key is replaced. */
export function withSignature(
  type: PayloadType,
  { payload, signatures }: Envelope,
  key: KeyObject,
): Envelope {
  const signature = signPayload(type, payload, key)
  return {
    payload,
    signatures: [...signatures.filter(({ keyid }) => keyid !== signature.keyid), signature],
  }
}

/** The JSON object in the payload, if enough keys have signed it. */
export function openEnvelope(
  type: PayloadType,
  envelope: Envelope,
  keys: KeySet,
  name: string,
): Result<JsonObject> {
  const trusted = requireSigners(type, envelope, keys, name)
  if (!trusted.ok) return trusted
  const value = parseJsonObject(envelope.payload.toString('utf8'))
  return value === undefined ? bad('BUNDLE_INVALID', `${name} is signed, but is not JSON.`) : good(value)
}

/** The keys that signed, or a problem that says how many are missing. */
export function requireSigners(
  type: PayloadType,
  { payload, signatures }: Envelope,
  { keys, threshold }: Pick<KeySet, 'keys' | 'threshold'>,
  name: string,
): Result<readonly PublicKey[]> {
  const signers = signersOf(type, payload, signatures, keys)
  if (signers.length >= threshold) return good(signers)
  const by = signatures.length === 0 ? 'nobody' : signatures.map(({ keyid }) => keyid.slice(0, 16)).join(', ')
  const wanted = keys.map(keyId).join(', ')
  return bad(
    'BUNDLE_SIGNATURE',
    `${name} needs the signature of ${threshold} of the keys ${wanted}, and has ${signers.length} of them (signed by ${by}).`,
  )
}
