import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Call,
  decodeRequest,
  encodeReply,
  GREETING,
  HEADER_BYTES,
  requestBytes,
} from '../../src/daemon/protocol.ts'
import type { Reply } from '../../src/decision.ts'

/** What is done with a connection that was just accepted. */
export type Script = (socket: Socket) => void

export interface FakeDaemon {
  /** What was asked, in order. */
  readonly calls: readonly Call[]
  stop(): Promise<void>
}

/** A daemon that does what a test says, on the socket the client expects in `run`. */
export async function startFakeDaemon(run: string, script: (calls: Call[]) => Script): Promise<FakeDaemon> {
  const calls: Call[] = []
  const sockets = new Set<Socket>()
  const onConnection = script(calls)
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket)
    // A client that leaves early is a case of its own, not a failure of the daemon.
    socket.on('error', () => {})
    onConnection(socket)
  })
  // An address of a socket is short, and a home may be long: listen through a short name for the folder.
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
  return (calls: Call[]): Script =>
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

/** Sends this on being connected to, and does not read. */
export function saying(bytes: Buffer) {
  return (): Script => (socket) => socket.write(bytes)
}

/** Reads everything, sends this, and then nothing. */
export function hanging(bytes: Buffer) {
  return (calls: Call[]): Script =>
    (socket) => {
      socket.write(bytes)
      readRequest(socket, (call) => calls.push(call))
    }
}

/** Sends this and dies without having read. */
export function dying(bytes: Buffer) {
  return (): Script => (socket) => socket.write(bytes, () => socket.destroy())
}

function readRequest(socket: Socket, done: (call: Call) => void): void {
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
