/**
 * Splits bytes into complete lines, unchanged and without their newline. A line that is too long is dropped
 * and reported.
 */
export interface MessageReader {
  push(chunk: Buffer): void
  /** Bytes after the last newline: half a line if nothing follows. */
  readonly restBytes: number
}

export interface LineListener {
  line(bytes: Buffer): void
  tooLong(): void
}

export function createLineReader(maxBytes: number, listener: LineListener): MessageReader {
  let parts: Buffer[] = []
  let sizeBytes = 0
  let dropping = false
  const take = (part: Buffer) => {
    if (dropping) return
    sizeBytes += part.length
    if (sizeBytes <= maxBytes) {
      if (part.length > 0) parts.push(part)
      return
    }
    dropping = true
    parts = []
    listener.tooLong()
  }
  const end = () => {
    const [only = EMPTY] = parts
    const line = parts.length > 1 ? Buffer.concat(parts) : only
    const isWhole = !dropping
    parts = []
    sizeBytes = 0
    dropping = false
    if (isWhole) listener.line(line)
  }
  return {
    push(chunk) {
      let start = 0
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, start)) {
        take(chunk.subarray(start, at))
        end()
        start = at + 1
      }
      take(chunk.subarray(start))
    },
    get restBytes() {
      return sizeBytes
    },
  }
}

const LINE_END = 10
const EMPTY = Buffer.alloc(0)
