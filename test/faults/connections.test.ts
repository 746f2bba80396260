import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../src/core/decision.ts'
import { type DaemonRequest, decodeReply, encodeRequest, GREETING } from '../../src/daemon/protocol.ts'
import { eventually } from '../processes.ts'
import {
  bash,
  createInstallation,
  expectDaemonAnswers,
  expectDenied,
  expectRightAnswers,
  type Installation,
  PASSED,
} from './installation.ts'

/** Whatever arrives at the socket, the same daemon keeps answering complete requests. */

let installation: Installation
let pid: number
beforeAll(async () => {
  installation = await createInstallation()
  pid = await installation.startDaemon()
})
afterAll(async () => {
  const { pid: last } = await expectDaemonAnswers(installation)
  const left = installation.processes()
  await installation.remove()
  expect({ last, left }).toEqual({ last: pid, left: [pid] })
})

const MIB = 1024 * 1024

describe('an event', () => {
  it('of 10 MB is checked, whether the command comes before or after the large part', async () => {
    const filler = 'x'.repeat(10 * MIB)
    expect(await installation.call(bash(`echo ${filler}`))).toMatchObject({ exitCode: 0 })
    const { stdout } = await installation.call(bash(`echo ${filler}; git push --force`))
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toMatch(/^(deny|ask)$/)
    expectDenied(await installation.call(bash('git push --force', { filler })))
    expect(await installation.call(bash('ls', { filler }))).toEqual(PASSED)
  })

  const act = JSON.stringify(bash('ls'))
  it.each<[string, Buffer | string, string]>([
    [
      'of more than 32 MiB',
      JSON.stringify(bash('ls', { filler: 'x'.repeat(32 * MIB) })),
      'PAYLOAD_TOO_LARGE',
    ],
    ['that is empty', '', 'PAYLOAD_EMPTY'],
    ['that is cut off', act.slice(0, -9), 'PAYLOAD_NOT_JSON'],
    ['with a NUL byte in it', act.replace('{', '{\0'), 'PAYLOAD_NOT_JSON'],
    ['that is one NUL byte', '\0', 'PAYLOAD_NOT_JSON'],
    [
      'that is not UTF-8',
      Buffer.from([...Buffer.from(act.slice(0, -2)), 0xff, 0xfe, 0x7d]),
      'PAYLOAD_NOT_TEXT',
    ],
    ['that is a list', `[${act}]`, 'PAYLOAD_NOT_OBJECT'],
  ])('%s is denied with its error code', async (_name, payload, code) => {
    expect(await installation.call(payload)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`[${code}]`),
    })
    await expectRightAnswers(installation)
  })
})

describe('a client', () => {
  it('that sends its request byte by byte is answered', async () => {
    const socket = await connect()
    for (const byte of request('git push --force')) {
      socket.write(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    expectReply(await readReply(socket), 'deny')
  })

  it('that closes its side after the request is answered', async () => {
    const socket = await connect()
    socket.end(request('git push --force'))
    expectReply(await readReply(socket), 'deny')
  })

  it('that sends two requests at once gets two answers, in order', async () => {
    const socket = await connect()
    socket.end(Buffer.concat([request('git push --force'), request('ls')]))
    const bytes = await readReply(socket)
    expectReply(bytes, 'deny')
    expect(bytes.subarray(-3).toString()).toBe('{}\n')
  })

  it('that sends nothing does not delay other clients', async () => {
    const silent = await Promise.all(Array.from({ length: 50 }, connect))
    await expectRightAnswers(installation)
    for (const socket of silent) socket.destroy()
  })

  it.each<[string, () => Buffer]>([
    ['sends half a request and disconnects', () => request('ls').subarray(0, 40)],
    ['sends half a header and disconnects', () => request('ls').subarray(0, 10)],
    ['sends a request and disconnects', () => request('git push --force')],
  ])('that %s leaves nothing open', async (_name, bytes) => {
    for (let round = 0; round < 20; round += 1) {
      const socket = await connect()
      socket.write(bytes(), () => socket.destroy())
    }
    await expectRightAnswers(installation)
    await eventually(async () => (await installation.status())?.open === 0, 'nothing is being answered')
  })

  it.each<[string, () => Buffer]>([
    ['HTTP', () => Buffer.from('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')],
    ['random bytes', () => Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 7_919) % 251))],
    ['lengths beyond all limits', () => withLengths(0xffff_ffff)],
    ['an input that is one byte too long', () => withLengths(0, 32 * MIB + 2)],
    ['a wrong magic number', () => Buffer.from(`HPQ2${'\0'.repeat(60)}`)],
  ])('that sends %s is disconnected', async (_name, bytes) => {
    const socket = await connect()
    socket.write(bytes())
    expect((await readReply(socket)).toString()).toBe('')
    await expectRightAnswers(installation)
  })
})

function requestFor(command: string): DaemonRequest {
  const argv = ['claude-code', '--home', installation.home.folder, '--event', 'PreToolUse']
  const input = Buffer.from(JSON.stringify(bash(command)))
  return { argv, cwd: installation.project, env: { HOME: '/home/dev' }, input, elapsedMs: 0 }
}

function request(command: string): Buffer {
  return encodeRequest(requestFor(command))
}

/** A header with this length for each part, and this one for the input. */
function withLengths(each: number, input = each): Buffer {
  const bytes = Buffer.alloc(4_096)
  bytes.write('HPQ1')
  for (const at of [8, 12, 16]) bytes.writeUInt32LE(each, at)
  bytes.writeUInt32LE(input, 20)
  return bytes
}

async function connect(): Promise<Socket> {
  const socket = createConnection({ path: join(installation.home.run, 'hook.sock'), allowHalfOpen: true })
  socket.on('error', () => {})
  const greeting = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  // Bytes that arrive before the next read must wait.
  socket.pause()
  expect(greeting).toEqual(GREETING)
  return socket
}

/** The bytes after the greeting: a complete reply, or everything until the connection ended. */
async function readReply(socket: Socket): Promise<Buffer> {
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
