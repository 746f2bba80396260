import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { encodeReply } from '../../src/daemon/protocol.ts'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import { answering, hanging, startFakeDaemon } from '../native/fake-daemon.ts'
import { connectionsTo, eventually } from '../processes.ts'
import {
  bash,
  expectDaemonAnswers,
  expectDenied,
  expectRightAnswers,
  freeze,
  it,
  kill,
  PASSED,
  preventDaemonStart,
  waitForExit,
} from './installation.ts'

/** If a daemon dies, hangs or stops in the middle of an answer, denied calls stay denied, and the next call works. */

describe.concurrent('a daemon that is killed', () => {
  it('while it is idle is replaced at the next call', async ({ installation }) => {
    const pid = await installation.startDaemon()
    await expectDaemonAnswers(installation)
    await kill(pid)
    await expectRightAnswers(installation)
    expect((await expectDaemonAnswers(installation)).pid).not.toBe(pid)
  })

  it.runIf(isLinux)(
    onLinux(
      'between request and reply does not change the answers',
      'only there connections to a socket are listed',
    ),
    async ({ installation }) => {
      const pid = await installation.startDaemon()
      await freeze(pid)
      const asked = [installation.call(bash('git push --force')), installation.call(bash('ls'))] as const
      await eventually(
        () => connectionsTo(`${installation.home.run}/hook.${pid}.sock`) >= 2,
        'both wait for the daemon',
      )
      await kill(pid)
      expectDenied(await asked[0])
      expect(await asked[1]).toEqual(PASSED)
      await expectDaemonAnswers(installation)
    },
  )

  it('in the middle of a reply does not change the answers', async ({ installation }) => {
    const pid = await installation.startDaemon()
    await kill(pid)
    rmSync(join(installation.home.run, 'hook.sock'))
    const allowDaemonStart = preventDaemonStart(installation)
    // Half of a reply must not count, whether it would have passed or denied the call.
    const reply = encodeReply({ stdout: '{}\n', stderr: '', exitCode: 0 })
    for (const piece of [reply.subarray(0, 5), reply.subarray(0, reply.length - 1)]) {
      const fake = await startFakeDaemon(installation.home.run, answering([piece]))
      await expectRightAnswers(installation)
      expect(fake.calls).toHaveLength(2)
      await fake.stop()
    }
    allowDaemonStart()
    await expectDaemonAnswers(installation)
  })
})

describe.concurrent('a frozen daemon', () => {
  it('is skipped and replaced, and exits when it continues', async ({ installation }) => {
    const pid = await installation.startDaemon()
    await freeze(pid)
    await expectRightAnswers(installation)
    const next = await eventually(async () => {
      const status = await installation.status()
      return status !== undefined && status.pid !== pid && status
    }, 'another daemon serves')
    await expectDaemonAnswers(installation)
    process.kill(pid, 'SIGCONT')
    await waitForExit(pid)
    expect((await expectDaemonAnswers(installation)).pid).toBe(next.pid)
    await eventually(() => installation.processes().join() === `${next.pid}`, 'nobody else is left')
  })

  it('that has sent its greeting delays a call until its deadline, and then the call is denied', async ({
    installation,
  }) => {
    const allowDaemonStart = preventDaemonStart(installation)
    const fake = await startFakeDaemon(installation.home.run, hanging(Buffer.from('HPA1')))
    const ran = await installation.call(bash('ls'), {
      args: ['--deadline-ms', '1000', '--on-failure', 'deny'],
    })
    await fake.stop()
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    allowDaemonStart()
    await expectDaemonAnswers(installation)
  })
})
