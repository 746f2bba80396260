import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { bad, good, type Result } from '../core/errors.ts'

/** A text file of this user that other programs write too: read with checks, replaced in one step, never incomplete. */
export interface OwnedFile {
  /** The file itself, if the path was a link to it. */
  readonly file: string
  /** Undefined if it does not exist yet. */
  readonly text: string | undefined
  readonly stats: Stats | undefined
}

const OWNED_MAX_BYTES = 8 * 1024 * 1024

/** A file of another user, not a regular file, not text or far too large is a problem, and is not changed. */
export function readOwned(path: string): Result<OwnedFile> {
  let file = path
  try {
    file = followLinks(path)
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      return readOpened(file, descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && file === path) return good({ file, text: undefined, stats: undefined })
    if (codeOf(error) === 'ENOENT') {
      const fix = 'Make the file it leads to, or remove the link; nothing was changed.'
      return bad('CONFIG_UNREADABLE', `The link ${path} leads to nothing.`, { file, fix })
    }
    const message =
      codeOf(error) === 'ELOOP' ? 'The link leads back to itself.' : `It cannot be read: ${said(error)}.`
    return bad('CONFIG_UNREADABLE', message, { file })
  }
}

/** For a file with a secret in it. */
export const CLOSED_MODE = 0o600

/**
 * Replaces the text that was read, or removes the file. `mode` is set first, so that other users can never read it.
 * Returns false if the file has changed in the meantime; then nothing was done. Only one process at a time may do this:
 * the new text is first written to a file with a fixed name, so that one left by a killed process is found and removed.
 */
export function replaceOwned(read: OwnedFile, text: string | undefined, mode?: number): boolean {
  const waiting = `${read.file}.holdpoint-new`
  rmSync(waiting, { force: true })
  try {
    if (text !== undefined) writeSynced(waiting, text, read.stats, mode)
    const now = readOwned(read.file)
    if (!now.ok || now.value.text !== read.text) return false
    if (text === undefined) rmSync(read.file)
    else renameSync(waiting, read.file)
    syncFolder(dirname(read.file))
    return true
  } finally {
    rmSync(waiting, { force: true })
  }
}

/** Why this file must not be replaced although a rename would work: it was made read-only on purpose. */
export function checkWritable({ file, stats }: OwnedFile): Result<void> {
  if (stats !== undefined && (stats.mode & OWNER_MAY_WRITE) === 0) {
    return bad('STATE_UNWRITABLE', 'The file is read-only.', {
      file,
      fix: `Run \`chmod u+w ${file}\` and try again, or choose another --scope.`,
    })
  }
  const folder = nearestFolder(dirname(file))
  if ((statSync(folder).mode & OWNER_MAY_WRITE) === 0) {
    return bad('STATE_UNWRITABLE', 'The folder of the file is read-only.', {
      file: folder,
      fix: `Run \`chmod u+w ${folder}\` and try again, or choose another --scope.`,
    })
  }
  try {
    accessSync(folder, constants.W_OK)
    return good(undefined)
  } catch (error) {
    return bad('STATE_UNWRITABLE', `Files cannot be written here: ${said(error)}.`, {
      file: folder,
      fix: 'Choose another --scope, or make the folder writable for you; nothing was changed.',
    })
  }
}

/** The folder, or the one above it in which it would be made. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** The message of the system without the path, which the problem names itself. */
export function said(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/, \w+ '.*$/s, '')
}

const OWNER_MAY_WRITE = 0o200
const LINKS_MAX = 40

function followLinks(path: string): string {
  let file = path
  for (let links = 0; lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink(); links += 1) {
    if (links === LINKS_MAX) throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
    file = resolve(realpathSync(dirname(file)), readlinkSync(file))
  }
  return file
}

function readOpened(file: string, descriptor: number): Result<OwnedFile> {
  const stats = fstatSync(descriptor)
  if (!stats.isFile()) {
    return bad('CONFIG_UNREADABLE', 'This is not a file.', { file, fix: 'Move it away and try again.' })
  }
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user) {
    return bad('CONFIG_UNREADABLE', `The file belongs to another user (${stats.uid}; you are ${user}).`, {
      file,
      fix: 'Run this as that user, or give the file to yourself with chown.',
    })
  }
  const bytes = stats.size > OWNED_MAX_BYTES ? undefined : readFileSync(descriptor)
  if (bytes === undefined || bytes.length > OWNED_MAX_BYTES) {
    return bad('CONFIG_TOO_LARGE', `The file has ${stats.size} bytes; at most 8 MiB are read.`, {
      file,
      fix: 'Make it smaller, or choose another --scope; nothing was changed.',
    })
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return good({ file, text, stats })
  } catch {
    return bad('CONFIG_UNREADABLE', 'The file is not UTF-8 text.', {
      file,
      fix: 'Save it as UTF-8 and try again; nothing was changed.',
    })
  }
}

function writeSynced(path: string, text: string, like: Stats | undefined, mode: number | undefined): void {
  const descriptor = openSync(path, 'wx', like === undefined ? (mode ?? 0o644) : CLOSED_MODE)
  try {
    writeFileSync(descriptor, text)
    if (like !== undefined) {
      giveToGroup(descriptor, like)
      fchmodSync(descriptor, mode ?? like.mode & 0o7777)
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Not every user may change the group. The mode is kept in any case. */
function giveToGroup(descriptor: number, { uid, gid }: Stats): void {
  try {
    if (fstatSync(descriptor).gid !== gid) fchownSync(descriptor, uid, gid)
  } catch {
    // The file then has the group that new files get here.
  }
}

/** Makes the new name survive a power cut. Not every file system supports it, and the file is complete without it. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY)
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Nothing is lost: after a power cut either the old or the new file exists.
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Make the folder writable for you and try again, or',
  EPERM: 'Make the file and its folder changeable for you and try again, or',
  EROFS: 'The disk is mounted read-only:',
  ENOSPC: 'Make room on the disk and try again, or',
  EDQUOT: 'Make room in your quota and try again, or',
}

/** A problem for a file that cannot be written, with what to do about it; `otherwise` is an alternative. */
export function unwritable(error: unknown, file: string, otherwise: string): ReturnType<typeof bad> {
  const advice = ADVICE[codeOf(error) ?? ''] ?? `Check ${dirname(file)} and try again, or`
  return bad('STATE_UNWRITABLE', `It cannot be written: ${said(error)}.`, {
    file,
    fix: `${advice} ${otherwise}.`,
  })
}
