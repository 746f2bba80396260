import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** The beginning of a file, with its metadata. */
export interface ReadFile {
  readonly text: string
  readonly sizeBytes: number
  readonly modified: Date
}

/** Undefined if it is not a readable regular file. Reading a pipe could wait forever. */
export function readFile(path: string, maxBytes: number): ReadFile | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const info = fstatSync(file)
    if (!info.isFile()) return undefined
    const bytes = Buffer.alloc(Math.min(info.size, maxBytes))
    const text = bytes.toString('utf8', 0, readSync(file, bytes))
    return { text, sizeBytes: info.size, modified: info.mtime }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
