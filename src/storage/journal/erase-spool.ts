import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { OLD_SPOOL } from './ingest.ts'
import { SPOOL } from './spool.ts'

const NEWLINE = 10
const SPACE = 32

/**
 * Overwrites the lines of a record in the spool files with spaces. Other writers only append, so they need not wait, and a
 * line of spaces is not a record. Throws if a file cannot be changed; the record is then still there.
 */
export function eraseFromSpools(folder: string, id: string): number {
  return [OLD_SPOOL, SPOOL].reduce((erased, name) => erased + eraseIn(`${folder}/${name}`, id), 0)
}

function eraseIn(path: string, id: string): number {
  const file = openIfThere(path)
  if (file === undefined) return 0
  try {
    const bytes = Buffer.alloc(fstatSync(file).size)
    const size = readSync(file, bytes, 0, bytes.length, 0)
    let erased = 0
    for (let start = 0; start < size; ) {
      const end = bytes.indexOf(NEWLINE, start)
      const stop = end === -1 || end > size ? size : end
      if (isRecord(bytes.toString('utf8', start, stop), id)) {
        writeSync(file, Buffer.alloc(stop - start, SPACE), 0, stop - start, start)
        erased += 1
      }
      start = stop + 1
    }
    return erased
  } finally {
    closeSync(file)
  }
}

function isRecord(line: string, id: string): boolean {
  if (!line.includes(id)) return false
  try {
    return JSON.parse(line).id === id
  } catch {
    return false
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
