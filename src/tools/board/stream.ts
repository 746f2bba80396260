import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LiveMessage } from './api.ts'
import { HEADERS } from './headers.ts'

/** The pages that are told what happens, as server-sent events. */
export interface LiveStream {
  add(request: IncomingMessage, response: ServerResponse): void
  send(message: LiveMessage): void
  close(): void
}

/** A page that reads too slowly is dropped: it connects again and loads the newest page. */
const UNREAD_MAX_BYTES = 4 * 1024 * 1024
const PAGES_MAX = 64
/** Both ends notice within this time that the other one is gone. */
const PULSE_EVERY_MS = 5_000

/** `first`: what a new page must know at once. */
export function createLiveStream(first: () => readonly LiveMessage[]): LiveStream {
  const pages = new Set<ServerResponse>()
  const drop = (page: ServerResponse) => {
    pages.delete(page)
    page.destroy()
  }
  const write = (page: ServerResponse, text: string) => {
    if (page.writableLength > UNREAD_MAX_BYTES) drop(page)
    else page.write(text)
  }
  const pulse = setInterval(() => {
    for (const page of pages) write(page, ': still here\n\n')
  }, PULSE_EVERY_MS)
  pulse.unref()
  return {
    add(request, response) {
      const [oldest] = pages
      if (pages.size >= PAGES_MAX && oldest !== undefined) drop(oldest)
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
      request.socket.setNoDelay(true)
      pages.add(response)
      response.on('close', () => pages.delete(response))
      for (const message of first()) write(response, eventText(message))
      response.write(': hello\n\n')
    },
    send(message) {
      const text = eventText(message)
      for (const page of pages) write(page, text)
    },
    close() {
      clearInterval(pulse)
      for (const page of [...pages]) drop(page)
    },
  }
}

/** JSON has no newlines of its own, so one line is one message. */
function eventText(message: LiveMessage): string {
  return `data: ${JSON.stringify(message)}\n\n`
}
