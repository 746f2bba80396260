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
/** A file that is never read must not fill the disk. */
const FILE_BYTES_MAX = 32 * 1024 * 1024
const NEWLINE = 10

/** One write at the end of a file of this user, so that several processes can append without losing data. */
export function appendLine(path: string, line: string): void {
  const size = Buffer.byteLength(line)
  if (size > LINE_BYTES_MAX) throw new Error(`a line of ${size} bytes is too long`)
  const file = openForAppend(path)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error('it is not a plain file')
    if (stat.size + size > FILE_BYTES_MAX) throw new Error(`it has ${stat.size} bytes, and no more are kept`)
    // An incomplete line of another writer (full disk) is ended first.
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

// A link or a pipe instead of the file must fail, not lead elsewhere or block. Not available on Windows.
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
