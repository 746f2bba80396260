import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { bad, good, type Result } from '../errors.ts'
import type { Installer, InstallOptions } from '../hosts/installer.ts'
import { withLock } from './file-lock.ts'
import {
  CLOSED_MODE,
  checkWritable,
  codeOf,
  type OwnedFile,
  readOwned,
  replaceOwned,
  said,
} from './owned-file.ts'

/**
 * Files that other programs and people own, with our entries in them. Each change is made under a lock, from the
 * text that is there at that moment, and replaces the file in one step. The text before our first entry is kept
 * beside it.
 */
export function readSettings(path: string): Result<string | undefined> {
  const found = readOwned(path)
  return found.ok ? good(found.value.text) : found
}

export interface Written {
  /** The file itself, where the path was a link to it. */
  readonly file: string
  readonly changed: boolean
  /** Where the text before our first entry is kept. */
  readonly backup?: string
}

type Edits = Pick<Installer, 'install' | 'uninstall'>

/**
 * Puts our entries in, whatever else happens to the file at the same time. With the secret of the HTTP door in them
 * the file is closed to others.
 */
export function installSettings(path: string, edits: Edits, options: InstallOptions): Result<Written> {
  return update(path, ({ text }) => {
    const after = edits.install(text, options)
    if (!after.ok) return after
    const without = text === undefined ? undefined : edits.uninstall(text)
    const isFirst = without?.ok === true && without.value === text
    const closed = options.http === undefined ? {} : { mode: CLOSED_MODE }
    return good({ text: after.value, backup: isFirst ? 'renew' : 'leave', ...closed })
  })
}

/** The same for a text that was made from `before`; a file that is no longer that is left alone. */
export function writeSettings(path: string, before: string | undefined, after: string): Result<Written> {
  return update(path, ({ text }) =>
    text === before
      ? good({ text: after, backup: 'first' })
      : bad('STATE_UNWRITABLE', 'Somebody else changed the file just now.', { fix: 'Try again.' }),
  )
}

/**
 * Takes our entries out. A file that nobody else changed gets its first text back, one that did not exist is removed;
 * of any other only our entries go, and the backup stays.
 */
export function restoreSettings(path: string, edits: Edits): Result<Written> {
  return update(path, ({ file, text }) => {
    if (text === undefined) return good({ text, backup: 'leave' })
    const without = edits.uninstall(text)
    if (!without.ok) return without
    const before = firstText(file, edits)
    const left = before === undefined ? undefined : leftBehind(before, edits)
    if (left?.ok === true && left.value === without.value) return good({ text: before, backup: 'drop' })
    return good({ text: without.value ?? (before === undefined ? undefined : '{}\n'), backup: 'leave' })
  })
}

/** The text before our first entry, if it was kept. */
function firstText(file: string, edits: Edits): string | undefined {
  const backup = readOwned(backupOf(file))
  const text = backup.ok ? backup.value.text : undefined
  const without = text === undefined ? undefined : edits.uninstall(text)
  return without?.ok === true && without.value === text ? text : undefined
}

/** What installing and uninstalling leaves of a text. Whatever version wrote the entries, this is the same. */
function leftBehind(before: string, edits: Edits): Result<string | undefined> {
  const installed = edits.install(before, { command: '/holdpoint-hook', home: '/', version: undefined })
  return installed.ok ? edits.uninstall(installed.value) : installed
}

interface Update {
  /** Undefined: there shall be no file. */
  readonly text: string | undefined
  /** `first`: made unless there is one; `renew`: made from what is there now. */
  readonly backup: 'first' | 'renew' | 'leave' | 'drop'
  /** As before when missing. */
  readonly mode?: number
}

/** A program that writes over and over, without our lock, must not hold us for ever. */
const TRIES_MAX = 20

function update(path: string, next: (found: OwnedFile) => Result<Update>): Result<Written> {
  const found = readOwned(path)
  if (!found.ok) return found
  const { file, text } = found.value
  try {
    // A first look, so that a file which needs no change, or cannot have it, is not even touched.
    const planned = next(found.value)
    if (!planned.ok) return { ok: false, problem: { file, ...planned.problem } }
    if (planned.value.text === text) return unchanged(found.value, planned.value)
    const writable = checkWritable(found.value)
    if (!writable.ok) return writable
    mkdirSync(dirname(file), { recursive: true })
    return withLock(`${file}.holdpoint-lock`, () => updateLocked(file, next))
  } catch (error) {
    return bad('STATE_UNWRITABLE', `It cannot be written: ${said(error)}.`, {
      file,
      fix: ADVICE[codeOf(error) ?? ''] ?? `Check ${dirname(file)} and try again, or choose another --scope.`,
    })
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'Make the folder writable for you and try again, or choose another --scope.',
  EPERM: 'Make the file and its folder changeable for you and try again, or choose another --scope.',
  EROFS: 'The disk is mounted read-only; choose another --scope.',
  ENOSPC: 'Make room on the disk and try again.',
  EDQUOT: 'Make room in your quota and try again.',
}

function updateLocked(file: string, next: (found: OwnedFile) => Result<Update>): Result<Written> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = readOwned(file)
    if (!found.ok) return found
    const { text } = found.value
    const planned = next(found.value)
    if (!planned.ok) return { ok: false, problem: { file, ...planned.problem } }
    const { text: after, backup, mode } = planned.value
    if (after === text) return unchanged(found.value, planned.value)
    const kept = keepBackup(found.value, backup)
    if (!replaceOwned(found.value, after, mode)) continue
    const isDropped = backup === 'drop'
    if (isDropped) rmSync(backupOf(file), { force: true })
    return good({ file, changed: true, ...(kept === undefined || isDropped ? {} : { backup: kept }) })
  }
  return bad('STATE_UNWRITABLE', 'The file changes all the time.', {
    file,
    fix: 'Find out which program writes it, stop that and try again; nothing was written.',
  })
}

function unchanged({ file, text }: OwnedFile, { mode }: Update): Result<Written> {
  if (mode !== undefined && text !== undefined) chmodSync(file, mode)
  return good({ file, changed: false })
}

function backupOf(file: string): string {
  return `${file}.holdpoint-backup`
}

/** The path of the backup, if there is one now. */
function keepBackup({ text, stats, file }: OwnedFile, how: Update['backup']): string | undefined {
  const path = backupOf(file)
  const old = readOwned(path)
  const hasOne = old.ok && old.value.text !== undefined
  const isWanted = how === 'renew' || (how === 'first' && !hasOne)
  if (text === undefined || !isWanted) return hasOne ? path : undefined
  rmSync(path, { force: true })
  if (!replaceOwned({ file: path, text: undefined, stats }, text)) throw new Error('the backup is in use')
  return path
}
