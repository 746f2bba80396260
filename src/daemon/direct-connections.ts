import { readSync, writeSync } from 'node:fs'
import { type Server, Socket, type SocketConstructorOpts } from 'node:net'
import { orElse } from '../core/maybe-async.ts'
import { GREETING, HEADER_BYTES, isOnlyRequest, requestBytes } from './protocol.ts'
import type { ConnectionHandler } from './socket-server.ts'

/**
 * Answers callers that send one request together with their connection, as every call of an agent does. A socket with
 * its streams, listeners and timers would take longer than most decisions. So the request is read as soon as the
 * connection is there, and the reply is written to the same descriptor. All other connections become sockets.
 */
export interface DirectConnections {
  takeFrom(server: Server): void
  /** What was read from the connection that becomes a socket now. */
  alreadyRead(): Buffer | undefined
}

/**
 * What a server of Node has and its documentation does not mention. Node itself sets and calls it, in all versions; where
 * it is different, every connection becomes a socket.
 */
interface ServerHandle {
  onconnection?: (status: number, client?: ClientHandle) => void
}

interface ClientHandle {
  readonly fd?: number
  close(): void
}

type Descriptor = ClientHandle & { readonly fd: number }

const READ_MAX_BYTES = 64 * 1024

export function createDirectConnections(handler: ConnectionHandler, max: number): DirectConnections {
  let buffer = Buffer.allocUnsafeSlow(READ_MAX_BYTES)
  let waiting = 0
  let read: Buffer | undefined

  const serve = (client: Descriptor, frame: Buffer) => {
    const reply = orElse<Uint8Array | undefined>(
      () => handler.answer(frame),
      () => undefined,
    )
    if (!(reply instanceof Promise)) return finish(client, reply && Buffer.concat([GREETING, reply]))
    // The evaluation still needs its request, and the next one may come earlier.
    buffer = Buffer.allocUnsafeSlow(READ_MAX_BYTES)
    // A client that is not greeted soon takes the daemon for frozen.
    writeSome(client.fd, GREETING)
    waiting += 1
    void reply.then((late) => {
      waiting -= 1
      finish(client, late)
    })
  }

  return {
    takeFrom(server) {
      const { _handle: handle } = server as unknown as { readonly _handle?: ServerHandle | null }
      const asSocket = handle?.onconnection
      if (!handle || asSocket === undefined) return
      handle.onconnection = (status, client) => {
        const isDirect = status === 0 || status === undefined
        const bytes =
          isDirect && isDescriptor(client) && waiting < max && handler.accepts()
            ? readNow(client.fd, buffer)
            : undefined
        if (bytes !== undefined && isDescriptor(client) && isWhole(bytes)) return serve(client, bytes)
        read = bytes && Buffer.from(bytes)
        asSocket.call(handle, status, client)
        read = undefined
      }
    },
    alreadyRead: () => read,
  }
}

function isDescriptor(client: ClientHandle | undefined): client is Descriptor {
  return client?.fd !== undefined && client.fd >= 0
}

/** What has arrived. */
function readNow(fd: number, buffer: Buffer): Buffer | undefined {
  try {
    const length = readSync(fd, buffer)
    return length === 0 ? undefined : buffer.subarray(0, length)
  } catch {
    // Nothing has arrived yet.
    return undefined
  }
}

function isWhole(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && isOnlyRequest(bytes) && requestBytes(bytes) === bytes.length
}

/** Without a reply the connection is only closed, and the caller decides by itself. */
function finish(client: Descriptor, reply: Uint8Array | undefined): void {
  const written = reply === undefined ? 0 : writeSome(client.fd, reply)
  if (reply === undefined || written === reply.length || written === 'gone') return void client.close()
  // More than the connection takes at once.
  const options: SocketConstructorOpts & { readonly handle: ClientHandle } = {
    handle: client,
    readable: false,
  }
  const socket = new Socket(options)
  socket.on('error', () => socket.destroy())
  socket.end(reply.subarray(written))
}

/** How many bytes the connection takes now. */
function writeSome(fd: number, bytes: Uint8Array): number | 'gone' {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 0 : 'gone'
  }
}
