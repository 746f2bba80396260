import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDirectConnections } from './direct-connections.ts'
import { type DaemonRequest, decodeRequest, encodeReply, encodeRequest, GREETING } from './protocol.ts'
import type { ConnectionHandler } from './socket-server.ts'

const CALL: DaemonRequest = { argv: ['x'], cwd: '/', env: {}, input: Buffer.from('{}'), elapsedMs: 0 }
const HERE = encodeReply({ stdout: 'here', stderr: '', exitCode: 0 })
const WHOLE = Buffer.concat([GREETING, HERE])

let folder: string
let server: Server
/** What the connections that became sockets had sent when they did. */
let sockets: (Buffer | undefined)[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-direct-'))
  sockets = []
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

async function open(more: Partial<ConnectionHandler>, max = 10): Promise<void> {
  const direct = createDirectConnections({ accepts: () => true, answer: () => HERE, ...more }, max)
  server = createServer((socket) => {
    sockets.push(direct.alreadyRead())
    socket.on('error', () => {})
    socket.end()
  })
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve))
  direct.takeFrom(server)
}

/** Another process connects, sends these bytes and says so; then it reads until the connection ends. */
const CLIENT = `
  const { createConnection } = require('node:net')
  const { readFileSync, writeFileSync } = require('node:fs')
  const [path, request, sent, leaves] = process.argv.slice(1)
  const socket = createConnection(path)
  const chunks = []
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    writeFileSync(sent + '-heard', '')
  })
  socket.on('error', () => {})
  socket.on('close', () => process.stdout.write(Buffer.concat(chunks).toString('base64')))
  socket.write(readFileSync(request), () => {
    writeFileSync(sent, '')
    if (leaves) socket.destroy()
  })
`
let clients = 0

/** This process accepts nothing before the client has sent everything: as if it had been asleep until then. */
function ask(bytes: Buffer, { leaves = false } = {}): Promise<Buffer> {
  clients += 1
  const [request, sent] = [join(folder, `request-${clients}`), join(folder, `sent-${clients}`)]
  writeFileSync(request, bytes)
  const words = [join(folder, 'socket'), request, sent, ...(leaves ? ['leaves'] : [])]
  const child = spawn(process.execPath, ['-e', CLIENT, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pause = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(sent)) Atomics.wait(pause, 0, 0, 5)
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  return new Promise((resolve) => child.on('close', () => resolve(Buffer.from(text, 'base64'))))
}

describe('a request that comes with its connection', () => {
  it('is answered without a socket, and the connection ends', async () => {
    const asked: unknown[] = []
    await open({
      answer: (frame) => {
        asked.push(decodeRequest(frame).argv)
        return HERE
      },
    })
    expect(await ask(encodeRequest(CALL))).toEqual(WHOLE)
    expect([asked, sockets]).toEqual([[['x']], []])
  })

  it('is greeted at once if its answer takes longer', async () => {
    const { answer, release } = openAnswer()
    await open({ answer })
    const answered = ask(encodeRequest(CALL))
    while (!existsSync(join(folder, `sent-${clients}-heard`))) await sleep(5)
    release()
    expect([await answered, sockets]).toEqual([WHOLE, []])
  })

  it.each<[string, ConnectionHandler['answer'], Buffer]>([
    ['is undefined', () => undefined, Buffer.alloc(0)],
    ['throws', () => raise(), Buffer.alloc(0)],
    ['is undefined later', async () => undefined, GREETING],
    ['fails later', async () => raise(), GREETING],
  ])('gets no reply if the answer %s, and the next one is answered', async (_name, answer, heard) => {
    let asked = 0
    await open({
      answer: (frame) => {
        asked += 1
        return asked === 1 ? answer(frame) : HERE
      },
    })
    expect(await ask(encodeRequest(CALL))).toEqual(heard)
    expect(await ask(encodeRequest(CALL))).toEqual(WHOLE)
  })

  it.each<[string, (reply: Uint8Array) => Uint8Array | Promise<Uint8Array>]>([
    ['at once', (reply) => reply],
    ['later', async (reply) => reply],
  ])('gets a reply that is longer than the connection takes, %s', async (_name, when) => {
    const long = encodeReply({ stdout: 'x'.repeat(5_000_000), stderr: '', exitCode: 0 })
    await open({ answer: () => when(long) })
    expect((await ask(encodeRequest(CALL))).equals(Buffer.concat([GREETING, long]))).toBe(true)
  })

  it('whose client is gone is forgotten', async () => {
    const { answer, release } = openAnswer()
    await open({ answer })
    await ask(encodeRequest(CALL), { leaves: true })
    release()
    expect(await ask(encodeRequest(CALL))).toEqual(WHOLE)
  })
})

describe('a connection becomes a socket, with what was read,', () => {
  const request = encodeRequest(CALL)
  const oneOfMany = encodeRequest({ ...CALL, isOneOfMany: true })
  const long = encodeRequest({ ...CALL, input: Buffer.alloc(100_000) })
  it.each<[string, Buffer, number]>([
    ['if more requests may follow', oneOfMany, oneOfMany.length],
    ['if there are two of them', Buffer.concat([request, request]), 2 * request.length],
    ['if a part is missing', request.subarray(0, -1), request.length - 1],
    ['if it has not even a header', request.subarray(0, 3), 3],
    ['if it is no request', Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(4)), 72],
    ['if it is longer than what is read at once', long, 65_536],
  ])('%s', async (_name, bytes, read) => {
    await open({})
    await ask(bytes)
    expect(sockets).toEqual([bytes.subarray(0, read)])
  })
})

describe('a connection becomes a socket, unread,', () => {
  it.each<[string, Partial<ConnectionHandler>, number]>([
    ['if the daemon accepts none', { accepts: () => false }, 10],
    ['if too many wait for an answer', {}, 0],
  ])('%s', async (_name, handler, max) => {
    await open(handler, max)
    await ask(encodeRequest(CALL))
    expect(sockets).toEqual([undefined])
  })

  it('if nothing has arrived yet', async () => {
    await open({})
    const { createConnection } = await import('node:net')
    const client = createConnection(join(folder, 'socket'))
    await new Promise((resolve) => client.on('close', resolve))
    expect(sockets).toEqual([undefined])
  })

  it('if Node has no such handle', () => {
    const direct = createDirectConnections({ accepts: () => true, answer: () => HERE }, 10)
    server = createServer()
    direct.takeFrom(server)
    direct.takeFrom({ _handle: {} } as unknown as Server)
    expect(direct.alreadyRead()).toBeUndefined()
  })
})

/** An answer that is there when it is released. */
function openAnswer(): { readonly answer: () => Promise<Uint8Array>; release(): void } {
  let release = () => {}
  const released = new Promise<Uint8Array>((resolve) => {
    release = () => resolve(HERE)
  })
  return { answer: () => released, release: () => release() }
}

function raise(): never {
  throw new Error('failed')
}
