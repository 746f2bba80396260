import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { bad, good, type Result } from '../core/errors.ts'
import { isAlive } from './platform/alive.ts'

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

/** The same around something that waits for others. It waits without blocking, and `onWait` hears once whom it waits for. */
export async function withLockHeld<T>(
  lock: string,
  run: () => Promise<T>,
  { waitMaxMs, onWait }: { readonly waitMaxMs: number; readonly onWait: (pid: number | undefined) => void },
): Promise<Result<T>> {
  const owner = newOwner()
  let isWaiting = false
  // The holder before may have removed the folder, too.
  const isTaken = () => {
    mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
    return !created(lock, owner)
  }
  for (let waitedMs = 0; isTaken(); waitedMs += WAIT_STEP_MS) {
    if (waitedMs >= waitMaxMs) return busy(lock)
    if (removeStale(lock)) continue
    if (!isWaiting) onWait(pidOf(lock))
    isWaiting = true
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS))
  }
  try {
    return good(await run())
  } finally {
    if (ownerOf(lock) === owner) rmSync(lock, { force: true })
  }
}

/** When a process took this lock that has ended without giving it back: it was killed, or the power failed. */
export function abandonedAt(lock: string): Date | undefined {
  const found = lstatSync(lock, { throwIfNoEntry: false })
  return found === undefined || isAlive(pidOf(lock)) ? undefined : found.mtime
}

const STALE_AFTER_MS = 10_000
const WAIT_MAX_MS = 20_000
const WAIT_STEP_MS = 25

/** Returns the lock's text, by which this process recognises it. */
function take(lock: string, waitMaxMs: number): Result<string> {
  const owner = newOwner()
  for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += WAIT_STEP_MS) {
    if (created(lock, owner)) return good(owner)
    if (!removeStale(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_STEP_MS)
  }
  return busy(lock)
}

function newOwner(): string {
  return `${process.pid} ${Math.random().toString(36).slice(2)}`
}

function busy(lock: string): ReturnType<typeof bad> {
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
