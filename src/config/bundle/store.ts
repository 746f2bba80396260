import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'
import { parseJsonObject, textAt } from '../../core/json.ts'
import { withLock } from '../../system/file-lock.ts'
import { writeWhole } from '../../system/files.ts'
import { readRegularFile, readRegularText } from '../../system/regular-file.ts'
import { ARCHIVE_MAX_BYTES, pathFault } from './archive.ts'
import { type Bundle, openBundle, readBundle } from './bundle.ts'
import { DOCUMENT_MAX_BYTES, readEnvelope } from './envelope.ts'
import { isCount, type KeySet } from './keys.ts'
import { MANIFEST, readBundleManifest, SIGNATURES } from './manifest.ts'
import { keysFile } from './publication.ts'
import { firstKeys, nextKeys, pinnedSet, ROTATIONS_MAX } from './rotation.ts'

/**
 * What one folder (root's or the user's) has accepted. Everything is signed, so it is verified each time it is read:
 * a program that writes here can remove a bundle, but cannot make one.
 */

/** The bundle in force: which folder its files are in. Changes only when another bundle is accepted. */
export interface InForce {
  readonly name: string
  readonly revision: number
  /** Below `bundles/`. */
  readonly folder: string
  /** ISO time. */
  readonly acceptedAt: string
}

const IN_FORCE = 'in-force.json'

export function inForceFile(folder: string): string {
  return join(folder, IN_FORCE)
}

export function readInForce(folder: string): InForce | undefined {
  const value = parseJsonObject(readRegularText(inForceFile(folder), DOCUMENT_MAX_BYTES) ?? '')
  if (value === undefined || !isCount(value.revision)) return undefined
  const [name, named, acceptedAt] = ['name', 'folder', 'acceptedAt'].map((key) => textAt(value, key))
  if (name === undefined || named === undefined || acceptedAt === undefined) return undefined
  // The folder becomes part of a path.
  if (pathFault(named) !== undefined || named.includes('/')) return undefined
  return { name, revision: value.revision, folder: named, acceptedAt }
}

export function bundleFolder(folder: string, { folder: named }: Pick<InForce, 'folder'>): string {
  return join(folder, 'bundles', named)
}

/**
 * The sets of keys that counted since the enrollment, oldest first. The documents are kept, and followed again from the
 * pinned keys each time. One that does not verify ends the list.
 */
export function keptKeys(folder: string, pinned: Pick<KeySet, 'keys' | 'threshold'>): readonly KeySet[] {
  const sets: KeySet[] = [pinnedSet(pinned.keys, pinned.threshold)]
  const versions = keptVersions(folder)
  for (const version of versions) {
    const envelope = readEnvelope(
      readRegularText(join(folder, keysFile(version)), DOCUMENT_MAX_BYTES) ?? '',
      '',
    )
    const current = sets.at(-1)
    if (!envelope.ok || current === undefined) break
    // The first one may have any number: the pinned keys are those of the time of the enrollment.
    const next =
      sets.length === 1
        ? firstKeys(current, envelope.value, version)
        : nextKeys(current, envelope.value, version)
    if (!next.ok || (sets.length > 1 && version !== current.version + 1)) break
    sets.push(next.value)
  }
  return sets
}

