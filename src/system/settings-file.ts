import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { bad, good, type Result } from '../core/errors.ts'
import type { Installer, InstallOptions } from '../hosts/installer.ts'
import { withLock } from './file-lock.ts'
import {
  CLOSED_MODE,
  checkWritable,
  type OwnedFile,
  readOwned,
  replaceOwned,
  unwritable,
} from './owned-file.ts'

/**
 * Settings files of other programs and users, with Holdpoint's hooks in them. Each change is made under a lock, from the
 * current text, and replaces the file in one step. The text before the first hook is kept in a file next to it.
 */
export function readSettings(path: string): Result<string | undefined> {
  const found = readOwned(path)
  return found.ok ? good(found.value.text) : found
}

export interface Written {
  /** The file itself, if the path was a link to it. */
  readonly file: string
  readonly changed: boolean
  /** The file that contains the text before the first hook. */
  readonly backup?: string
}

type Edits = Pick<Installer, 'install' | 'uninstall'>

/**
 * Adds the hooks, whatever else happens to the file at the same time. If they contain the secret of the HTTP server, the
 * file is made private.
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

/** The same for a text that was made from `before`. If the file has changed since, it is not written. */
export function writeSettings(path: string, before: string | undefined, after: string): Result<Written> {
  return update(path, ({ text }) =>
    text === before
      ? good({ text: after, backup: 'first' })
      : bad('STATE_UNWRITABLE', 'Somebody else changed the file just now.', { fix: 'Try again.' }),
  )
}

/**
 * Removes the hooks. A file that nothing else has changed gets its first text back, and one that did not exist is removed.
 * From any other file only the hooks are removed, and the backup is kept.
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

/** The text before the first hook, if it was kept. */
function firstText(file: string, edits: Edits): string | undefined {
  const backup = readOwned(backupOf(file))
  const text = backup.ok ? backup.value.text : undefined
  const without = text === undefined ? undefined : edits.uninstall(text)
  return without?.ok === true && without.value === text ? text : undefined
}

/** The text after installing and uninstalling. It is the same for all versions that wrote hooks. */
function leftBehind(before: string, edits: Edits): Result<string | undefined> {
  const installed = edits.install(before, { command: '/holdpoint-hook', home: '/', version: undefined })
  return installed.ok ? edits.uninstall(installed.value) : installed
}

interface Update {
  /** Undefined: remove the file. */
  readonly text: string | undefined
  /** `first`: created unless there is one; `renew`: created from the current text. */
  readonly backup: 'first' | 'renew' | 'leave' | 'drop'
  /** Unchanged if missing. */
  readonly mode?: number
}

/** A program that keeps writing without our lock must not block forever. */
const TRIES_MAX = 20

function update(path: string, next: (found: OwnedFile) => Result<Update>): Result<Written> {
  const found = readOwned(path)
  if (!found.ok) return found
  const { file, text } = found.value
  try {
    // Checked first, so that a file that needs no change, or cannot be changed, is not even touched.
    const planned = next(found.value)
    if (!planned.ok) return { ok: false, problem: { file, ...planned.problem } }
    if (planned.value.text === text) return unchanged(found.value, planned.value)
    const writable = checkWritable(found.value)
    if (!writable.ok) return writable
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
    return withLock(`${file}.holdpoint-lock`, () => updateLocked(file, next))
  } catch (error) {
    return unwritable(error, file, 'choose another --scope')
  }
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

/** The path of the backup, if there is one. */
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
