import { chmodSync, renameSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { MaybePromise } from '../core/maybe-async.ts'
import { withSocketPath } from '../system/platform/descriptors.ts'
import { createDirectConnections } from './direct-connections.ts'
import { GREETING, HEADER_BYTES, requestBytes } from './protocol.ts'
import { SOCKET } from './run-folder.ts'

export interface SocketServer {
  /** False if another daemon has taken over the path, or it was deleted. */
  isOurs(): boolean
  close(): void
}

export interface ConnectionHandler {
  /** Whether to accept the connection. A caller that is refused decides by itself. */
  accepts(): boolean
  /** The bytes after the greeting; undefined closes the connection without a reply. */
  answer(frame: Buffer): MaybePromise<Uint8Array | undefined>
}

/** A client sends everything at once. One that is silent for this long, and waits for no reply, is closed. */
const SILENCE_MAX_MS = 30_000
const CONNECTIONS_MAX = 1_000
/** Bytes of all connections that were sent and not yet answered. A client that is refused decides by itself. */
const UNANSWERED_MAX_BYTES = 256 * 1024 * 1024

/**
 * Opens the Unix socket under a temporary name first, then renames it to the known one, so that a client
 * always finds the old socket or the new one. The previous daemon notices and exits.
 */
export async function openSocketServer(folder: string, handler: ConnectionHandler): Promise<SocketServer> {
  const unanswered: Unanswered = { bytes: 0 }
  const connections = createDirectConnections(handler, CONNECTIONS_MAX)
  const server = createServer({ allowHalfOpen: true }, (socket) =>
    receive(socket, handler, unanswered, connections.alreadyRead()),
  )
  server.maxConnections = CONNECTIONS_MAX
  const own = `hook.${process.pid}.sock`
  await withSocketPath(folder, own, (path) => listen(server, path))
  connections.takeFrom(server)
  chmodSync(join(folder, own), 0o600)
  const { ino } = statSync(join(folder, own))
  renameSync(join(folder, own), join(folder, SOCKET))
  return {
    isOurs: () => statSync(join(folder, SOCKET), { throwIfNoEntry: false })?.ino === ino,
    close: () => server.close(),
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path, backlog: 1_024 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

interface Unanswered {
  bytes: number
}

/**
 * Handles one request after the other on a connection. While it answers one, or while replies are not read, it reads
 * nothing more, so the client waits.
 */
function receive(
  socket: Socket,
  handler: ConnectionHandler,
  unanswered: Unanswered,
  first: Buffer | undefined,
): void {
  socket.on('error', () => socket.destroy())
  if (!handler.accepts()) {
    socket.destroy()
    return
  }
  const greeter = createGreeter(socket)
  const inbox = createInbox()
  let heldBytes = 0
  const hold = (bytes: number) => {
    heldBytes += bytes
    unanswered.bytes += bytes
  }
  socket.on('close', () => {
    greeter.close()
    hold(-heldBytes)
  })
  let answering = false
  let ended = false
  const serve = async () => {
    answering = true
    for (let frame = inbox.take(); frame !== undefined; frame = inbox.take()) {
      const sizeBytes = frame.length
      const reply = frame === 'garbage' ? undefined : await handler.answer(frame)
      if (reply === undefined) return void socket.destroy()
      greeter.reply(reply)
      if (!socket.destroyed) hold(-sizeBytes)
    }
    answering = false
    if (ended) socket.end()
    else if (socket.writableNeedDrain) socket.pause()
    else if (socket.isPaused()) socket.resume()
  }
  // One timer for both: most connections are closed before it ends.
  socket.setTimeout(SILENT_MS)
  socket.on('timeout', () => {
    const wasGreeted = socket.timeout === SILENCE_MAX_MS
    if (wasGreeted && !answering) return void socket.destroy()
    greeter.greetNow()
    socket.setTimeout(SILENCE_MAX_MS)
  })
  const take = (chunk: Buffer) => {
    hold(chunk.length)
    if (unanswered.bytes > UNANSWERED_MAX_BYTES) return void socket.destroy()
    inbox.put(chunk)
    greeter.greet()
    if (answering) socket.pause()
    else serve().catch(() => socket.destroy())
  }
  socket.on('data', take)
  if (first !== undefined) take(first)
  socket.on('drain', () => {
    if (!answering) socket.resume()
  })
  // The connection ended within a request: there is nothing to answer. Otherwise the answer is still due.
  socket.on('end', () => {
    ended = true
    if (!answering) socket.end()
  })
}

interface Greeter {
  /**
   * The client has sent something: it gets the greeting in this turn of the event loop, or together with the
   * answer if that is faster.
   */
  greet(): void
  greetNow(): void
  reply(bytes: Uint8Array): void
  close(): void
}

/** A client that sends nothing gets the greeting too, but later than one that does. */
const SILENT_MS = 20

/** A separate greeting would wake the client twice: now, and when the answer comes. */
function createGreeter(socket: Socket): Greeter {
  let isDue = true
  let soon: NodeJS.Immediate | undefined
  const greetNow = () => {
    if (isDue) socket.write(GREETING)
    isDue = false
  }
  const close = () => clearImmediate(soon)
  return {
    close,
    greetNow,
    greet() {
      if (isDue) soon ??= setImmediate(greetNow)
    },
    reply(bytes) {
      close()
      socket.write(isDue ? Buffer.concat([GREETING, bytes]) : bytes)
      isDue = false
    },
  }
}

interface Inbox {
  put(chunk: Buffer): void
  /** The next complete request, in a separate buffer because it is transferred to another thread. */
  take(): Buffer | 'garbage' | undefined
}

function createInbox(): Inbox {
  let chunks: Buffer[] = []
  let received = 0
  let expected: number | undefined
  return {
    put(chunk) {
      chunks.push(chunk)
      received += chunk.length
    },
    take() {
      if (received < HEADER_BYTES) return undefined
      if (expected === undefined) {
        chunks = [Buffer.concat(chunks)]
        expected = requestBytes(chunks[0] ?? Buffer.alloc(0))
      }
      if (expected === undefined) return 'garbage'
      if (received < expected) return undefined
      const all = Buffer.concat(chunks)
      const frame = Buffer.allocUnsafeSlow(expected)
      all.copy(frame, 0, 0, expected)
      chunks = all.length > expected ? [all.subarray(expected)] : []
      received = all.length - expected
      expected = undefined
      return frame
    },
  }
}
