import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, decodeReply, encodeRequest, GREETING } from '../../src/daemon/protocol.ts'
import type { Reply } from '../../src/decision.ts'
import {
  answersRight,
  bash,
  createStation,
  eventually,
  expectDenied,
  PASSED,
  type Station,
  servesAgain,
} from './station.ts'

/** Whatever comes in through the socket, one and the same daemon answers who asks properly. */

let station: Station
let pid: number
beforeAll(async () => {
  station = await createStation()
  pid = await station.serving()
})
afterAll(async () => {
  const { pid: last } = await servesAgain(station)
  const left = station.processes()
  await station.remove()
  expect({ last, left }).toEqual({ last: pid, left: [pid] })
})

const MIB = 1024 * 1024

describe('an event', () => {
  it('of 10 MB is judged, whichever side of it holds the act', async () => {
    const filler = 'x'.repeat(10 * MIB)
    expect(await station.call(bash(`echo ${filler}`))).toMatchObject({ exitCode: 0 })
    const { stdout } = await station.call(bash(`echo ${filler}; git push --force`))
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toMatch(/^(deny|ask)$/)
    expectDenied(await station.call(bash('git push --force', { filler })))
    expect(await station.call(bash('ls', { filler }))).toEqual(PASSED)
  })

  const act = JSON.stringify(bash('ls'))
  it.each<[string, Buffer | string, string]>([
    [
      'of more than 32 MiB',
      JSON.stringify(bash('ls', { filler: 'x'.repeat(32 * MIB) })),
      'PAYLOAD_TOO_LARGE',
    ],
    ['that is empty', '', 'PAYLOAD_EMPTY'],
    ['cut off', act.slice(0, -9), 'PAYLOAD_NOT_JSON'],
    ['with a NUL byte between', act.replace('{', '{\0'), 'PAYLOAD_NOT_JSON'],
    ['that is one NUL byte', '\0', 'PAYLOAD_NOT_JSON'],
    [
      'that is no UTF-8',
      Buffer.from([...Buffer.from(act.slice(0, -2)), 0xff, 0xfe, 0x7d]),
      'PAYLOAD_NOT_TEXT',
    ],
    ['that is a list', `[${act}]`, 'PAYLOAD_NOT_OBJECT'],
  ])('%s is stopped and called so', async (_name, payload, code) => {
    expect(await station.call(payload)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`[${code}]`),
    })
    await answersRight(station)
  })
})

describe('a visitor', () => {
  it('who speaks byte by byte is answered', async () => {
    const socket = await visit()
    for (const byte of request('git push --force')) {
      socket.write(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    expectReply(await heard(socket), 'deny')
  })

  it('who closes his half after the question is answered', async () => {
    const socket = await visit()
    socket.end(request('git push --force'))
    expectReply(await heard(socket), 'deny')
  })

  it('who asks twice at once is answered twice, in order', async () => {
    const socket = await visit()
    socket.end(Buffer.concat([request('git push --force'), request('ls')]))
    const bytes = await heard(socket)
    expectReply(bytes, 'deny')
    expect(bytes.subarray(-3).toString()).toBe('{}\n')
  })

  it('who says nothing holds nobody up', async () => {
    const silent = await Promise.all(Array.from({ length: 50 }, visit))
    await answersRight(station)
    for (const socket of silent) socket.destroy()
  })

  it.each<[string, () => Buffer]>([
    ['says half and leaves', () => request('ls').subarray(0, 40)],
    ['says half of the head and leaves', () => request('ls').subarray(0, 10)],
    ['asks and leaves', () => request('git push --force')],
  ])('who %s is forgotten', async (_name, bytes) => {
    for (let round = 0; round < 20; round += 1) {
      const socket = await visit()
      socket.write(bytes(), () => socket.destroy())
    }
    await answersRight(station)
    await eventually(async () => (await station.status())?.open === 0, 'nothing is being answered')
  })

  it.each<[string, () => Buffer]>([
    ['HTTP', () => Buffer.from('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')],
    ['noise', () => Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7_919) % 251))],
    ['lengths beyond all limits', () => withLengths(0xffff_ffff)],
    ['an input that is one byte too long', () => withLengths(0, 32 * MIB + 2)],
    ['the wrong letters', () => Buffer.from(`HPQ2${'\0'.repeat(60)}`)],
  ])('who speaks %s is hung up on', async (_name, bytes) => {
    const socket = await visit()
    socket.write(bytes())
    expect((await heard(socket)).toString()).toBe('')
    await answersRight(station)
  })
})

function asking(command: string): Call {
  const argv = ['claude-code', '--home', station.home.folder, '--event', 'PreToolUse']
  const input = Buffer.from(JSON.stringify(bash(command)))
  return { argv, cwd: station.project, env: { HOME: '/home/dev' }, input, elapsedMs: 0 }
}

function request(command: string): Buffer {
  return encodeRequest(asking(command))
}

/** A head that promises this much of everything, and this much input. */
function withLengths(each: number, input = each): Buffer {
  const bytes = Buffer.alloc(4_096)
  bytes.write('HPQ1')
  for (const at of [8, 12, 16]) bytes.writeUInt32LE(each, at)
  bytes.writeUInt32LE(input, 20)
  return bytes
}

async function visit(): Promise<Socket> {
  const socket = createConnection({ path: join(station.home.run, 'hook.sock'), allowHalfOpen: true })
  socket.on('error', () => {})
  const greeting = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  // What comes before somebody listens again must wait.
  socket.pause()
  expect(greeting).toEqual(GREETING)
  return socket
}

/** What comes after the greeting: a whole reply, or what came before the end. */
async function heard(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  let ended = false
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('close', () => {
    ended = true
  })
  socket.on('end', () => {
    ended = true
  })
  socket.resume()
  const bytes = () => Buffer.concat(chunks)
  await eventually(
    () => ended || (!socket.writableEnded && decodeReply(bytes()) !== undefined),
    'it is answered',
  )
  await sleep(0)
  socket.destroy()
  return bytes()
}

function expectReply(bytes: Buffer, decision: string): void {
  const reply: Reply | undefined = decodeReply(bytes)
  expect(reply).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`"${decision}"`) })
}
