import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicMs } from './clock.ts'

/**
 * One file for each call that a hook of a settings file is answering now. The plugin's hook for the same call removes
 * the file and leaves the answer to that hook. If the folder does not exist, there is no plugin and nothing is written.
 * Nothing here throws: a file that cannot be written or read only means that the call is checked twice.
 */

/** Both hooks of one call start at the same time; an older file belongs to an earlier call. */
const FRESH_MS = 30_000
const POLL_MS = 5

export function hasFolder(folder: string): boolean {
  return existsSync(folder)
}

export function makeFolder(folder: string): void {
  quietly(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
}

/** Removes the files of earlier calls. */
export function removeStaleNotes(folder: string): void {
  quietly(() => {
    for (const name of readdirSync(folder)) {
      if (!isFresh(join(folder, name))) rmSync(join(folder, name), { force: true })
    }
  })
}

export function removeFolder(folder: string): void {
  quietly(() => rmSync(folder, { recursive: true, force: true }))
}

/** An existing file of an earlier, equal call gets a new time. */
export function note(folder: string, name: string): void {
  quietly(() => writeFileSync(join(folder, name), '\n', { mode: 0o600 }))
}

export function forget(folder: string, name: string): void {
  quietly(() => rmSync(join(folder, name), { force: true }))
}

/** Removes a note: true for one caller only. Waits for it up to the given time. */
export async function take(folder: string, name: string, waitMs: number): Promise<boolean> {
  const endsMs = monotonicMs() + waitMs
  for (;;) {
    if (takeNow(join(folder, name))) return true
    if (monotonicMs() >= endsMs) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/**
 * A note that is old or missing is not removed, because another process may write it between the two steps. Without
 * `force`, removing throws if another process was faster.
 */
function takeNow(path: string): boolean {
  return isFresh(path) && quietly(() => rmSync(path))
}

export function isFresh(path: string): boolean {
  let fresh = false
  quietly(() => {
    fresh = Date.now() - statSync(path).mtimeMs <= FRESH_MS
  })
  return fresh
}

/** Whether a file of an agent contains this text. A pipe with this name would block the reader. */
export function fileContains(path: string, text: string): boolean {
  let contains = false
  quietly(() => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isFile() === true && found.size <= READ_MAX_BYTES) {
      contains = readFileSync(path, 'utf8').includes(text)
    }
  })
  return contains
}

const READ_MAX_BYTES = 2 * 1024 * 1024

function quietly(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}
