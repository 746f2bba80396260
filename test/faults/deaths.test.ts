import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { encodeReply } from '../../src/daemon/protocol.ts'
import { answering, hanging, startFakeDaemon } from '../native/fake-daemon.ts'
import {
  answersRight,
  bash,
  eventually,
  expectDenied,
  freeze,
  gone,
  it,
  keepDaemonsAway,
  kill,
  PASSED,
  readText,
  type Station,
  servesAgain,
} from './station.ts'

/** A daemon that dies, freezes or breaks off: was denied, stays denied; and the next call works again. */

describe.concurrent('kill -9', () => {
  it('while idle', async ({ station }) => {
    const pid = await station.serving()
    await servesAgain(station)
    await kill(pid)
    await answersRight(station)
    expect((await servesAgain(station)).pid).not.toBe(pid)
  })

  it('between the question and the answer', async ({ station }) => {
    const pid = await station.serving()
    await freeze(pid)
    const asked = [station.call(bash('git push --force')), station.call(bash('ls'))] as const
    await eventually(() => connectionsTo(station, pid) >= 2, 'both wait for the daemon')
    await kill(pid)
    expectDenied(await asked[0])
    expect(await asked[1]).toEqual(PASSED)
    await servesAgain(station)
  })

  it('in the middle of an answer', async ({ station }) => {
    const pid = await station.serving()
    await kill(pid)
    rmSync(join(station.home.run, 'hook.sock'))
    const letDaemonsIn = keepDaemonsAway(station)
    // What half a pass and half a denial look like from outside: the whole of neither may count.
    const reply = encodeReply({ stdout: '{}\n', stderr: '', exitCode: 0 })
    for (const piece of [reply.subarray(0, 5), reply.subarray(0, reply.length - 1)]) {
      const fake = await startFakeDaemon(station.home.run, answering([piece]))
      await answersRight(station)
      expect(fake.calls).toHaveLength(2)
      await fake.stop()
    }
    letDaemonsIn()
    await servesAgain(station)
  })
})

describe.concurrent('a frozen daemon', () => {
  it('is passed by, replaced, and leaves when it wakes', async ({ station }) => {
    const pid = await station.serving()
    await freeze(pid)
    await answersRight(station)
    const next = await eventually(async () => {
      const status = await station.status()
      return status !== undefined && status.pid !== pid && status
    }, 'another daemon serves')
    await servesAgain(station)
    process.kill(pid, 'SIGCONT')
    await gone(pid)
    expect((await servesAgain(station)).pid).toBe(next.pid)
    await eventually(() => station.processes().join() === `${next.pid}`, 'nobody else is left')
  })

  it('that greeted before it froze holds a call only until its deadline, and then stops it', async ({
    station,
  }) => {
    const letDaemonsIn = keepDaemonsAway(station)
    const fake = await startFakeDaemon(station.home.run, hanging(Buffer.from('HPA1')))
    const ran = await station.call(bash('ls'), { args: ['--deadline-ms', '1000', '--on-failure', 'deny'] })
    await fake.stop()
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    letDaemonsIn()
    await servesAgain(station)
  })
})

/** Connections to the daemon's socket, accepted or not; the system lists each with the listener's name. */
function connectionsTo({ home }: Station, pid: number): number {
  const name = `${home.run}/hook.${pid}.sock`
  return (
    readText('/proc/net/unix')
      .split('\n')
      .filter((line) => line.endsWith(name)).length - 1
  )
}
