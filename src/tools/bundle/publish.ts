import type { KeyObject } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundle, verifyBundle } from '../../config/bundle/bundle.ts'
import {
  DOCUMENT_MAX_BYTES,
  type Envelope,
  openEnvelope,
  readEnvelope,
  withSignature,
  writeEnvelope,
} from '../../config/bundle/envelope.ts'
import { type KeySet, keyId, type PublicKey, publicKeyOf, readKeySet } from '../../config/bundle/keys.ts'
import { documentBytes } from '../../config/bundle/manifest.ts'
import {
  type BundleChannel,
  bundleFile,
  keysFile,
  PUBLICATION,
  type Publication,
  readPublication,
} from '../../config/bundle/publication.ts'
import { nextKeys, pinnedSet, ROTATIONS_MAX } from '../../config/bundle/rotation.ts'
import { bad, good, type Result } from '../../core/errors.ts'
import { parseJsonObject } from '../../core/json.ts'
import { writeWhole } from '../../system/files.ts'
import { readRegularText } from '../../system/regular-file.ts'
import { sha256 } from '../../system/sha256.ts'

/** The published folder: what any file server, bucket or git checkout serves. */
export interface PublishedFolder {
  readonly folder: string
  readonly keys: KeySet
  readonly publication?: Publication
}

/**
 * Reads what is already published, and refuses a folder that another key signed. `own`: a key of the person who
 * publishes. A key of `mayBeNew` need not count yet: its set is being introduced. `pinned`: the keys that machines were
 * enrolled with; only they know them before the first rotation.
 */
export function readPublished(
  folder: string,
  own: PublicKey,
  {
    mayBeNew = [],
    pinned = pinnedSet([own], 1),
  }: { readonly mayBeNew?: readonly PublicKey[]; readonly pinned?: KeySet } = {},
): Result<PublishedFolder> {
  const keys = readKeys(folder, pinned)
  if (!keys.ok) return keys
  if (!keys.value.keys.includes(own) && !mayBeNew.includes(own)) {
    return bad('BUNDLE_SIGNATURE', `The key ${keyId(own)} does not count in this folder any more.`, {
      file: folder,
      fix: `Use one of the keys ${keys.value.keys.map(keyId).join(', ')}.`,
    })
  }
  const text = readRegularText(join(folder, PUBLICATION), DOCUMENT_MAX_BYTES)
  if (text === undefined) return good({ folder, keys: keys.value })
  const envelope = readEnvelope(text, PUBLICATION)
  if (!envelope.ok) return envelope
  const opened = openEnvelope('index', envelope.value, { ...keys.value, threshold: 1 }, PUBLICATION)
  const publication = opened.ok ? readPublication(opened.value) : opened
  return publication.ok ? good({ folder, keys: keys.value, publication: publication.value }) : publication
}

/** The newest set of keys in a folder. Without any document, it is the pinned one. */
function readKeys(folder: string, pinned: KeySet): Result<KeySet> {
  let current: KeySet | undefined
  for (let version = 1; version <= ROTATIONS_MAX; version += 1) {
    const text = readRegularText(join(folder, keysFile(version)), DOCUMENT_MAX_BYTES)
    if (text === undefined) break
    const envelope = readEnvelope(text, keysFile(version))
    if (!envelope.ok) return envelope
    const unsigned = current ?? readUnverified(envelope.value)
    const next = unsigned === undefined ? undefined : nextKeys(unsigned, envelope.value, version)
    if (next === undefined || !next.ok)
      return next ?? bad('BUNDLE_INVALID', `${keysFile(version)} has no keys.`)
    current = next.value
  }
  return good(current ?? pinned)
}

/** The first document vouches for itself: the machines check it with the keys that they pinned. */
function readUnverified({ payload }: Envelope): KeySet | undefined {
  const set = readKeySet(parseJsonObject(payload.toString('utf8')) ?? {})
  return set === undefined ? undefined : { ...set, version: 0 }
}

export interface PublishOptions {
  readonly channel: string
  readonly percent: number
  readonly key: KeyObject
  readonly now: Date
  readonly expires: Date
}

