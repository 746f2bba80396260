import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { bad, good, type Result } from '../core/errors.ts'
import { isAlive } from './processes.ts'

/**
 * A lock is a file that only one process can create. A lock of a killed process is taken over if it is old and its
 * process has ended. Both are required, because a process of another container is not visible here.
 */
export function withLock<T>(lock: string, run: () => Result<T>, waitMaxMs = WAIT_MAX_MS): Result<T> {
  const taken = take(lock, waitMaxMs)
  if (!taken.ok) return taken
  try {
    return run()
  } finally {
    if (ownerOf(lock) === taken.value) rmSync(lock, { force: true })
  }
}

const STALE_AFTER_MS = 10_000
const WAIT_MAX_MS = 20_000
const WAIT_STEP_MS = 25

/** Returns the lock's text, by which this process recognises it. */
function take(lock: string, waitMaxMs: number): Result<string> {
  const owner = `${process.pid} ${Math.random().toString(36).slice(2)}`
  for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += WAIT_STEP_MS) {
    if (created(lock, owner)) return good(owner)
    if (!removeStale(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_STEP_MS)
  }
  const message = `Another process (${pidOf(lock) ?? 'unknown'}) is changing the same file.`
  return bad('STATE_UNWRITABLE', message, {
    file: lock,
    fix: 'Wait until it has ended and try again; if there is none, remove the lock file.',
  })
}

/**
 * False if there is a lock already. A lock that could not be written is removed; otherwise all processes
 * would wait for it.
 */
function created(lock: string, owner: string): boolean {
  let file: number
  try {
    file = openSync(lock, 'wx', 0o600)
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
  try {
    try {
      writeSync(file, owner)
    } finally {
      closeSync(file)
    }
    return true
  } catch (error) {
    rmSync(lock, { force: true })
    throw error
  }
}

/** Removes a stale lock. True if it is worth trying again at once. */
function removeStale(lock: string): boolean {
  const found = lstatSync(lock, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (Date.now() - found.mtimeMs < STALE_AFTER_MS || isAlive(pidOf(lock))) return false
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
    // Another process may have been faster, and this is its new lock: it is restored, unless a third process
    // has created one.
    if (lstatSync(aside).ino !== found.ino) linkSync(aside, lock)
  } catch (error) {
    if (!isCode(error, 'ENOENT') && !isCode(error, 'EEXIST')) throw error
  }
  rmSync(aside, { force: true })
  return true
}

function ownerOf(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}

function pidOf(lock: string): number | undefined {
  const pid = /^\d{1,10}/.exec(ownerOf(lock) ?? '')?.[0]
  return pid === undefined || pid === '0' ? undefined : Number(pid)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
