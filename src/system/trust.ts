import { createHash } from 'node:crypto'
import { isFolder } from './file-kind.ts'
import { readRegularFile } from './regular-file.ts'
import type { TrustedFiles } from './trust-file.ts'

export function contentHash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** True if all of them are pinned to their content. */
export function arePinned(files: readonly string[] | undefined, trust: TrustedFiles): boolean {
  return files?.every((file) => isPin(trust.get(file), pinOf(file))) === true
}

function isPin(pinned: string | undefined, now: string): boolean {
  return now !== UNFIT && pinned === now
}

/** A missing file is pinned as missing: one that appears later was not trusted. */
export function pinOf(path: string): string {
  return readPinned(path).pin
}

export const MISSING = 'missing'
/** The pin of something that cannot be trusted: a pipe, a device, a file that is too large or unreadable. */
export const UNFIT = 'unfit'

/** Larger programs are not read at every change of the configuration. */
const PINNED_MAX_BYTES = 8 * 1024 * 1024

/** A file as it is now, and its pin. Never waits: a pipe, a device or a file of /proc is not read. */
export function readPinned(path: string): { readonly pin: string; readonly content?: Buffer } {
  const read = readRegularFile(path, PINNED_MAX_BYTES)
  switch (read.kind) {
    case 'read':
      return { pin: contentHash(read.content), content: read.content }
    case 'missing':
      return { pin: MISSING }
    case 'special':
      // A folder among the arguments is data. A file instead of it would have another pin.
      return { pin: isFolder(path) ? MISSING : UNFIT }
    case 'closed':
      return { pin: LEADS_NOWHERE.has(read.code) ? MISSING : UNFIT }
    default:
      return { pin: UNFIT }
  }
}

const LEADS_NOWHERE = new Set(['EISDIR', 'ELOOP'])
