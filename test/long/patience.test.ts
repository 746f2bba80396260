import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  answersRight,
  eventually,
  gone,
  it,
  type Station,
  servesAgain,
  socketsOf,
} from '../faults/station.ts'
import { lockJournal } from './locked-journal.ts'

const VISITORS_MAX = 1_000

it('a house full of visitors who say nothing: hooks answer without it, and another takes its place', async ({
  station,
}) => {
  const pid = await station.serving()
  const silent = visitors(station, VISITORS_MAX + 100)
  await eventually(() => silent.filter((each) => each.closed).length >= 100, 'the door is closed to more')
  await answersRight(station)
  await gone(pid)
  await eventually(() => silent.every((each) => each.closed), 'all were sent away')
  expect((await servesAgain(station)).pid).not.toBe(pid)
})

it('visitors who say nothing are sent away after a while', async ({ station }) => {
  const pid = await station.serving()
  // The listener, and whoever came through it.
  const inside = () => socketsOf(pid, 'unix').filter((line) => line.includes(station.home.run)).length - 1
  const silent = visitors(station, 20)
  await eventually(() => inside() >= 20, 'all were let in')
  await sleep(25_000)
  await eventually(() => silent.every((each) => each.closed), 'all were sent away')
  expect((await servesAgain(station)).pid).toBe(pid)
  await eventually(() => inside() === 0, 'nothing of them is left open')
})

function visitors({ home }: Station, count: number): readonly Socket[] {
  return Array.from({ length: count }, () => {
    const socket = createConnection(join(home.run, 'hook.sock'))
    socket.on('error', () => {})
    // Who does not listen never hears that he is sent away.
    return socket.resume()
  })
}

it('a journal that somebody has locked for longer than anybody waits: told, and taken up again', async ({
  station,
}) => {
  await servesAgain(station)
  const release = await lockJournal(station)
  await servesAgain(station)
  await eventually(async () => /lock|busy/i.test((await station.status())?.journal ?? ''), 'it is told')
  await sleep(5_000)
  await servesAgain(station)
  release()
  await eventually(async () => (await station.status())?.journal === 'well', 'the journal is well')
  const { stdout } = await station.command('log', '--json')
  expect(stdout.trim().split('\n')).toHaveLength(9)
  expect((await station.command('log', '--verify')).exitCode).toBe(0)
})