/** Adds a signed bundle to the folder and points a channel at it. The list is replaced last, in one step. */
export function publishBundle(
  published: PublishedFolder,
  bundle: Bundle,
  archive: Buffer,
  options: PublishOptions,
): Result<Publication> {
  const { folder, keys, publication } = published
  const { name, revision } = bundle.manifest
  const signed = verifyBundle(bundle, keys)
  if (!signed.ok) return signed
  if (publication !== undefined && publication.name !== name) {
    return bad('BUNDLE_REFUSED', `The folder publishes ${publication.name}, and the bundle is of ${name}.`, {
      fix: 'Publish it to a folder of its own.',
    })
  }
  const entry = { file: bundleFile(revision, bundle.digest), sha256: sha256(archive), bytes: archive.length }
  const known = publication?.bundles[revision]
  if (known !== undefined && known.file !== entry.file) {
    return bad('BUNDLE_REFUSED', `Revision ${revision} is already published with other contents.`, {
      fix: `Build the bundle with --revision ${nextRevision(published)}.`,
    })
  }
  const channel = channelFor(publication?.channels[options.channel], revision, options.percent)
  if (!channel.ok) return channel
  mkdirSync(join(folder, 'bundles'), { recursive: true })
  writeWhole(join(folder, entry.file), archive)
  return writePublication(published, options, {
    name,
    channels: { ...publication?.channels, [options.channel]: channel.value },
    bundles: { ...publication?.bundles, [revision]: entry },
  })
}

function channelFor(
  before: BundleChannel | undefined,
  revision: number,
  percent: number,
): Result<BundleChannel> {
  if (before === undefined) return good({ revision, percent })
  if (revision < before.revision) {
    return bad(
      'BUNDLE_REFUSED',
      `The channel has revision ${before.revision}, and machines never go back to ${revision}.`,
      {
        fix: 'Build the older policy again as a new revision.',
      },
    )
  }
  if (revision === before.revision) {
    return good({ revision, percent, ...(before.before === undefined ? {} : { before: before.before }) })
  }
  // A revision that reached only some machines is replaced; the others go on with the one that all of them had.
  const all = before.percent === 100 ? before.revision : before.before
  return good({ revision, percent, ...(all === undefined ? {} : { before: all }) })
}

/** Changes the share of a channel, or renews the date, without a new bundle. */
export function writePublication(
  { folder, keys, publication }: PublishedFolder,
  { key, now, expires }: Pick<PublishOptions, 'key' | 'now' | 'expires'>,
  content: Pick<Publication, 'name' | 'channels' | 'bundles'>,
): Result<Publication> {
  const named = new Set(
    Object.values(content.channels).flatMap(({ revision, before }) =>
      [revision, before].filter((each) => each !== undefined),
    ),
  )
  const bundles = Object.fromEntries(
    Object.entries(content.bundles).filter(([revision]) => named.has(Number(revision))),
  )
  const next: Publication = {
    format: 1,
    name: content.name,
    serial: (publication?.serial ?? 0) + 1,
    created: now.toISOString(),
    expires: expires.toISOString(),
    keys: keys.version,
    channels: content.channels,
    bundles,
  }
  const payload = documentBytes(JSON.parse(JSON.stringify(next)))
  const envelope = withSignature('index', { payload, signatures: [] }, key)
  writeWhole(join(folder, PUBLICATION), writeEnvelope('index', envelope.payload, envelope.signatures))
  return good(next)
}

function nextRevision({ publication }: Pick<PublishedFolder, 'publication'>): number {
  return Math.max(0, ...Object.keys(publication?.bundles ?? {}).map(Number)) + 1
}

/**
 * The document of the next set of keys, with one more signature. It counts when enough keys of the set before and of
 * its own set have signed.
 */
export function rotateKeys(
  { folder, keys }: PublishedFolder,
  next: Pick<KeySet, 'keys' | 'threshold'>,
  key: KeyObject,
): Result<{ readonly version: number; readonly counts: boolean; readonly why?: string }> {
  const version = keys.version + 1
  const file = join(folder, `${keysFile(version)}.partial`)
  const payload = documentBytes({ version, keys: [...next.keys], threshold: next.threshold })
  const partial = readRegularText(file, DOCUMENT_MAX_BYTES)
  const before = partial === undefined ? undefined : readEnvelope(partial, file)
  const isSame = before?.ok === true && before.value.payload.equals(payload)
  const signatures = isSame ? before.value.signatures : []
  if (![...keys.keys, ...next.keys].includes(publicKeyOf(key))) {
    return bad('BUNDLE_SIGNATURE', `The key ${keyId(publicKeyOf(key))} belongs to neither set of keys.`)
  }
  const signed = withSignature('keys', { payload, signatures }, key)
  const text = writeEnvelope('keys', signed.payload, signed.signatures)
  mkdirSync(join(folder, 'keys'), { recursive: true })
  const whole = nextKeys(keys, signed, version)
  if (!whole.ok) {
    writeWhole(file, text)
    return good({ version, counts: false, why: whole.problem.message })
  }
  writeWhole(join(folder, keysFile(version)), text)
  rmSync(file, { force: true })
  return good({ version, counts: true })
}
