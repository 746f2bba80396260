import { type KeyObject, sign, verify } from 'node:crypto'
import { sha256 } from '../../system/sha256.ts'

/** How a machine proves that a request is its own: a signature over the path and the body. */

export const MACHINE_HEADER = 'holdpoint-machine'
export const SIGNATURE_HEADER = 'holdpoint-signature'

function signedText(path: string, machine: string, body: Buffer): Buffer {
  return Buffer.from(['holdpoint request 1', path, machine, sha256(body)].join('\n'))
}

export function signRequest(
  path: string,
  { id, key }: { readonly id: string; readonly key: KeyObject },
  body: Buffer,
): Record<string, string> {
  return {
    [MACHINE_HEADER]: id,
    [SIGNATURE_HEADER]: sign(null, signedText(path, id, body), key).toString('base64'),
  }
}

export interface SignedRequest {
  readonly path: string
  readonly machine: string
  readonly signature: string
  readonly body: Buffer
}

export function isSignedBy({ path, machine, signature, body }: SignedRequest, key: KeyObject): boolean {
  try {
    return verify(null, signedText(path, machine, body), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
