import { createHash } from 'node:crypto'
import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import { pathFault } from './archive.ts'
import { isCount } from './keys.ts'
import { isTime, nameFault } from './manifest.ts'

/** The signed list of what is published: small, because every machine asks for it again and again. */
export interface Publication {
  readonly format: typeof PUBLICATION_FORMAT
  readonly name: string
  /** Raised by each publication. A machine never goes back to a smaller one. */
  readonly serial: number
  readonly created: string
  readonly expires: string
  /** The newest version of the keys; 0 if they were never rotated. */
  readonly keys: number
  readonly channels: Readonly<Record<string, BundleChannel>>
  /** By revision. */
  readonly bundles: Readonly<Record<string, PublishedBundle>>
}

export interface BundleChannel {
  readonly revision: number
  /** The share of machines that take this revision. */
  readonly percent: number
  /** The revision for all other machines. */
  readonly before?: number
}

export interface PublishedBundle {
  /** Relative to the address of the fleet. */
  readonly file: string
  readonly sha256: string
  readonly bytes: number
}

export const PUBLICATION_FORMAT = 1
export const PUBLICATION = 'index.json'
export const DEFAULT_CHANNEL = 'stable'

export function keysFile(version: number): string {
  return `keys/${version}.json`
}

export function bundleFile(revision: number, digest: string): string {
  return `bundles/${revision}-${digest.slice(0, 12)}.tar.gz`
}

/** Checked completely: the document is signed, but a bug of another version must not become a path on this disk. */
export function readPublication(value: JsonObject): Result<Publication> {
  const invalid = (why: string) => bad('BUNDLE_INVALID', `${PUBLICATION} ${why}.`)
  if (isCount(value.format) && value.format > PUBLICATION_FORMAT) {
    return bad(
      'BUNDLE_REFUSED',
      `${PUBLICATION} has format ${value.format}, and this Holdpoint knows format ${PUBLICATION_FORMAT}.`,
      { fix: 'Upgrade Holdpoint on this machine.' },
    )
  }
  const [name, created, expires] = ['name', 'created', 'expires'].map((key) => textAt(value, key))
  const { serial, keys } = value
  if (value.format !== PUBLICATION_FORMAT) return invalid('has no `format`')
  if (name === undefined || nameFault(name) !== undefined) return invalid('has no valid `name`')
  if (created === undefined || expires === undefined) return invalid('has no `created` and `expires`')
  if (!isTime(created) || !isTime(expires)) return invalid('has a time that is not an ISO time')
  if (!isCount(serial) || !isCount(keys)) return invalid('has no `serial` and `keys`')
  const channels = readEach(value.channels, readChannel)
  const bundles = readEach(value.bundles, readBundleEntry)
  if (channels === undefined || bundles === undefined) return invalid('has no valid `channels` and `bundles`')
  const named = Object.values(channels).flatMap(({ revision, before }) => [
    revision,
    ...(before === undefined ? [] : [before]),
  ])
  const missing = named.find((revision) => !Object.hasOwn(bundles, revision))
  if (missing !== undefined) return invalid(`names the revision ${missing}, and has no file for it`)
  return good({ format: PUBLICATION_FORMAT, name, serial, created, expires, keys, channels, bundles })
}

function readEach<T>(
  value: Json | undefined,
  read: (entry: JsonObject) => T | undefined,
): Readonly<Record<string, T>> | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value).map(([key, entry]) => [
    key,
    isObject(entry) ? read(entry) : undefined,
  ])
  return entries.every(([, entry]) => entry !== undefined) ? Object.fromEntries(entries) : undefined
}

function readChannel({ revision, percent, before }: JsonObject): BundleChannel | undefined {
  if (!isCount(revision) || typeof percent !== 'number' || !(percent >= 0 && percent <= 100)) return undefined
  if (before === undefined) return { revision, percent }
  return isCount(before) ? { revision, percent, before } : undefined
}

function readBundleEntry(entry: JsonObject): PublishedBundle | undefined {
  const [file, sha256] = [textAt(entry, 'file'), textAt(entry, 'sha256')]
  if (file === undefined || sha256 === undefined || !isCount(entry.bytes)) return undefined
  if (pathFault(file) !== undefined || !/^[0-9a-f]{64}$/.test(sha256)) return undefined
  return { file, sha256, bytes: entry.bytes }
}

/** The revision that this machine should have; undefined if its channel has none for it. */
export function revisionFor(
  { name, channels }: Pick<Publication, 'name' | 'channels'>,
  channel: string,
  machine: string,
): number | undefined {
  const entry = Object.hasOwn(channels, channel) ? channels[channel] : undefined
  if (entry === undefined) return undefined
  return isSelected(`${name} ${entry.revision}`, machine, entry.percent) ? entry.revision : entry.before
}

const SHARES = 10_000

/**
 * Whether a machine belongs to the first machines that get a revision. The same machine always gets the same answer,
 * a larger share contains every smaller one, and each revision begins with other machines.
 */
export function isSelected(what: string, machine: string, percent: number): boolean {
  const digest = createHash('sha256').update(`${what}\n${machine}`).digest()
  return digest.readUInt32BE(0) % SHARES < percent * (SHARES / 100)
}
