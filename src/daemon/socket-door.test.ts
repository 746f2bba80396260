import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { askDaemon } from './client.ts'
import { type Call, encodeReply } from './protocol.ts'
import { openSocketDoor, type SocketDoor, type Visitors } from './socket-door.ts'

let folder: string
let doors: SocketDoor[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-door-'))
  doors = []
})
afterEach(() => {
  for (const door of doors) door.close()
  rmSync(folder, { recursive: true })
})

const CALL: Call = { argv: ['x'], cwd: '/', env: {}, input: Buffer.alloc(0), elapsedMs: 0 }
const saying =
  (stdout: string): Visitors['answer'] =>
  async () =>
    encodeReply({ stdout, stderr: '', exitCode: 0 })
const LONG_MS = 30_000

async function open(more: Partial<Visitors> = {}, at = folder): Promise<SocketDoor> {
  const door = await openSocketDoor(at, { mayEnter: () => true, answer: saying('here'), ...more })
  doors.push(door)
  return door
}

it('answers under the known name alone, closed to others', async () => {
  await open()
  expect(readdirSync(folder)).toEqual(['hook.sock'])
  expect(statSync(join(folder, 'hook.sock')).mode & 0o777).toBe(0o600)
  expect(await askDaemon(folder, CALL, LONG_MS)).toMatchObject({ stdout: 'here' })
})

it('answers in a folder whose path is longer than an address', async () => {
  const long = join(folder, 'x'.repeat(150))
  mkdirSync(long, { mode: 0o700 })
  await open({}, long)
  expect(await askDaemon(long, CALL, LONG_MS)).toMatchObject({ stdout: 'here' })
})

it('a newer door takes the place, and the older one knows', async () => {
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

it.each<[string, Partial<Visitors>]>([
  ['has nothing to say', { answer: async () => undefined }],
  ['fails', { answer: () => Promise.reject(new Error('failed')) }],
  ['lets nobody in', { mayEnter: () => false }],
])('one that %s hangs up, and stays open', async (_name, visitors) => {
  await open(visitors)
  expect(await askDaemon(folder, CALL, LONG_MS)).toBeUndefined()
  expect(await askDaemon(folder, CALL, LONG_MS)).toBeUndefined()
})

it('lets somebody in with the greeting, and not a byte without', async () => {
  const heard = (may: boolean) =>
    open({ mayEnter: () => may }).then(
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
