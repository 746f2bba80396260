import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeWhole } from './files.ts'
import { contentHash } from './trust.ts'
import type { TrustedFiles } from './trust-file.ts'

/**
 * The content of trusted files when they were trusted, so that a change can be shown. It is only for display: the hash
 * alone decides whether a file is trusted.
 */

/** Longer files are programs that are not read as text. */
const FILE_MAX_BYTES = 256 * 1024
const ALL_MAX_BYTES = 16 * 1024 * 1024

/** Stores these contents, and removes those that no trusted file has any more. */
export function keepContents(trustFile: string, trusted: TrustedFiles, contents: Iterable<Buffer>): void {
  const folder = folderOf(trustFile)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    let left = ALL_MAX_BYTES - forgetOthers(folder, new Set(trusted.values()))
    for (const content of contents) {
      if (content.length > Math.min(left, FILE_MAX_BYTES)) continue
      left -= content.length
      const path = join(folder, contentHash(content))
      if (statSync(path, { throwIfNoEntry: false }) === undefined) writeWhole(path, content, 0o600)
    }
  } catch {
    // The next change is reported without showing it.
  }
}

/** The content with this hash. Undefined if it was not stored, or if it was changed. */
export function keptContent(trustFile: string, hash: string): Buffer | undefined {
  if (!HASH.test(hash)) return undefined
  try {
    const content = readFileSync(join(folderOf(trustFile), hash))
    return contentHash(content) === hash ? content : undefined
  } catch {
    return undefined
  }
}

const HASH = /^[0-9a-f]{64}$/

function folderOf(trustFile: string): string {
  return join(dirname(trustFile), 'trusted')
}

/** Returns the number of bytes that remain. */
function forgetOthers(folder: string, wanted: ReadonlySet<string>): number {
  let sizeBytes = 0
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (HASH.test(name) && !wanted.has(name)) rmSync(path, { force: true })
    else sizeBytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return sizeBytes
}
