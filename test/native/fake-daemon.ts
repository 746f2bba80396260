import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reply } from '../../src/core/decision.ts'
import {
  type DaemonRequest,
  decodeRequest,
  encodeReply,
  GREETING,
  HEADER_BYTES,
  requestBytes,
} from '../../src/daemon/protocol.ts'

/** What to do with a new connection. */
export type Script = (socket: Socket) => void

export interface FakeDaemon {
  /** The requests, in order. */
  readonly calls: readonly DaemonRequest[]
  stop(): Promise<void>
}

/** A daemon that does what a test says. It listens on the socket in `run`, where the client expects it. */
export async function startFakeDaemon(
  run: string,
  script: (calls: DaemonRequest[]) => Script,
): Promise<FakeDaemon> {
  const calls: DaemonRequest[] = []
  const sockets = new Set<Socket>()
  const onConnection = script(calls)
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket)
    // A client that disconnects early is a test case, not a failure of the daemon.
    socket.on('error', () => {})
    onConnection(socket)
  })
  // The address of a socket is short, and the path of a home may be long: listen through a short link to the folder.
  const folder = mkdtempSync(join(tmpdir(), 'hp-'))
  const short = join(folder, 'run')
  symlinkSync(run, short)
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(join(short, 'hook.sock'), resolve)
  })
  return {
    calls,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Greets, reads the whole request, then sends these pieces and closes. */
export function answering(pieces: readonly Buffer[], greeting: Buffer = GREETING) {
  return (calls: DaemonRequest[]): Script =>
    (socket) => {
      socket.write(greeting)
      readRequest(socket, (call) => {
        calls.push(call)
        sendPieces(socket, pieces)
      })
    }
}

export function replying(reply: Reply) {
  return answering([encodeReply(reply)])
}

/** Sends these bytes to each new connection, and does not read. */
export function saying(bytes: Buffer) {
  return (): Script => (socket) => socket.write(bytes)
}

/** Reads everything, sends these bytes, and then nothing. */
export function hanging(bytes: Buffer) {
  return (calls: DaemonRequest[]): Script =>
    (socket) => {
      socket.write(bytes)
      readRequest(socket, (call) => calls.push(call))
    }
}

/** Sends these bytes and closes the connection without reading. */
export function dying(bytes: Buffer) {
  return (): Script => (socket) => socket.write(bytes, () => socket.destroy())
}

function readRequest(socket: Socket, done: (call: DaemonRequest) => void): void {
  const chunks: Buffer[] = []
  let received = 0
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    received += chunk.length
    if (received < HEADER_BYTES) return
    const [first = chunk] = chunks
    const header = first.length < HEADER_BYTES ? Buffer.concat(chunks) : first
    const whole = requestBytes(header)
    if (whole === undefined) throw new Error('the client sent no request')
    if (received > whole) throw new Error('the client sent more than a request')
    if (received === whole) done(decodeRequest(Buffer.concat(chunks)))
  })
  socket.resume()
}

function sendPieces(socket: Socket, pieces: readonly Buffer[]): void {
  const [piece, ...rest] = pieces
  if (piece === undefined) socket.end()
  else socket.write(piece, () => setImmediate(() => sendPieces(socket, rest)))
}
