import { Server, Socket } from 'node:net'
import { numberIn, PORT_MESSAGES, pausedServer, type TakenMessage } from './port-messages.ts'

/** The HTTP port, as a daemon or a new supervisor receives it from the process that holds it. */
export interface GivenPort {
  /** For a daemon: `user` answers the connections, once the port has arrived. */
  use(user: PortUser): void
  /** The port itself, to hold it or to pass it on; undefined if it does not arrive within this time. */
  listener(waitMs: number): Promise<Server | undefined>
  close(): void
}

export interface PortUser {
  /** The port has arrived. */
  open(): void
  /** A connection, which is still paused. */
  take(connection: Socket): void
}

/** Undefined if the parent process has no channel to this one. */
export function givenPort(): GivenPort | undefined {
  if (process.send === undefined) return undefined
  let given: Server | undefined
  let used: Server | undefined
  let user: PortUser | undefined
  const early: Socket[] = []
  const arrived = new Set<(listener: Server) => void>()
  const start = () => {
    if (given === undefined || user === undefined || used !== undefined) return
    const { open, take } = user
    used = pausedServer(take)
    used.on('error', () => {})
    used.listen(given, open)
    for (const socket of early.splice(0)) take(socket)
  }
  process.on('message', (message: unknown, handle: unknown) => {
    if (message === PORT_MESSAGES.listener && handle instanceof Server) {
      given = handle
      for (const tell of arrived) tell(handle)
      start()
    } else if (handle instanceof Socket) {
      const taken = numberIn(message, 'connection')
      // Sent first: once this process has read from the connection, no other process can answer it.
      if (taken !== undefined)
        process.send?.({ taken } satisfies TakenMessage, undefined, undefined, () => {})
      if (user === undefined) early.push(handle)
      else user.take(handle)
    }
  })
  return {
    use(next) {
      user = next
      start()
    },
    listener: (waitMs) =>
      new Promise((resolve) => {
        if (given !== undefined) return resolve(given)
        const timer = setTimeout(() => resolve(undefined), waitMs)
        arrived.add((listener) => {
          clearTimeout(timer)
          resolve(listener)
        })
      }),
    close() {
      used?.close()
    },
  }
}

/** Tells the supervisor that it may send connections. */
export function sayReady(): void {
  process.send?.(PORT_MESSAGES.ready, undefined, undefined, () => {})
}
