import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, parseJsonObject, textAt } from '../../core/json.ts'
import { sha256 } from '../../system/sha256.ts'
import type { ArchiveFiles } from './archive.ts'
import { isCount } from './keys.ts'

/** What a bundle says about itself. The signatures of the bundle cover these bytes, and these cover every file. */
export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT
  /** The policy that this is a revision of. A machine takes bundles of one policy only. */
  readonly name: string
  /** Raised by each bundle. A machine never goes back to a smaller one. */
  readonly revision: number
  /** The version for people, such as `2026.11`. */
  readonly version: string
  /** ISO times. */
  readonly created: string
  readonly expires: string
  /** The oldest Holdpoint that understands the bundle. */
  readonly minimumHoldpoint: string
  readonly files: Readonly<Record<string, ManifestFile>>
}

export interface ManifestFile {
  readonly sha256: string
  readonly bytes: number
}

export const MANIFEST_FORMAT = 1
/** The names that OPA uses. */
export const MANIFEST = '.manifest'
export const SIGNATURES = '.signatures.json'
/** The configuration: the managed layer of a machine. */
export const BUNDLE_CONFIG = 'config.yaml'
/** Policy tests. They are in the bundle, so that a machine can be asked whether they still pass there. */
export const TESTS = 'tests/'

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/

/** What is wrong with a name, as the end of "… is". Undefined: nothing. */
export function nameFault(name: string): string | undefined {
  return NAME.test(name) ? undefined : 'not a name: use a-z, 0-9, and . _ - (at most 63 characters)'
}

export function describeFiles(files: ArchiveFiles): Manifest['files'] {
  const names = [...files.keys()].sort()
  return Object.fromEntries(
    names.map((name) => {
      const content = files.get(name) ?? Buffer.alloc(0)
      return [name, { sha256: sha256(content), bytes: content.length }]
    }),
  )
}

/** The bytes that are signed: the same for the same manifest. */
export function manifestBytes(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
}

export function readBundleManifest(bytes: Buffer): Result<Manifest> {
  const value = parseJsonObject(bytes.toString('utf8'))
  if (value === undefined) return invalidManifest('is not JSON')
  if (isCount(value.format) && value.format > MANIFEST_FORMAT) {
    return bad(
      'BUNDLE_REFUSED',
      `The bundle has format ${value.format}, and this Holdpoint knows format ${MANIFEST_FORMAT}.`,
      {
        fix: 'Upgrade Holdpoint on this machine.',
      },
    )
  }
  const texts = ['name', 'version', 'created', 'expires', 'minimumHoldpoint'] as const
  for (const key of texts) if (textAt(value, key) === undefined) return invalidManifest(`has no \`${key}\``)
  const [name = '', version = '', created = '', expires = '', minimumHoldpoint = ''] = texts.map((key) =>
    textAt(value, key),
  )
  const files = readFiles(value.files)
  if (value.format !== MANIFEST_FORMAT) return invalidManifest('has no `format`')
  if (nameFault(name) !== undefined) return invalidManifest('has a `name` that is not a name')
  if (!isCount(value.revision) || value.revision < 1) return invalidManifest('has no `revision`')
  if (![created, expires].every(isTime)) return invalidManifest('has a time that is not an ISO time')
  if (!VERSION.test(minimumHoldpoint))
    return invalidManifest('has a `minimumHoldpoint` that is not a version')
  if (files === undefined) return invalidManifest('has no list of `files`')
  return good({
    format: MANIFEST_FORMAT,
    ...{ name, version, created, expires, minimumHoldpoint, files },
    revision: value.revision,
  })
}

function readFiles(value: Json | undefined): Manifest['files'] | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value).map(([path, entry]): [string, ManifestFile] | undefined => {
    const digest = isObject(entry) ? textAt(entry, 'sha256') : undefined
    const bytes = isObject(entry) ? entry.bytes : undefined
    if (digest === undefined || !/^[0-9a-f]{64}$/.test(digest) || !isCount(bytes)) return undefined
    return [path, { sha256: digest, bytes }]
  })
  return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined
}

/** The first file that is missing, too many or not what the manifest says; undefined if all are right. */
export function wrongFile(manifest: Manifest, files: ArchiveFiles): string | undefined {
  for (const [path, { sha256: digest, bytes }] of Object.entries(manifest.files)) {
    const content = files.get(path)
    if (content === undefined) return `${path} is missing`
    if (content.length !== bytes || sha256(content) !== digest)
      return `${path} is not the file that was signed`
  }
  const extra = [...files.keys()].find(
    (path) => path !== MANIFEST && path !== SIGNATURES && !Object.hasOwn(manifest.files, path),
  )
  return extra === undefined ? undefined : `${extra} is not in the manifest`
}

export function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) && Number.isFinite(Date.parse(text))
}

function invalidManifest(why: string): Result<never> {
  return bad('BUNDLE_INVALID', `This is not a bundle: its manifest ${why}.`)
}

/** For documents that are written again and again: keys in a fixed order, readable. */
export function documentBytes(value: JsonObject): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
