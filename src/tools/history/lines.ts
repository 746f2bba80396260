import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** A line of a file, or why there is none: longer than is read, or the last one without its end. */
export type FileLine =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'last'; readonly text: string }
  | { readonly kind: 'too-long'; readonly bytes: number }

/** A longer line is skipped: memory stays the same whatever a file holds. */
const LINE_MAX_BYTES = 16 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const NEWLINE = 10

export interface LineOptions {
  readonly lineMaxBytes?: number
  /** Called with the bytes read so far, after each piece. */
  onBytes?(bytes: number): void
}

/**
 * The lines of a regular file, read in pieces. A link is not followed and a pipe is not waited for: both throw, as does
 * a file that cannot be read. A file that grows while it is read is read up to where it ended at the start.
 */
export function* linesOf(path: string, options: LineOptions = {}): Generator<FileLine> {
  const { lineMaxBytes = LINE_MAX_BYTES, onBytes } = options
  const file = openSync(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT)
  try {
    const info = fstatSync(file)
    if (!info.isFile()) throw new Error('it is not a regular file')
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, info.size)))
    let pieces: Buffer[] = []
    let pending = 0
    let position = 0
    while (position < info.size) {
      const count = readSync(file, chunk, 0, Math.min(chunk.length, info.size - position), position)
      if (count === 0) break
      position += count
      onBytes?.(position)
      let start = 0
      for (;;) {
        const end = chunk.indexOf(NEWLINE, start)
        if (end === -1 || end >= count) break
        const bytes = pending + end - start
        if (bytes > lineMaxBytes) yield { kind: 'too-long', bytes }
        else if (pieces.length === 0) yield { kind: 'line', text: chunk.toString('utf8', start, end) }
        else {
          yield {
            kind: 'line',
            text: Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8'),
          }
        }
        pieces = []
        pending = 0
        start = end + 1
      }
      pending += count - start
      // Of a line that is too long nothing is kept, only its length.
      if (pending > lineMaxBytes) pieces = []
      else if (count > start) pieces.push(Buffer.from(chunk.subarray(start, count)))
    }
    if (pending > lineMaxBytes) yield { kind: 'too-long', bytes: pending }
    else if (pending > 0) yield { kind: 'last', text: Buffer.concat(pieces).toString('utf8') }
  } finally {
    closeSync(file)
  }
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const NO_WAIT = constants.O_NONBLOCK ?? 0
