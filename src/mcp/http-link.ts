import { setTimeout as sleep } from 'node:timers/promises'
import type { Answered } from './http-exchange.ts'
import { type HttpServer, idsIn, openHttpSession, STREAM } from './http-session.ts'
import { countInFlight } from './in-flight.ts'
import type { LinkListener, ServerLink } from './link.ts'
import { CODES, errorMessage, type Id, readMessages } from './message.ts'

/** Requests that may be on their way at once. */
const OPEN_MAX = 64
const ANSWER_MS = 1_000
const FAREWELL_MS = 1_000
/** A server that does not even accept what needs no answer keeps nobody waiting for longer. */
const ORDER_MS = 2_000
const UNAVAILABLE = 69

/** A server over streamable HTTP, for a client that speaks over standard input and output. */
export function openHttpLink(server: HttpServer, listener: LinkListener): ServerLink {
  const quit = new AbortController()
  const session = openHttpSession(server, quit.signal)
  const wait = createPause()
  let isFull = false
  const open = countInFlight(
    OPEN_MAX,
    () => {
      isFull = true
    },
    () => {
      isFull = false
      listener.ready()
    },
  )
  const ended = (why: string, exitCode: number) => {
    if (quit.signal.aborted) return
    quit.abort()
    listener.ended({ why, exitCode })
  }
  const fail = (ids: Iterable<Id>, why: string) => {
    if (quit.signal.aborted) return
    for (const id of ids) listener.message(errorMessage(id, CODES.internal, why))
  }
  const follow = async (answered: Answered, unanswered: Set<Id>, isStanding: boolean) => {
    const why = await session.follow(answered, {
      isStanding,
      isDone: () => !isStanding && unanswered.size === 0,
      take: async (data) => {
        await wait.over()
        for (const id of idsIn(data).answered) unanswered.delete(id)
        listener.message(data)
      },
    })
    if (why !== undefined) fail(unanswered, why)
  }
  const post = async (bytes: Buffer) => {
    const asked = new Set(idsIn(bytes).asked)
    const answered = await session.ask('POST', { accept: 'application/json, text/event-stream' }, bytes)
    if (answered.is === 'failure' && answered.status === 404 && session.isNamed()) {
      fail(asked, answered.why)
      return ended('The server has forgotten the session.', UNAVAILABLE)
    }
    if (asked.size > 0) return follow(answered, asked, false)
    if (answered.is === 'failure') listener.message(errorMessage(null, CODES.internal, answered.why))
  }
  /** What the server says unasked, once the client is ready for it. Not every server offers that. */
  const listen = async () => {
    const answered = await session.ask('GET', STREAM)
    if (answered.is === 'events') await follow(answered, new Set(), true)
  }
  /** What needs no answer has arrived before what the client said after it; requests wait for nothing. */
  let order: Promise<void> = Promise.resolve()
  return {
    send(bytes) {
      const isRequest = idsIn(bytes).asked.length > 0
      const sent = order.then(() => post(bytes))
      if (!isRequest) order = Promise.race([sent, sleep(ORDER_MS, undefined, { ref: false })])
      if (isReady(bytes)) void sent.then(listen)
      open.add(sent, () => {})
      return !isFull
    },
    hold: wait.begin,
    resume: wait.end,
    end() {
      // What was asked before is sent, and has as long for its answer as a server on this machine would have.
      const farewell = async () => {
        await Promise.race([open.none(), sleep(ANSWER_MS)])
        if (session.isNamed()) await Promise.race([session.ask('DELETE'), sleep(FAREWELL_MS)])
        ended('The client ended.', 0)
      }
      void farewell()
    },
    stop: () => ended('The gate was told to end.', 0),
  }
}

/** It says little. */
const READY_MAX_BYTES = 1_000

function isReady(bytes: Buffer): boolean {
  if (bytes.length > READY_MAX_BYTES) return false
  const read = readMessages(bytes)
  const messages = read !== undefined && 'messages' in read ? read.messages : []
  return messages.some(({ json }) => json.method === 'notifications/initialized')
}

/** Between `begin` and `end` nobody gets past `over`. */
function createPause(): { begin(): void; end(): void; over(): Promise<void> | undefined } {
  let paused: Promise<void> | undefined
  let wake = () => {}
  return {
    begin() {
      paused ??= new Promise((resolve) => {
        wake = resolve
      })
    },
    end() {
      paused = undefined
      wake()
    },
    over: () => paused,
  }
}
