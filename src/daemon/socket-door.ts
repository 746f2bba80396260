import { chmodSync, renameSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { GREETING, HEADER_BYTES, requestBytes } from './protocol.ts'
import { SOCKET, withSocketPath } from './run-folder.ts'

export interface SocketDoor {
  /** False when another daemon, or nobody, has our place. */
  isOurs(): boolean
  close(): void
}

export interface Visitors {
  /** Whether to take this one at all. A caller that is turned away judges for itself. */
  mayEnter(): boolean
  /** The bytes after the greeting; undefined hangs up without a word. */
  answer(frame: Buffer): Promise<Uint8Array | undefined>
}

/** A client says everything at once. One that is silent for so long, and waits for nothing, has gone to sleep. */
const SILENCE_MAX_MS = 30_000
const VISITORS_MAX = 1_000

/**
 * Opens the Unix socket: first under a name of its own, then moved to the known one, so that a client finds the old
 * socket or the new one and never none. Whoever sat there before notices and leaves.
 */
export async function openSocketDoor(folder: string, visitors: Visitors): Promise<SocketDoor> {
  const server = createServer({ allowHalfOpen: true }, (socket) => receive(socket, visitors))
  server.maxConnections = VISITORS_MAX
  const own = `hook.${process.pid}.sock`
  await withSocketPath(folder, own, (path) => listen(server, path))
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

/** One request after the other, as many as the visitor has. */
function receive(socket: Socket, visitors: Visitors): void {
  socket.on('error', () => socket.destroy())
  if (!visitors.mayEnter()) {
    socket.destroy()
    return
  }
  const greeter = createGreeter(socket)
  socket.on('close', greeter.close)
  const inbox = createInbox()
  let answering = false
  let ended = false
  const serve = async () => {
    answering = true
    for (let frame = inbox.take(); frame !== undefined; frame = inbox.take()) {
      const reply = frame === 'garbage' ? undefined : await visitors.answer(frame)
      if (reply === undefined) return void socket.destroy()
      greeter.reply(reply)
    }
    answering = false
    if (ended) socket.end()
  }
  socket.setTimeout(SILENCE_MAX_MS, () => {
    if (!answering) socket.destroy()
  })
  socket.on('data', (chunk) => {
    inbox.put(chunk)
    greeter.greet()
    if (!answering) serve().catch(() => socket.destroy())
  })
  // Half a request and then the end: nothing was asked. Otherwise the answer is still due.
  socket.on('end', () => {
    ended = true
    if (!answering) socket.end()
  })
}

interface Greeter {
  /** The visitor has spoken: it is greeted in this turn of the event loop, or with the answer if that is faster. */
  greet(): void
  reply(bytes: Uint8Array): void
  close(): void
}

/** Whoever says nothing is greeted all the same, but not before somebody who does would have spoken. */
const SILENT_MS = 20

/** A greeting of its own would wake the visitor, who then sleeps again until the answer comes. */
function createGreeter(socket: Socket): Greeter {
  let isDue = true
  let soon: NodeJS.Immediate | undefined
  const greet = () => {
    if (isDue) socket.write(GREETING)
    isDue = false
  }
  const silent = setTimeout(greet, SILENT_MS)
  const close = () => {
    clearTimeout(silent)
    clearImmediate(soon)
  }
  return {
    close,
    greet() {
      if (isDue) soon ??= setImmediate(greet)
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
  /** The next whole request, in memory of its own because it goes to another thread. */
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
