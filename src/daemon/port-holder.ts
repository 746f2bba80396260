import type { ChildProcess } from 'node:child_process'
import type { Server, Socket } from 'node:net'
import { type HttpSettings, LOOPBACK } from './http-settings.ts'
import { type ConnectionMessage, numberIn, PORT_MESSAGES, pausedServer } from './port-messages.ts'

/** Holds the HTTP port, so that it is never free while a killed daemon is being replaced. */
export interface PortHolder {
  /** From now on this daemon answers. It gets the port as soon as the supervisor has it. */
  serve(child: ChildProcess): void
  close(): void
}

const TRY_EVERY_MS = 20
const WAITING_MAX = 256
/** Longer than a daemon needs to restart, and shorter than the time after which an agent gives up. */
const WAIT_MAX_MS = 10_000
const BACKLOG = 1_024

/** A daemon, and the connections sent to it. Node does not report whether one was received, so the daemon does. */
interface Served {
  readonly child: ChildProcess
  readonly passed: Map<number, Socket>
}

/** `given`: the port of a previous supervisor, which was never free. */
export function holdPort(settings: () => HttpSettings | undefined, given?: Server): PortHolder {
  let server: Server | undefined
  let tried: Server | undefined
  let served: Served | undefined
  let isReady = false
  const waiting = new Set<Socket>()
  let passedCount = 0
  const pass = (socket: Socket, { child, passed }: Served) => {
    waiting.delete(socket)
    passedCount += 1
    passed.set(passedCount, socket)
    child.send({ connection: passedCount } satisfies ConnectionMessage, socket, { keepOpen: true }, () => {})
  }
  const take = (socket: Socket) => {
    if (isReady && served?.child.connected === true) return pass(socket, served)
    if (waiting.size >= WAITING_MAX) return void socket.destroy()
    waiting.add(socket)
    setTimeout(() => waiting.delete(socket) && socket.destroy(), WAIT_MAX_MS).unref()
  }
  const share = () => {
    if (server === undefined || served?.child.connected !== true) return
    // If the daemon has just exited, its successor gets the port.
    served.child.send(PORT_MESSAGES.listener, server, () => {})
  }
  const listen = (on: Server | { port: number; host: string; backlog: number }) => {
    const next = pausedServer((socket) => {
      socket.on('error', () => socket.destroy())
      take(socket)
    })
    tried = next
    next.on('error', () => {
      tried = undefined
    })
    next.listen(on, () => {
      server = next
      share()
    })
  }
  const tryToListen = () => {
    const wanted = server === undefined && tried === undefined ? settings() : undefined
    if (wanted !== undefined) listen({ port: wanted.port, host: LOOPBACK, backlog: BACKLOG })
  }
  if (given !== undefined) listen(given)
  tryToListen()
  const trying = setInterval(tryToListen, TRY_EVERY_MS)
  trying.unref()
  return {
    serve(child) {
      const passed = new Map<number, Socket>()
      served = { child, passed }
      isReady = false
      child.on('message', (message) => {
        const taken = numberIn(message, 'taken')
        if (taken !== undefined) {
          passed.get(taken)?.destroy()
          passed.delete(taken)
        } else if (message === PORT_MESSAGES.ready && child === served?.child) {
          isReady = true
          for (const socket of waiting) pass(socket, served)
        }
      })
      child.once('exit', () => {
        if (child === served?.child) isReady = false
        // Node emits no `disconnect` while a connection is being sent. Messages that the daemon sent before it exited
        // are read in this turn of the event loop. A connection that it has not confirmed by then was not read, so the
        // next daemon gets it.
        setImmediate(() => {
          const left = [...passed.values()]
          passed.clear()
          for (const socket of left) take(socket)
        })
      })
      share()
    },
    close() {
      clearInterval(trying)
      for (const socket of [...waiting, ...(served?.passed.values() ?? [])]) socket.destroy()
      server?.close()
    },
  }
}
