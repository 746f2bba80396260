import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, type Json, textAt } from '../core/json.ts'
import type { Home } from './home.ts'
import { readRegularText } from './regular-file.ts'

/**
 * Decisions that a person makes at a terminal are signed: pauses, exceptions, trust. Hooks check the signature with the
 * public key, so a file from another program does not count.
 */

/** What a signature is for: one made for a pause must not be valid for trust. */
export type SignedKind = 'pause' | 'exception' | 'trust' | 'board' | 'permit'

/** Who decided, and where. It is signed together with the decision. */
export interface SignedBy {
  readonly user: string
  readonly terminal: string
  readonly atMs: number
}

export interface Signature extends SignedBy {
  readonly signature: string
}

export interface Signer {
  sign(kind: SignedKind, content: readonly Json[]): Signature
}

/** Whether a person signed exactly this. */
export type Verifier = (kind: SignedKind, content: readonly Json[], signature: Json | undefined) => boolean

export type KeyHome = Pick<Home, 'folder' | 'managedConfig'>

export function publicFile(home: KeyHome): string {
  return join(home.folder, 'person.pub')
}

/** The keys of root whose permits count on this machine; a permit is signed on another one. */
export function permitKeysFile(home: KeyHome): string {
  return join(dirname(home.managedConfig), 'permit.pub')
}

/** One key for each line. If this file exists, only root decides which keys count. */
export function managedPublicFile(home: KeyHome): string {
  return join(dirname(home.managedConfig), 'person.pub')
}

const KEYS_MAX_BYTES = 64 * 1024

/** Reads the public keys once, for any number of signatures. */
export function personVerifier(home: KeyHome): Verifier {
  return verifierOf(publicKeys(home))
}

export function verifierOf(keys: readonly KeyObject[]): Verifier {
  return (kind, content, signature) => {
    if (keys.length === 0 || !isObject(signature)) return false
    const [user, terminal, made] = ['user', 'terminal', 'signature'].map((name) => textAt(signature, name))
    const { atMs } = signature
    if (user === undefined || terminal === undefined || made === undefined || typeof atMs !== 'number')
      return false
    const bytes = messageOf(kind, content, { user, terminal, atMs })
    return keys.some((key) => isSigned(bytes, key, made))
  }
}

function isSigned(bytes: Buffer, key: KeyObject, made: string): boolean {
  try {
    return verify(null, bytes, key, Buffer.from(made, 'base64'))
  } catch {
    return false
  }
}

export function publicKeys(home: KeyHome): readonly KeyObject[] {
  const managed = isOwnedByRoot(managedPublicFile(home)) ? managedPublicFile(home) : undefined
  return listedKeys(managed ?? publicFile(home))
}

/** The keys of a file with one key for each line. */
export function listedKeys(file: string): readonly KeyObject[] {
  return (readRegularText(file, KEYS_MAX_BYTES) ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, KEYS_MAX)
    .flatMap((line) => publicKeyOf(line.trim()) ?? [])
}

const KEYS_MAX = 100
const OTHERS_MAY_WRITE = 0o022

/** A file of any other user does not count. An invalid file of root means that no key counts. */
export function isOwnedByRoot(path: string): boolean {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    return info !== undefined && info.uid === 0 && (info.mode & OTHERS_MAY_WRITE) === 0
  } catch {
    return false
  }
}

/** True if root names the keys, so that a key file in the user's folder does not count. */
export function isKeyManaged(home: KeyHome): boolean {
  return isOwnedByRoot(managedPublicFile(home))
}

function publicKeyOf(line: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(line, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

export function messageOf(kind: SignedKind, content: readonly Json[], by: SignedBy): Buffer {
  return Buffer.from(JSON.stringify(['holdpoint', 1, kind, by.user, by.terminal, by.atMs, content]))
}
