import { existsSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { good, type Result } from '../core/errors.ts'
import { isObject, type Json, type JsonObject, textAt } from '../core/json.ts'
import { withLock } from './file-lock.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'
import type { NodeLocation } from './node-location.ts'
import { readRegularText } from './regular-file.ts'

/** One file into which hooks were installed. */
export interface Install {
  readonly host: string
  readonly scope: string
  readonly file: string
  /** How many hooks were written: a smaller number later means that some were removed. */
  readonly entries: number
  /** The hash of each hook as it was written, by event, for a later comparison. */
  readonly marks?: Readonly<Record<string, string>>
  /** The hooks use HTTP, and the file contains their secret. */
  readonly http?: boolean
  /** The file's mode before it was restricted because of the secret. */
  readonly modeBefore?: number
  /** The folders that did not exist before, from the outermost to the innermost. */
  readonly foldersMade?: readonly string[]
}

/** Held while `init` writes. If the process that took it has ended, it was killed halfway. */
export function installLock(home: Pick<Home, 'folder'>): string {
  return join(home.folder, 'init.lock')
}

/** Whether the list exists but cannot be read: it is then unknown what was installed. */
export function isInstallListBroken(path: string): boolean {
  return existsSync(path) && !Array.isArray(readFile(path).installs)
}

/** What `init` wrote and `uninstall` has not removed. A list that cannot be read is empty: nothing is guessed. */
export function readInstalls(path: string): readonly Install[] {
  const { installs } = readFile(path)
  return Array.isArray(installs) ? installs.flatMap(readInstall) : []
}

/** Changes the list. Two `init` processes at once must not lose each other's entries. */
export function updateInstalls(
  path: string,
  change: (installs: readonly Install[]) => readonly Install[],
): Result<void> {
  return update(path, () => ({ installs: change(readInstalls(path)) }))
}

/** Which Node runs the hooks, and where to look for another one. */
export function readNodeLocation(path: string): NodeLocation | undefined {
  const { node } = readFile(path)
  const file = isObject(node) ? textAt(node, 'node') : undefined
  const others = isObject(node) && Array.isArray(node.others) ? node.others : []
  return file === undefined
    ? undefined
    : { node: file, others: others.filter((each) => typeof each === 'string') }
}

export function writeNodeLocation(path: string, node: NodeLocation): Result<void> {
  return update(path, () => ({ node: { ...node } }))
}

const LIST_MAX_BYTES = 4 * 1024 * 1024

function readFile(path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readRegularText(path, LIST_MAX_BYTES) ?? '')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function update(path: string, changes: () => object): Result<void> {
  return withLock(`${path}.lock`, () => {
    const content = { version: 1, installs: [], ...readFile(path), ...changes() }
    writeWhole(path, `${JSON.stringify(content, null, 2)}\n`, 0o600)
    return good(undefined)
  })
}

export function sameInstall(a: Install, b: Install): boolean {
  return a.host === b.host && a.file === b.file
}

function readInstall(value: Json): readonly Install[] {
  if (!isObject(value)) return []
  const [host, scope, file] = [textAt(value, 'host'), textAt(value, 'scope'), textAt(value, 'file')]
  const entries = typeof value.entries === 'number' ? value.entries : 1
  if (host === undefined || scope === undefined || file === undefined) return []
  const http = value.http === true ? { http: true } : {}
  const before = typeof value.modeBefore === 'number' ? { modeBefore: value.modeBefore & 0o777 } : {}
  const made = Array.isArray(value.foldersMade) ? value.foldersMade : []
  const isNear = (each: string) => file.startsWith(`${each}/`) || each.startsWith(`${dirname(file)}/`)
  const folders = made.filter((each) => typeof each === 'string' && isNear(each)) as string[]
  const foldersMade = folders.length === 0 ? {} : { foldersMade: folders }
  return [{ host, scope, file, entries, ...marksIn(value.marks), ...http, ...before, ...foldersMade }]
}

/** The folders that must be created for a file, from the outermost to the innermost. */
export function missingFolders(file: string): readonly string[] {
  const folder = dirname(file)
  if (folder === file || existsSync(folder)) return []
  return [...missingFolders(folder), folder]
}

/** Removes the folders that were created for an installation and that are empty now. */
export function removeMadeFolders({ foldersMade = [] }: Install): void {
  for (const folder of foldersMade.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // It is not empty any more, or missing.
    }
  }
}

function marksIn(value: Json | undefined): Pick<Install, 'marks'> {
  if (!isObject(value)) return {}
  const marks = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return marks.length === 0 ? {} : { marks: Object.fromEntries(marks) }
}
