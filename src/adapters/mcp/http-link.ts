import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpAnswer } from './http-exchange.ts'
import { idsIn, type McpHttpServer, openHttpSession, STREAM } from './http-session.ts'
import { countInFlight } from './in-flight.ts'
import type { LinkListener, ServerLink } from './link.ts'
import { CODES, errorMessage, type Id, readMessages } from './message.ts'

/** The maximum of parallel requests. */
const OPEN_MAX = 64
const ANSWER_MS = 1_000
const FAREWELL_MS = 1_000
/** The longest wait for a server that does not accept a message without an answer. */
const ORDER_MS = 2_000
const UNAVAILABLE = 69

/** A server over streamable HTTP, for a client that uses standard input and output. */
export function openHttpLink(server: McpHttpServer, listener: LinkListener): ServerLink {
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
  const follow = async (answered: HttpAnswer, unanswered: Set<Id>, isStanding: boolean) => {
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
    if (answered.kind === 'failure' && answered.status === 404 && session.isNamed()) {
      fail(asked, answered.why)
      return ended('The server has dropped the session.', UNAVAILABLE)
    }
    if (asked.size > 0) return follow(answered, asked, false)
    if (answered.kind === 'failure') listener.message(errorMessage(null, CODES.internal, answered.why))
  }
  /**
   * Messages that the server sends without a request, once the client is ready. Not every server supports
   * that.
   */
  const listen = async () => {
    const answered = await session.ask('GET', STREAM)
    if (answered.kind === 'events') await follow(answered, new Set(), true)
  }
  /** A message without an answer must arrive before what the client sent after it; requests do not wait. */
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
      // Requests from before the end are still sent, and get as much time as with a server on this machine.
      const farewell = async () => {
        await Promise.race([open.none(), sleep(ANSWER_MS)])
        if (session.isNamed()) await Promise.race([session.ask('DELETE'), sleep(FAREWELL_MS)])
        ended('The client ended.', 0)
      }
      void farewell()
    },
    stop: () => ended('The gate was stopped.', 0),
  }
}

/** The messages are few. */
const READY_MAX_BYTES = 1_000

function isReady(bytes: Buffer): boolean {
  if (bytes.length > READY_MAX_BYTES) return false
  const read = readMessages(bytes)
  const messages = read !== undefined && 'messages' in read ? read.messages : []
  return messages.some(({ json }) => json.method === 'notifications/initialized')
}

/** Between `begin` and `end`, `over` is not settled. */
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
