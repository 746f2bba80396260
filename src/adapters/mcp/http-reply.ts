import type { ServerResponse } from 'node:http'
import { mcpEvent } from './events.ts'

/** An HTTP answer that is a single message if possible, and becomes a stream if necessary. */
export interface GateReply {
  /** For the headers, which are written with the first message. */
  header(name: string, value: string): void
  /** Turns it into a stream. */
  open(): void
  /** Sent at once, as an event of a stream. False: the client cannot take more now. */
  event(data: Buffer, id?: string): boolean
  /** How long the client should wait before it requests the rest of the stream. */
  retry(ms: number): void
  /** Kept for the end. */
  add(data: Buffer): void
  /** Ends it. Without a message: accepted. */
  end(status?: number): void
  /** Settled when the client can take more, or has disconnected. */
  room(): Promise<void>
}

export function createHttpReply(response: ServerResponse): GateReply {
  const kept: Buffer[] = []
  const open = () => {
    if (response.headersSent) return
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.flushHeaders()
  }
  return {
    open,
    header: (name, value) => {
      if (!response.headersSent) response.setHeader(name, value)
    },
    event(data, id) {
      open()
      return response.writable && response.write(mcpEvent({ data, ...(id === undefined ? {} : { id }) }))
    },
    retry(ms) {
      open()
      if (response.writable) response.write(`retry: ${ms}\n\n`)
    },
    add: (data) => kept.push(data),
    end(status = 200) {
      if (response.headersSent) {
        for (const data of kept) response.write(mcpEvent({ data }))
        response.end()
        return
      }
      const [only] = kept
      if (only === undefined) return void response.writeHead(status === 200 ? 202 : status).end()
      const body = kept.length === 1 ? only : Buffer.concat([OPEN, ...separated(kept), CLOSE])
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    },
    room: () =>
      new Promise((resolve) => {
        if (!response.writableNeedDrain || response.destroyed) return resolve()
        response.once('drain', resolve)
        response.once('close', resolve)
      }),
  }
}

const [OPEN, CLOSE, COMMA] = ['[', ']', ','].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

function separated(parts: readonly Buffer[]): readonly Buffer[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [COMMA, part]))
}
