import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { CLOSED_MODE, codeOf } from './owned-file.ts'

const LINE_BYTES_MAX = 64 * 1024
/** A file that nobody reads must not fill the disk. */
const FILE_BYTES_MAX = 32 * 1024 * 1024
const NEWLINE = 10

/** One write at the end of a file that is ours alone, so that any number of processes add to it and lose nothing. */
export function appendLine(path: string, line: string): void {
  const size = Buffer.byteLength(line)
  if (size > LINE_BYTES_MAX) throw new Error(`a line of ${size} bytes is too long`)
  const file = openForAppend(path)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error('it is not a plain file')
    if (stat.size + size > FILE_BYTES_MAX) throw new Error(`it has ${stat.size} bytes, and no more are kept`)
    // What another writer left torn on a full disk is closed first.
    const bytes = Buffer.from(`${endsLine(file, stat) ? '' : '\n'}${line}\n`)
    const written = writeSync(file, bytes)
    if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`)
  } finally {
    closeSync(file)
  }
}

function endsLine(file: number, { size }: Stats): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE
}

// A link or a pipe in the place of the file must fail, not lead elsewhere or wait. Absent on Windows.
const FLAGS =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)

function openForAppend(path: string): number {
  try {
    return openSync(path, FLAGS, CLOSED_MODE)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    mkdirSync(dirname(path), { recursive: true })
    return openSync(path, FLAGS, CLOSED_MODE)
  }
}
