import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeWhole } from './files.ts'
import { contentHash, type TrustedFiles } from './trust.ts'

/**
 * What trusted files said when they were trusted, so that a change can be shown. Only for showing: whether a file is
 * trusted is decided by its hash alone, and what cannot be kept costs a person a comparison, never the trust.
 */

/** Longer files are programs nobody reads as text. */
const FILE_MAX_BYTES = 256 * 1024
const ALL_MAX_BYTES = 16 * 1024 * 1024

/** Keeps these contents, and forgets those no trusted file has any more. */
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
    // The next change is told without showing it.
  }
}

/** What a file with this hash said. Undefined: it was not kept, or is not what it was. */
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

/** The bytes of what stays. */
function forgetOthers(folder: string, wanted: ReadonlySet<string>): number {
  let sizeBytes = 0
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (HASH.test(name) && !wanted.has(name)) rmSync(path, { force: true })
    else sizeBytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return sizeBytes
}
