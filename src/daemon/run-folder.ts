import { lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bad, good, type Result } from '../core/errors.ts'

/** The daemon's folder is in the user's home. Another user who can write to it could answer instead of the daemon. */
export const SOCKET = 'hook.sock'
/** Exists while a daemon is being started, so that fifty first calls start only one. */
export const STARTING = 'starting'
export const STARTING_MAX_MS = 10_000
export const PID = 'daemon.pid'
export const LOG = 'daemon.log'

/** The noted pids: the daemon, then its supervisor. Either may be gone. */
export function notedPids(folder: string): readonly number[] {
  try {
    const words = readFileSync(join(folder, PID), 'utf8').trim().split(/\s+/)
    return words.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1)
  } catch {
    return []
  }
}

const OTHERS_MAY_WRITE = 0o022

/** Creates the folder if it is missing. A folder that other users own or can write to is refused. */
export function prepareRunFolder(folder: string): Result<void> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return checkRunFolder(folder)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return bad('DAEMON_FOLDER', `The daemon's folder cannot be created: ${why}`, { file: folder })
  }
}

export function checkRunFolder(folder: string): Result<void> {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  const user = process.geteuid?.()
  const wrong =
    found === undefined
      ? 'is missing'
      : !found.isDirectory()
        ? 'is not a folder'
        : user !== undefined && found.uid !== user
          ? `belongs to another user (${found.uid}; you are ${user})`
          : (found.mode & OTHERS_MAY_WRITE) !== 0
            ? 'is writable for other users'
            : undefined
  return wrong === undefined
    ? good(undefined)
    : bad('DAEMON_FOLDER', `The daemon's folder ${wrong}.`, { file: folder })
}
