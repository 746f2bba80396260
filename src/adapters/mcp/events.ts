import { createLineReader } from './lines.ts'
import { MESSAGE_MAX_BYTES } from './message.ts'

/** One event of a `text/event-stream` that carries a message. */
export interface StreamEvent {
  readonly data: Buffer
  /** With it a reader says how far it has read. */
  readonly id?: string
}

export interface StreamListener {
  /** An event of another type, or without data, only moves the id. */
  event(event: StreamEvent): void
  retry(ms: number): void
  tooLong(): void
}

/** Reads server-sent events. Unneeded fields are skipped. */
export function createEventReader(listener: StreamListener): { push(chunk: Buffer): void } {
  let data: Buffer[] = []
  let sizeBytes = 0
  let type = ''
  let id: string | undefined
  const dispatch = () => {
    const isMessage = data.length > 0 && (type === '' || type === 'message')
    if (isMessage || id !== undefined) {
      listener.event({
        data: isMessage ? Buffer.concat(withBreaks(data)) : Buffer.alloc(0),
        ...(id === undefined ? {} : { id }),
      })
    }
    data = []
    sizeBytes = 0
    type = ''
    id = undefined
  }
  const field = (name: string, value: Buffer) => {
    if (name === 'data') {
      sizeBytes += value.length
      if (sizeBytes > MESSAGE_MAX_BYTES) listener.tooLong()
      else data.push(value)
    } else if (name === 'event') type = value.toString('utf8')
    // An id with a line break would start another event for the next reader.
    else if (name === 'id' && !/[\0\r\n]/.test(value.toString('utf8'))) id = value.toString('utf8')
    else if (name === 'retry' && /^\d{1,9}$/.test(value.toString('utf8'))) listener.retry(Number(value))
  }
  return createLineReader(MESSAGE_MAX_BYTES + FIELD_MAX_BYTES, {
    tooLong: listener.tooLong,
    line(bytes) {
      const line = bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes
      if (line.length === 0) return dispatch()
      const colon = line.indexOf(COLON)
      const name = line.subarray(0, colon < 0 ? line.length : colon).toString('utf8')
      const value = colon < 0 ? line.subarray(line.length) : line.subarray(colon + 1)
      field(name, value[0] === SPACE ? value.subarray(1) : value)
    },
  })
}

const RETURN = 13
const SPACE = 32
const COLON = 58
const FIELD_MAX_BYTES = 16

function withBreaks(lines: readonly Buffer[]): readonly Buffer[] {
  return lines.flatMap((line, index) => (index === 0 ? [line] : [BREAK, line]))
}

const BREAK = Buffer.from('\n')

/** The same event, written again. `data` has no line break. Clients ignore an id without data. */
export function mcpEvent({ data, id }: StreamEvent): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`
  return data.length === 0
    ? Buffer.from(id === undefined ? '\n' : `${head}data:\n\n`)
    : Buffer.concat([Buffer.from(`${head}event: message\ndata: `), data, Buffer.from('\n\n')])
}
