import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { encodeRequest } from '../../src/daemon/protocol.ts'
import { bash, expectDaemonAnswers, type Installation, it } from '../faults/installation.ts'
import { eventually } from '../processes.ts'

const REPLY_HEADER_BYTES = 12
const AT_ONCE = 50
/** A session of an agent has some hundred calls. */
const SESSION_CALLS = 200

it('the daemon uses no more memory after 100,000 events than after 20,000', async ({ installation }) => {
  const pid = await installation.startDaemon()
  await send(installation, 20_000)
  const early = await settledMb(installation)
  await send(installation, 80_000)
  const late = await settledMb(installation)
  expect(late, `${early} MB after 20,000 events, ${late} MB after 100,000`).toBeLessThan(early * 1.3)
  expect((await expectDaemonAnswers(installation)).pid).toBe(pid)
})

/** Sends events over one connection, some at a time, and checks every answer. */
async function send(installation: Installation, events: number): Promise<void> {
  const socket = createConnection(join(installation.home.run, 'hook.sock'))
  let left = Buffer.alloc(0)
  let wanted = 'greeting' as 'greeting' | 'replies'
  const wrong: string[] = []
  let answered = 0
  socket.on('data', (chunk) => {
    left = Buffer.concat([left, chunk])
    if (wanted === 'greeting') {
      left = left.subarray(4)
      wanted = 'replies'
    }
    for (let whole = wholeReply(left); whole !== undefined; whole = wholeReply(left)) {
      const text = left.toString('utf8', REPLY_HEADER_BYTES, whole)
      const isRight = answered % 2 === 0 ? text.includes('"permissionDecision":"deny"') : text === '{}\n'
      if (!isRight) wrong.push(text)
      answered += 1
      left = left.subarray(whole)
    }
  })
  for (let sent = 0; sent < events; sent += AT_ONCE) {
    const frames = Array.from({ length: AT_ONCE }, (_, i) => request(installation, sent + i))
    socket.write(Buffer.concat(frames))
    await eventually(() => answered === sent + AT_ONCE, `${sent + AT_ONCE} are answered`)
  }
  socket.destroy()
  expect(wrong).toEqual([])
}

function request({ home, project }: Installation, number: number): Buffer {
  const session = `session-${Math.floor(number / SESSION_CALLS) % 100}`
  const command = number % 2 === 0 ? `git push --force # ${number}` : `ls ${number}`
  return encodeRequest({
    argv: ['claude-code', '--home', home.folder, '--event', 'PreToolUse'],
    cwd: project,
    env: { HOME: '/home/dev' },
    input: Buffer.from(JSON.stringify(bash(command, { session_id: session, cwd: project }))),
    elapsedMs: 0,
  })
}

function wholeReply(bytes: Buffer): number | undefined {
  if (bytes.length < REPLY_HEADER_BYTES) return undefined
  const whole = REPLY_HEADER_BYTES + bytes.readUInt32LE(4) + bytes.readUInt32LE(8)
  return bytes.length < whole ? undefined : whole
}

/** The lowest of several measurements, once the journal has caught up: memory not yet collected is not a leak. */
async function settledMb(installation: Installation): Promise<number> {
  const seen: number[] = []
  for (let look = 0; look < 10; look += 1) {
    await sleep(500)
    seen.push((await eventually(installation.status, 'a daemon serves')).memoryMb)
  }
  return Math.min(...seen)
}
