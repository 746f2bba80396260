import { type AcceptedSoFar, bundleFault, publicationFault } from '../../config/bundle/accept.ts'
import { ARCHIVE_MAX_BYTES } from '../../config/bundle/archive.ts'
import { openBundle, verifyBundle } from '../../config/bundle/bundle.ts'
import type { Enrollment } from '../../config/bundle/enrollment.ts'
import {
  DOCUMENT_MAX_BYTES,
  type Envelope,
  openEnvelope,
  readEnvelope,
} from '../../config/bundle/envelope.ts'
import { isCount, type KeySet } from '../../config/bundle/keys.ts'
import {
  keysFile,
  PUBLICATION,
  type Publication,
  type PublishedBundle,
  readPublication,
  revisionFor,
} from '../../config/bundle/publication.ts'
import { firstKeys, nextKeys, ROTATIONS_MAX } from '../../config/bundle/rotation.ts'
import { bad, good, type Problem, type Result } from '../../core/errors.ts'
import { parseJsonObject } from '../../core/json.ts'
import { sha256 } from '../../system/sha256.ts'
import type { BundleStore } from './bundle-store.ts'
import type { FetchedFile, FleetSource } from './source.ts'

export interface FetchContext {
  readonly enrollment: Pick<Enrollment, 'channel'>
  /** Chooses the machines that get a revision first. */
  readonly machine: string
  readonly store: BundleStore
  readonly source: FleetSource
  now(): Date
}

export type FetchOutcome =
  | { readonly kind: 'accepted'; readonly revision: number }
  /** The bundle in force is the one for this machine. */
  | { readonly kind: 'current'; readonly revision: number }
  /** Nothing is published for this machine yet. */
  | { readonly kind: 'none' }
  /** The server asked for a pause. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }

/**
 * Asks the server once, and makes a newer bundle the one in force if everything about it is right. Whatever the server
 * sends, the bundle in force is only ever replaced by a newer one that enough keys have signed.
 */
export async function fetchBundle(context: FetchContext): Promise<Result<FetchOutcome>> {
  const { store, source } = context
  const known = store.publication()
  const fetched = await source.fetch(PUBLICATION, DOCUMENT_MAX_BYTES, known?.validators)
  if (!fetched.ok) return fetched
  if (fetched.value.kind === 'later') return good(fetched.value)
  const text = textOf(fetched.value, known?.text)
  if (text === undefined)
    return bad('FLEET_UNREACHABLE', `The server has no ${PUBLICATION}.`, { fix: WRONG_PLACE })
  const envelope = readEnvelope(text, PUBLICATION)
  if (!envelope.ok) return envelope
  const keys = await followKeys(context, envelope.value)
  if (!keys.ok) return keys
  const publication = readTrusted(envelope.value, keys.value)
  if (!publication.ok) return publication
  const accepted = acceptedSoFar(store)
  const fault = publicationFault(publication.value, accepted, context.now())
  if (fault !== undefined) return { ok: false, problem: fault }
  if (fetched.value.kind === 'file') store.keepPublication(text, fetched.value.validators)
  return fetchRevision(context, publication.value, keys.value, accepted)
}

const WRONG_PLACE = 'Check the address: it is the folder that `holdpoint fleet bundle publish` wrote.'

function textOf(fetched: FetchedFile, known: string | undefined): string | undefined {
  if (fetched.kind === 'file') return fetched.content.toString('utf8')
  return fetched.kind === 'unchanged' ? known : undefined
}

/** One signature is enough for the list: it can only choose among bundles that enough keys have signed. */
function readTrusted(envelope: Envelope, keys: KeySet): Result<Publication> {
  const opened = openEnvelope('index', envelope, { ...keys, threshold: 1 }, PUBLICATION)
  return opened.ok ? readPublication(opened.value) : opened
}

/** The list that was accepted last is on disk with its signature. One that does not verify any more does not count. */
function acceptedSoFar(store: BundleStore): Partial<AcceptedSoFar> {
  const inForce = store.inForce()
  const known = store.publication()
  const envelope = known === undefined ? undefined : readEnvelope(known.text, PUBLICATION)
  const read = envelope?.ok
    ? store
        .keys()
        .map((keys) => readTrusted(envelope.value, keys))
        .find(({ ok }) => ok)
    : undefined
  return {
    ...(read?.ok ? { name: read.value.name, serial: read.value.serial } : {}),
    ...(inForce === undefined ? {} : { name: inForce.name, revision: inForce.revision }),
  }
}

/**
 * Follows the documents of keys up to the version that the list names, even though that list is not verified yet: each
 * document is verified by the one before it.
 */
