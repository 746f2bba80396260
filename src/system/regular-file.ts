import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** The result of reading a regular file. `missing`: there is no such file. */
export type FileRead =
  | { readonly kind: 'read'; readonly content: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'special' }
  | { readonly kind: 'too-large'; readonly sizeBytes: number }
  | { readonly kind: 'closed'; readonly code: string }

/** File systems whose files are not on a disk: a read can wait forever, and sizes mean nothing. */
const MADE_UP = /^\/(?:proc|sys|dev)(?:\/|$)/

/**
 * Reads only regular files. It does not wait for a pipe or a device, does not open files of /proc, /sys or /dev, and never
 * reads more than the size that the file reported.
 */
export function readRegularFile(path: string, maxBytes: number): FileRead {
  if (MADE_UP.test(resolve(path))) return { kind: 'special' }
  let file: number | undefined
  try {
    const { end, isThere } = followLinks(path)
    if (MADE_UP.test(end)) return { kind: 'special' }
    if (!isThere) return { kind: 'missing' }
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    const info = fstatSync(file)
    if (!info.isFile()) return { kind: 'special' }
    if (info.size > maxBytes) return { kind: 'too-large', sizeBytes: info.size }
    return { kind: 'read', content: readUpTo(file, info.size) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return NOT_THERE.has(code) ? { kind: 'missing' } : { kind: 'closed', code }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The text of a regular file; undefined if there is none that can be read completely. */
export function readRegularText(path: string, maxBytes: number): string | undefined {
  const read = readRegularFile(path, maxBytes)
  return read.kind === 'read' ? read.content.toString('utf8') : undefined
}

const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])

function readUpTo(file: number, sizeBytes: number): Buffer {
  const content = Buffer.alloc(sizeBytes)
  let length = 0
  while (length < sizeBytes) {
    const count = readSync(file, content, length, sizeBytes - length, length)
    if (count === 0) break
    length += count
  }
  return content.subarray(0, length)
}

const LINKS_MAX = 40

/**
 * The target of a path, link by link. Only links are read, so that no slow disk is asked for a file. (Opening what is not
 * there would say so too, with an exception, which takes ten times as long.)
 */
function followLinks(path: string): { readonly end: string; readonly isThere: boolean } {
  let end = resolve(path)
  for (let links = 0; links < LINKS_MAX; links += 1) {
    const next = firstLink(end)
    if (next === undefined || next === MISSING) return { end, isThere: next === undefined }
    end = next
    if (MADE_UP.test(end)) break
  }
  return { end, isThere: true }
}

/** Not a path: those begin with a slash. */
const MISSING = 'missing'

/** The path with its first link replaced by the target; undefined if it has no link. */
function firstLink(path: string): string | typeof MISSING | undefined {
  let end = 0
  while (end < path.length) {
    const next = path.indexOf('/', end + 1)
    end = next === -1 ? path.length : next
    const here = path.slice(0, end)
    const info = lstatSync(here, { throwIfNoEntry: false })
    if (info === undefined) return MISSING
    if (info.isSymbolicLink()) {
      const target = readlinkSync(here)
      return join(isAbsolute(target) ? target : resolve(dirname(here), target), path.slice(end))
    }
  }
  return undefined
}

/**
 * Whether a path stays inside this folder, whatever links it contains. A link that leads out is not followed, so that
 * nothing outside is even looked at.
 */
export function staysInside(path: string, folder: string): boolean {
  const { end } = followLinks(folder)
  const roots = [resolve(folder), end]
  const isInside = (each: string) => roots.some((root) => isBelow(each, root))
  let at = resolve(path)
  const root = roots.find((each) => isBelow(at, each))
  if (root === undefined) return false
  // Links above the folder belong to the machine. Only those below it can come from the project.
  at = join(end, at.slice(root.length))
  for (let links = 0; links < LINKS_MAX; links += 1) {
    const next = linkIn(at)
    if (next === undefined || next === MISSING) return true
    if (!isInside(next)) return false
    at = next
  }
  return false
}

/** True for the folder itself too. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

function linkIn(path: string): string | undefined {
  try {
    return firstLink(path)
  } catch {
    // The folder is not readable: reading the file will report it.
    return undefined
  }
}

/** A file with one name: the path is not a link, and no other name is the same file. */
export function isPlainFile(path: string): boolean {
  try {
    return firstLink(path) === undefined && lstatSync(path).nlink === 1
  } catch {
    return false
  }
}

/** Whether the last part of a path is a link, whatever its target. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false
  }
}
