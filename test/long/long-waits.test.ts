import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import {
  expectDaemonAnswers,
  expectRightAnswers,
  type Installation,
  it,
  socketsOf,
} from '../faults/installation.ts'
import { eventually } from '../processes.ts'
import { lockJournal } from './locked-journal.ts'

const CONNECTIONS_MAX = 1_000

it('hooks are answered beside a daemon full of silent connections, which are closed', async ({
  installation,
}) => {
  await installation.startDaemon()
  const silent = openSilent(installation, CONNECTIONS_MAX + 100)
  await eventually(() => silent.filter((each) => each.closed).length >= 100, 'more connections are refused')
  // A request that comes with its connection is answered by this daemon. One that comes later is refused: its client
  // decides by itself, and starts a daemon that replaces this one.
  await expectRightAnswers(installation)
  await eventually(() => silent.every((each) => each.closed), 'all were closed')
  await expectDaemonAnswers(installation)
})

it.runIf(isLinux)(
  onLinux('silent connections are closed after a while', 'only there the sockets of a process are listed'),
  async ({ installation }) => {
    const pid = await installation.startDaemon()
    // All sockets for hooks except the listener.
    const path = join(installation.home.run, `hook.${pid}.sock`)
    const connections = () => socketsOf(pid, 'unix').filter((line) => line.includes(path)).length - 1
    const silent = openSilent(installation, 20)
    await eventually(() => connections() >= 20, 'all were accepted')
    await sleep(25_000)
    await eventually(() => silent.every((each) => each.closed), 'all were closed')
    expect((await expectDaemonAnswers(installation)).pid).toBe(pid)
    await eventually(() => connections() === 0, 'none is left open')
  },
)

function openSilent({ home }: Installation, count: number): readonly Socket[] {
  return Array.from({ length: count }, () => {
    const socket = createConnection(join(home.run, 'hook.sock'))
    socket.on('error', () => {})
    // A socket that is not read does not notice that it is closed.
    return socket.resume()
  })
}

it('a journal that is locked for longer than the limit is reported, and used again later', async ({
  installation,
}) => {
  await expectDaemonAnswers(installation)
  const release = await lockJournal(installation)
  await expectDaemonAnswers(installation)
  await eventually(
    async () => /lock|busy/i.test((await installation.status())?.journal ?? ''),
    'it is reported',
  )
  await sleep(5_000)
  await expectDaemonAnswers(installation)
  release()
  await eventually(async () => (await installation.status())?.journal === 'well', 'the journal is well')
  const { stdout } = await installation.command('log', '--json')
  expect(stdout.trim().split('\n')).toHaveLength(9)
  expect((await installation.command('log', '--verify')).exitCode).toBe(0)
})
