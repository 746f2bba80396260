import { createConnection, type Socket } from 'node:net'
import { isObject, type JsonObject } from '../../core/json.ts'
import { withSocketPath } from '../../system/platform/descriptors.ts'

/** Messages over a socket: one JSON object a line, in both directions. */
export interface BoardChannel {
  /** `onSent`: it has left this process. */
  send(message: JsonObject, onSent?: () => void): void
  /** Ends it at once, even if something was not sent yet. */
  close(): void
  readonly isOpen: boolean
}

export interface ChannelListener {
  onMessage(message: JsonObject): void
  onClose(): void
}

/** The name of the socket in the daemon's folder. */
export const BOARD_SOCKET = 'board.sock'
const LINE_MAX_BYTES = 512 * 1024
/** What the other end has not read yet. One that reads nothing is closed. */
const UNREAD_MAX_BYTES = 8 * 1024 * 1024
const NEWLINE = 10

export function openChannel(socket: Socket, listener: ChannelListener): BoardChannel {
  let rest: Buffer = Buffer.alloc(0)
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    socket.destroy()
    listener.onClose()
  }
  socket.on('error', close)
  socket.on('close', close)
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(NEWLINE); end !== -1 && isOpen; end = rest.indexOf(NEWLINE)) {
      const message = parsed(rest.toString('utf8', 0, end))
      rest = rest.subarray(end + 1)
      if (message === undefined) close()
      else listener.onMessage(message)
    }
    if (rest.length > LINE_MAX_BYTES) close()
  })
  return {
    get isOpen() {
      return isOpen
    },
    close,
    send(message, onSent) {
      if (socket.writableLength > UNREAD_MAX_BYTES) close()
      if (isOpen) socket.write(`${JSON.stringify(message)}\n`, onSent)
      else onSent?.()
    },
  }
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Connects to the daemon of a folder; undefined if there is none. */
export async function connectChannel(
  run: string,
  listener: ChannelListener,
): Promise<BoardChannel | undefined> {
  try {
    return await withSocketPath(run, BOARD_SOCKET, (path) => connect(path, listener))
  } catch {
    return undefined
  }
}

function connect(path: string, listener: ChannelListener): Promise<BoardChannel | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(openChannel(socket, listener))
    })
  })
}
