import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Exception, readException } from '../exceptions.ts'
import { isObject, type Json, type JsonObject, textAt } from '../json.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'

/** An exception as it is kept, with what a person wants to read of it later. */
export interface KeptException extends Exception {
  /** The call, masked and shortened. */
  readonly what: string
  readonly cwd: string
  readonly project: string
  readonly addedMs: number
}

export function exceptionsFile(home: Home): string {
  return join(home.folder, 'exceptions.json')
}

/** What people have let through. A file nobody can read, or that others may write to, excepts nothing. */
export function readExceptions(path: string): readonly KeptException[] {
  const list = readOwnJson(path)?.exceptions
  return Array.isArray(list) ? list.flatMap(readKept) : []
}

/** Whole or not at all, and closed to others. */
export function writeExceptions(path: string, exceptions: readonly KeptException[]): void {
  writeWhole(path, `${JSON.stringify({ version: 1, exceptions }, null, 2)}\n`, 0o600)
}

/** A JSON object in a plain file that only this user can have written. */
export function readOwnJson(path: string): JsonObject | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    // A pipe in its place would be waited for.
    if (info?.isFile() !== true || (info.mode & OTHERS_MAY_WRITE) !== 0 || info.size > BYTES_MAX)
      return undefined
    const user = process.getuid?.()
    if (user !== undefined && info.uid !== user) return undefined
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const OTHERS_MAY_WRITE = 0o022
const BYTES_MAX = 1024 * 1024

function readKept(value: Json): readonly KeptException[] {
  if (!isObject(value)) return []
  const [what, cwd, project] = [textAt(value, 'what'), textAt(value, 'cwd'), textAt(value, 'project')]
  const { addedMs } = value
  if (cwd === undefined || project === undefined || typeof addedMs !== 'number') return []
  return readException(value).map((exception) => ({ ...exception, what: what ?? '', cwd, project, addedMs }))
}
