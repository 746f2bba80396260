import { bad, good, type Result } from '../../core/errors.ts'
import { type Envelope, openEnvelope, requireSigners } from './envelope.ts'
import { type KeySet, type PublicKey, readKeySet } from './keys.ts'
import { keysFile } from './publication.ts'

/**
 * Keys change by documents with numbers. Each one is signed by enough keys of the set before and by enough keys of its
 * own set. So a machine that was away for a year follows them one by one, and a key that is left out no longer counts.
 */
export function nextKeys(current: KeySet, document: Envelope, version: number): Result<KeySet> {
  const name = keysFile(version)
  const opened = openEnvelope('keys', document, current, name)
  if (!opened.ok) return opened
  const next = readKeySet(opened.value)
  if (next === undefined || next.version !== version) {
    return bad('BUNDLE_INVALID', `${name} is not the set of keys number ${version}.`)
  }
  const own = requireSigners('keys', document, next, `${name}, by its own keys,`)
  return own.ok ? good(next) : own
}

/** The set in a document whose version is not known before: signed by enough pinned keys and by its own keys. */
export function firstKeys(
  pinned: Pick<KeySet, 'keys' | 'threshold'>,
  document: Envelope,
  version: number,
): Result<KeySet> {
  return nextKeys({ ...pinned, version: version - 1 }, document, version)
}

/** More rotations than a fleet ever has. */
export const ROTATIONS_MAX = 500

export function pinnedSet(keys: readonly PublicKey[], threshold: number): KeySet {
  return { version: 0, keys, threshold }
}