async function followKeys({ store, source }: FetchContext, envelope: Envelope): Promise<Result<KeySet>> {
  const said = parseJsonObject(envelope.payload.toString('utf8'))?.keys
  const newest = isCount(said) ? said : 0
  const kept = store.keys()
  let current = kept.at(-1)
  if (current === undefined) return bad('FLEET_ENROLLMENT', 'The enrollment has no keys.')
  if (newest - current.version > ROTATIONS_MAX) {
    return bad('BUNDLE_INVALID', `${PUBLICATION} names version ${newest} of the keys, which cannot be.`)
  }
  const read = async (version: number): Promise<Result<{ text: string; envelope: Envelope }>> => {
    const fetched = await source.fetch(keysFile(version), DOCUMENT_MAX_BYTES)
    if (!fetched.ok) return fetched
    if (fetched.value.kind !== 'file') return bad('BUNDLE_INVALID', `The server has no ${keysFile(version)}.`)
    const text = fetched.value.content.toString('utf8')
    const document = readEnvelope(text, keysFile(version))
    return document.ok ? good({ text, envelope: document.value }) : document
  }
  if (current.version === 0 && newest > 0) {
    const first = await findFirstKeys(current, newest, read)
    if (!first.ok) return first
    store.keepKeys(first.value.set.version, first.value.text)
    current = first.value.set
  }
  while (current.version < newest) {
    const version: number = current.version + 1
    const document = await read(version)
    if (!document.ok) return document
    const next: Result<KeySet> = nextKeys(current, document.value.envelope, version)
    if (!next.ok) return next
    store.keepKeys(version, document.value.text)
    current = next.value
  }
  return good(current)
}

/** The newest document that the pinned keys have signed: a machine may be enrolled long after the first rotation. */
async function findFirstKeys(
  pinned: KeySet,
  newest: number,
  read: (version: number) => Promise<Result<{ text: string; envelope: Envelope }>>,
): Promise<Result<{ readonly set: KeySet; readonly text: string }>> {
  let first: Problem | undefined
  for (let version = newest; version > 0; version -= 1) {
    const document = await read(version)
    if (!document.ok) return document
    const set = firstKeys(pinned, document.value.envelope, version)
    if (set.ok) return good({ set: set.value, text: document.value.text })
    first ??= set.problem
  }
  return { ok: false, problem: first ?? { code: 'BUNDLE_INVALID', message: 'There are no keys.' } }
}

async function fetchRevision(
  context: FetchContext,
  publication: Publication,
  keys: KeySet,
  accepted: Partial<AcceptedSoFar>,
): Promise<Result<FetchOutcome>> {
  const { store, machine, enrollment } = context
  const revision = revisionFor(publication, enrollment.channel, machine)
  const current = accepted.revision
  if (revision === undefined) {
    if (current !== undefined) return good({ kind: 'current', revision: current })
    const isKnown = Object.hasOwn(publication.channels, enrollment.channel)
    return isKnown ? good({ kind: 'none' }) : unknownChannel(enrollment.channel, publication)
  }
  // A machine that took a revision keeps it when the share becomes smaller.
  if (current !== undefined && revision <= current && store.isWhole()) {
    return good({ kind: 'current', revision: current })
  }
  const entry = publication.bundles[revision]
  if (entry === undefined)
    return bad('BUNDLE_INVALID', `${PUBLICATION} has no file for revision ${revision}.`)
  return takeBundle(context, { name: publication.name, revision }, entry, keys, accepted)
}

function unknownChannel(channel: string, { channels }: Publication): Result<never> {
  return bad(
    'BUNDLE_REFUSED',
    `Nothing is published on the channel ${channel}. Channels: ${Object.keys(channels).join(', ')}.`,
    {
      fix: 'Enroll again with a channel that exists, or publish a bundle on this one.',
    },
  )
}

async function takeBundle(
  { store, source, now }: FetchContext,
  wanted: { readonly name: string; readonly revision: number },
  entry: PublishedBundle,
  keys: KeySet,
  accepted: Partial<AcceptedSoFar>,
): Promise<Result<FetchOutcome>> {
  const fetched = await source.fetch(entry.file, Math.min(entry.bytes + 1, ARCHIVE_MAX_BYTES))
  if (!fetched.ok) return fetched
  if (fetched.value.kind === 'later') return good(fetched.value)
  if (fetched.value.kind !== 'file') return bad('FLEET_UNREACHABLE', `The server has no ${entry.file}.`)
  const archive = fetched.value.content
  if (sha256(archive) !== entry.sha256) {
    return bad('BUNDLE_INVALID', `${entry.file} is not the file that ${PUBLICATION} names.`)
  }
  const bundle = openBundle(archive)
  if (!bundle.ok) return bundle
  const signed = verifyBundle(bundle.value, keys)
  if (!signed.ok) return signed
  const fault = bundleFault(bundle.value.manifest, wanted, accepted, now())
  if (fault !== undefined) return { ok: false, problem: fault }
  const kept = store.keepBundle(bundle.value, archive, now())
  return kept.ok ? good({ kind: 'accepted', revision: kept.value.revision }) : kept
}
