import type { KeyObject } from 'node:crypto'
import { bad, good, type Result } from '../../core/errors.ts'
import { parseJsonObject } from '../../core/json.ts'
import { sha256 } from '../../system/sha256.ts'
import { type ArchiveFiles, packArchive, unpackArchive } from './archive.ts'
import { type Envelope, requireSigners, withSignature } from './envelope.ts'
import { type BundleSignature, type KeySet, type PublicKey, readSignatures } from './keys.ts'
import {
  BUNDLE_CONFIG,
  describeFiles,
  MANIFEST,
  type Manifest,
  manifestBytes,
  readBundleManifest,
  SIGNATURES,
  wrongFile,
} from './manifest.ts'

/** A bundle whose files are exactly those of its manifest. Who signed it is another question. */
export interface Bundle {
  readonly manifest: Manifest
  /** Of the manifest, so of everything except the signatures. */
  readonly digest: string
  readonly files: ArchiveFiles
  readonly envelope: Envelope
}

/** The archive of a new bundle, without a signature. */
export function packBundle(about: Omit<Manifest, 'format' | 'files'>, files: ArchiveFiles): Buffer {
  const { name, revision, version, created, expires, minimumHoldpoint } = about
  const manifest = manifestBytes({
    format: 1,
    ...{ name, revision, version, created, expires, minimumHoldpoint },
    files: describeFiles(files),
  })
  return packSigned(files, manifest, [])
}

function packSigned(files: ArchiveFiles, manifest: Buffer, signatures: readonly BundleSignature[]): Buffer {
  const list = `${JSON.stringify({ signatures }, null, 2)}\n`
  return packArchive(new Map([...files, [MANIFEST, manifest], [SIGNATURES, Buffer.from(list)]]))
}

/** The same bundle with one more signature, or with a new one by the same key. */
export function signBundle({ files, envelope }: Bundle, key: KeyObject): Buffer {
  const { payload, signatures } = withSignature('bundle', envelope, key)
  return packSigned(files, payload, signatures)
}

export function openBundle(bytes: Buffer): Result<Bundle> {
  const unpacked = unpackArchive(bytes)
  return unpacked.ok ? readBundle(unpacked.value) : unpacked
}

/** From the files of an archive, or of the folder that it was unpacked to. */
export function readBundle(all: ArchiveFiles): Result<Bundle> {
  const payload = all.get(MANIFEST)
  const list = all.get(SIGNATURES)
  if (payload === undefined) return bad('BUNDLE_INVALID', `This is not a bundle: it has no ${MANIFEST}.`)
  if (list === undefined) return bad('BUNDLE_INVALID', `This is not a bundle: it has no ${SIGNATURES}.`)
  const manifest = readBundleManifest(payload)
  if (!manifest.ok) return manifest
  const wrong = wrongFile(manifest.value, all)
  if (wrong !== undefined) return bad('BUNDLE_INVALID', `The bundle is not what was built: ${wrong}.`)
  if (!Object.hasOwn(manifest.value.files, BUNDLE_CONFIG)) {
    return bad('BUNDLE_INVALID', `This is not a bundle: it has no ${BUNDLE_CONFIG}.`)
  }
  const files = new Map([...all].filter(([path]) => path !== MANIFEST && path !== SIGNATURES))
  const signatures = readSignatures(parseJsonObject(list.toString('utf8'))?.signatures)
  return good({ manifest: manifest.value, digest: sha256(payload), files, envelope: { payload, signatures } })
}

/** Who signed it, if that is enough. */
export function verifyBundle(
  bundle: Bundle,
  keys: Pick<KeySet, 'keys' | 'threshold'>,
): Result<readonly PublicKey[]> {
  const { name, revision } = bundle.manifest
  return requireSigners('bundle', bundle.envelope, keys, `The bundle ${name} ${revision}`)
}