function keptVersions(folder: string): readonly number[] {
  return namesIn(join(folder, 'keys'))
    .flatMap((name) => (/^[1-9]\d{0,8}\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
    .sort((a, b) => a - b)
    .slice(0, ROTATIONS_MAX)
}

export function keepKeys(folder: string, version: number, text: string): void {
  mkdirSync(join(folder, 'keys'), { recursive: true, mode: 0o755 })
  writeWhole(join(folder, keysFile(version)), text)
}

/** The files of an unpacked bundle, as its manifest lists them. They may have been changed since. */
export function readUnpacked(path: string): Result<Bundle> {
  const read = (name: string) => {
    const found = readRegularFile(join(path, name), ARCHIVE_MAX_BYTES)
    return found.kind === 'read' ? found.content : undefined
  }
  const [manifest, signatures] = [read(MANIFEST), read(SIGNATURES)]
  if (manifest === undefined || signatures === undefined) {
    return bad('BUNDLE_INVALID', 'The files of the bundle were removed.', { file: path })
  }
  const listed = readBundleManifest(manifest)
  if (!listed.ok) return { ok: false, problem: { ...listed.problem, file: path } }
  const files = new Map([
    [MANIFEST, manifest],
    [SIGNATURES, signatures],
  ])
  for (const name of Object.keys(listed.value.files)) {
    const content = pathFault(name) === undefined ? read(name) : undefined
    if (content !== undefined) files.set(name, content)
  }
  const bundle = readBundle(files)
  return bundle.ok ? bundle : { ok: false, problem: { ...bundle.problem, file: path } }
}

/**
 * Makes a verified bundle the one in force: unpacked next to the others first, then named in one step. Under a lock,
 * so that of two processes the older bundle never wins.
 */
export function keepBundle(folder: string, bundle: Bundle, archive: Buffer, now: Date): Result<InForce> {
  try {
    mkdirSync(join(folder, 'bundles'), { recursive: true, mode: 0o755 })
    return withLock(join(folder, 'accept.lock'), () => {
      const before = readInForce(folder)
      if (before !== undefined && before.revision > bundle.manifest.revision) return good(before)
      const { name, revision } = bundle.manifest
      const named = `${revision}-${bundle.digest.slice(0, 12)}`
      const path = bundleFolder(folder, { folder: named })
      const isWhole = readUnpacked(path)
      // Signatures may have been added since, and a changed file is replaced.
      const isSame =
        isWhole.ok && isWhole.value.envelope.signatures.length === bundle.envelope.signatures.length
      if (!isSame) unpack(path, bundle)
      writeWhole(`${path}.tar.gz`, archive)
      const acceptedAt = before?.folder === named ? before.acceptedAt : now.toISOString()
      const next = { name, revision, folder: named, acceptedAt }
      if (before?.folder !== named) writeWhole(inForceFile(folder), `${JSON.stringify(next, null, 2)}\n`)
      prune(folder, [named, before?.folder ?? named])
      return good(next)
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return bad('STATE_UNWRITABLE', `The bundle cannot be stored: ${why}.`, { file: folder })
  }
}

/** Puts changed or removed files back, from the archive that is kept next to them. */
export function restoreBundle(
  folder: string,
  inForce: InForce,
  verify: (bundle: Bundle) => boolean,
): boolean {
  const path = bundleFolder(folder, inForce)
  const found = readRegularFile(`${path}.tar.gz`, ARCHIVE_MAX_BYTES)
  const opened = found.kind === 'read' ? openBundle(found.content) : undefined
  if (opened === undefined || !opened.ok || !verify(opened.value)) return false
  if (opened.value.manifest.revision !== inForce.revision) return false
  unpack(path, opened.value)
  return true
}

function unpack(path: string, bundle: Bundle): void {
  const beside = `${path}.${process.pid}.new`
  const list = `${JSON.stringify({ signatures: bundle.envelope.signatures }, null, 2)}\n`
  rmSync(beside, { recursive: true, force: true })
  const files = [
    ...bundle.files,
    [MANIFEST, bundle.envelope.payload] as const,
    [SIGNATURES, Buffer.from(list)] as const,
  ]
  try {
    for (const [name, content] of files) {
      const to = join(beside, name)
      mkdirSync(dirname(to), { recursive: true, mode: 0o755 })
      writeFileSync(to, content, { flag: 'wx', mode: isScript(content) ? 0o755 : 0o644 })
    }
    const old = `${path}.${process.pid}.old`
    try {
      renameSync(path, old)
    } catch {
      // There was none.
    }
    renameSync(beside, path)
    rmSync(old, { recursive: true, force: true })
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

/** An archive has no modes: what begins with `#!` is a program. */
function isScript(content: Buffer): boolean {
  return content.subarray(0, 2).toString('latin1') === '#!'
}

/** The bundle before may still be in use by a hook that has just started. */
function prune(folder: string, kept: readonly string[]): void {
  const bundles = join(folder, 'bundles')
  for (const name of namesIn(bundles)) {
    if (!kept.some((each) => name === each || name === `${each}.tar.gz`)) {
      rmSync(join(bundles, name), { recursive: true, force: true })
    }
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
