import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { askDaemon } from './client.ts'
import { type DaemonRequest, encodeReply, encodeRequest } from './protocol.ts'
import { type ConnectionHandler, openSocketServer, type SocketServer } from './socket-server.ts'

let folder: string
let servers: SocketServer[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-socket-'))
  servers = []
})
afterEach(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

const CALL: DaemonRequest = { argv: ['x'], cwd: '/', env: {}, input: Buffer.alloc(0), elapsedMs: 0 }
const saying =
  (stdout: string): ConnectionHandler['answer'] =>
  async () =>
    encodeReply({ stdout, stderr: '', exitCode: 0 })
const LONG_MS = 30_000

async function open(more: Partial<ConnectionHandler> = {}, at = folder): Promise<SocketServer> {
  const server = await openSocketServer(at, { accepts: () => true, answer: saying('here'), ...more })
  servers.push(server)
  return server
}

it('a server answers only at the known path, which other users cannot access', async () => {
  await open()
  expect(readdirSync(folder)).toEqual(['hook.sock'])
  expect(statSync(join(folder, 'hook.sock')).mode & 0o777).toBe(0o600)
  expect(await askDaemon(folder, CALL, LONG_MS)).toMatchObject({ stdout: 'here' })
})

it('a server answers in a folder whose path is longer than a socket address', async () => {
  const long = join(folder, 'x'.repeat(150))
  mkdirSync(long, { mode: 0o700 })
  await open({}, long)
  expect(await askDaemon(long, CALL, LONG_MS)).toMatchObject({ stdout: 'here' })
})

it('a newer server takes over the path, and the older one notices', async () => {
  const older = await open({ answer: saying('older') })
  expect(older.isOurs()).toBe(true)
  const newer = await open({ answer: saying('newer') })
  expect([older.isOurs(), newer.isOurs()]).toEqual([false, true])
  expect(await askDaemon(folder, CALL, LONG_MS)).toMatchObject({ stdout: 'newer' })
  older.close()
  expect(existsSync(join(folder, 'hook.sock'))).toBe(true)
  rmSync(join(folder, 'hook.sock'))
  expect(newer.isOurs()).toBe(false)
})

it.each<[string, Partial<ConnectionHandler>]>([
  ['has no reply', { answer: async () => undefined }],
  ['fails', { answer: () => Promise.reject(new Error('failed')) }],
  ['accepts no connection', { accepts: () => false }],
])('a server that %s closes the connection and keeps running', async (_name, handler) => {
  await open(handler)
  expect(await askDaemon(folder, CALL, LONG_MS)).toBeUndefined()
  expect(await askDaemon(folder, CALL, LONG_MS)).toBeUndefined()
})

it('a server greets a connection that it accepts, and sends nothing to one that it refuses', async () => {
  const heard = (may: boolean) =>
    open({ accepts: () => may }).then(
      () =>
        new Promise<string>((resolve) => {
          let text = ''
          const socket = createConnection(join(folder, 'hook.sock'))
          socket.on('data', (chunk) => {
            text += chunk
            socket.destroy()
          })
          socket.on('close', () => resolve(text))
        }),
    )
  expect([await heard(true), await heard(false)]).toEqual(['HPA1', ''])
})

it('a server reads nothing more from a client while it answers it', async () => {
  let release = () => {}
  const first = new Promise<void>((resolve) => {
    release = resolve
  })
  let asked = 0
  await open({
    answer: async (frame) => {
      asked += 1
      if (asked === 1) await first
      return saying('here')(frame)
    },
  })
  const greedy = createConnection(join(folder, 'hook.sock'))
  greedy.on('error', () => {})
  greedy.write(encodeRequest(CALL))
  const more = Buffer.alloc(64 * 1024 * 1024)
  // The greeting shows that the request has arrived.
  await new Promise((resolve) => greedy.once('data', resolve))
  greedy.write(more)
  for (let each = 0; each < 20; each += 1)
    expect(await askDaemon(folder, CALL, LONG_MS)).toMatchObject({ stdout: 'here' })
  expect(greedy.writableLength, 'it waits in the client').toBe(more.length)
  release()
  greedy.destroy()
})

it('a server refuses clients once too many bytes wait for an answer, and answers the others', async () => {
  await open()
  const header = encodeRequest(CALL).subarray(0, 24)
  // The maximum of each part: about 49 MB that never become a complete request.
  for (const [at, bytes] of [1 << 20, 1 << 16, 1 << 24, 32 * 1024 * 1024].entries())
    header.writeUInt32LE(bytes, 8 + 4 * at)
  const body = Buffer.alloc(48 * 1024 * 1024)
  const clients = Array.from({ length: 7 }, () => {
    const client = createConnection(join(folder, 'hook.sock'))
    client.on('error', () => {})
    client.write(header)
    return client
  })
  const ends = clients.map(
    (client) =>
      new Promise<void>((resolve) => {
        client.on('close', () => resolve())
        client.write(body, () => resolve())
      }),
  )
  await Promise.all(ends)
  await new Promise<void>((resolve) => {
    const refused = clients.find((client) => client.destroyed)
    if (refused !== undefined) return resolve()
    for (const client of clients) client.on('close', () => resolve())
  })
  for (const client of clients) client.destroy()
  expect(await askDaemon(folder, CALL, LONG_MS)).toMatchObject({ stdout: 'here' })
})
