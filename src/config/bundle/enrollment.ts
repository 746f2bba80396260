import { dirname, join } from 'node:path'
import { addressFault } from '../../core/http-address.ts'
import { isObject, type Json, type JsonObject, parseJsonObject, textAt } from '../../core/json.ts'
import type { Home } from '../../system/home.ts'
import { readRegularText } from '../../system/regular-file.ts'
import { isOwnedByRoot } from '../../system/signatures.ts'
import { isCount, type PublicKey, parsePublicKey } from './keys.ts'
import { DEFAULT_CHANNEL } from './publication.ts'

/** Where the policy of this machine comes from, and whose signature counts. */
export interface Enrollment {
  /** An https address, or the path of a folder. */
  readonly url: string
  readonly channel: string
  readonly keys: readonly PublicKey[]
  readonly threshold: number
  readonly pollSeconds: number
  /** The network settings count from this file only: the environment of a project could name another proxy. */
  readonly proxy?: string
  /** A PEM file with the certificates to trust, in addition to those of Node.js. */
  readonly ca?: string
  /** The value of the header Authorization, for a server that asks for one. */
  readonly authorization?: string
  readonly collector?: CollectorAddress
  /** For the central views, such as `team`. */
  readonly labels: Readonly<Record<string, string>>
}

export interface CollectorAddress {
  readonly url: string
  /** Exchanged once for the key of this machine. */
  readonly token?: string
}

export type FleetHome = Pick<Home, 'folder' | 'managedConfig'>

/** The user's own folder: what was fetched, the key of this machine, and an enrollment without root. */
export function fleetFolder({ folder }: Pick<Home, 'folder'>): string {
  return join(folder, 'fleet')
}

/** Root's folder. What is in it, agents of this user cannot change. */
export function systemFleetFolder({ managedConfig }: Pick<Home, 'managedConfig'>): string {
  return join(dirname(managedConfig), 'fleet')
}

export function enrollmentFile(folder: string): string {
  return join(folder, 'enrollment.json')
}

const POLL_SECONDS = 120
const POLL_MIN_SECONDS = 10
const POLL_MAX_SECONDS = 24 * 60 * 60
const FILE_MAX_BYTES = 256 * 1024

export type ReadEnrollment =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly file: string; readonly why: string }
  | {
      readonly kind: 'enrolled'
      readonly file: string
      readonly enrollment: Enrollment
      /** Only root can change the enrollment. Otherwise it is advisory: a program of this user can end it. */
      readonly byRoot: boolean
    }

/** Also if its enrollment cannot be read: then somebody must be told. */
export function isEnrolled(home: FleetHome): boolean {
  return readEnrollment(home).kind !== 'none'
}

/** Root's enrollment counts alone. A file of another user in root's place does not count at all. */
export function readEnrollment(home: FleetHome): ReadEnrollment {
  const system = enrollmentFile(systemFleetFolder(home))
  if (isOwnedByRoot(system)) return readFile(system, true)
  return readFile(enrollmentFile(fleetFolder(home)), false)
}

function readFile(file: string, byRoot: boolean): ReadEnrollment {
  const text = readRegularText(file, FILE_MAX_BYTES)
  if (text === undefined) return { kind: 'none' }
  const value = parseJsonObject(text)
  if (value === undefined) return { kind: 'broken', file, why: 'it is not JSON' }
  const enrollment = parseEnrollment(value)
  return typeof enrollment === 'string'
    ? { kind: 'broken', file, why: enrollment }
    : { kind: 'enrolled', file, enrollment, byRoot }
}

/** A text says what is wrong. */
export function parseEnrollment(value: JsonObject): Enrollment | string {
  const url = textAt(value, 'url')
  const urlFault = url === undefined ? 'missing' : fleetUrlFault(url, value.insecure === true)
  if (url === undefined || urlFault !== undefined) return `its \`url\` is ${urlFault}`
  const keys = texts(value.keys).map(parsePublicKey)
  if (keys.length === 0 || keys.some((key) => key === undefined)) return 'its `keys` are not Ed25519 keys'
  const threshold = value.threshold ?? 1
  if (!isCount(threshold) || threshold < 1 || threshold > keys.length)
    return 'its `threshold` cannot be reached'
  const pollSeconds = value.pollSeconds ?? POLL_SECONDS
  if (!isCount(pollSeconds) || pollSeconds < POLL_MIN_SECONDS || pollSeconds > POLL_MAX_SECONDS) {
    return `its \`pollSeconds\` is not a number from ${POLL_MIN_SECONDS} to ${POLL_MAX_SECONDS}`
  }
  const collector =
    value.collector === undefined ? undefined : readCollector(value.collector, value.insecure === true)
  if (typeof collector === 'string') return collector
  const [proxy, ca, authorization] = ['proxy', 'ca', 'authorization'].map((key) => textAt(value, key))
  if (proxy !== undefined && addressFault(proxy, true) !== undefined)
    return 'its `proxy` is not a web address'
  return {
    url,
    channel: textAt(value, 'channel') ?? DEFAULT_CHANNEL,
    keys: keys.filter((key) => key !== undefined),
    threshold,
    pollSeconds,
    ...(proxy === undefined ? {} : { proxy }),
    ...(ca === undefined ? {} : { ca }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(collector === undefined ? {} : { collector }),
    labels: readLabels(value.labels),
  }
}

/** What is wrong with the address of a fleet, as the end of "… is". Bundles are signed, but http shows what is fetched. */
function fleetUrlFault(url: string, insecure: boolean): string | undefined {
  return url.startsWith('/') ? undefined : addressFault(url, insecure)
}

function readCollector(value: Json, insecure: boolean): CollectorAddress | string {
  if (!isObject(value)) return 'its `collector` is not a mapping'
  const [url, token] = [textAt(value, 'url'), textAt(value, 'token')]
  const fault = url === undefined ? 'missing' : addressFault(url, insecure)
  if (url === undefined || fault !== undefined) return `the \`url\` of its \`collector\` is ${fault}`
  return token === undefined ? { url } : { url, token }
}

const LABELS_MAX = 20
const LABEL_MAX = 200

function readLabels(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {}
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && /^[a-z][a-z0-9_-]{0,40}$/.test(entry[0]),
  )
  return Object.fromEntries(
    entries.slice(0, LABELS_MAX).map(([key, text]) => [key, text.slice(0, LABEL_MAX)]),
  )
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}
