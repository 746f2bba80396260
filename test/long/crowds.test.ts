import { expect } from 'vitest'
import { askDaemon } from '../../src/daemon/client.ts'
import { bash, eventually, expectDenied, it, PASSED } from '../faults/station.ts'

/** Everybody at once. Here, because beside other tests the machine, not the daemon, would be measured. */

it('200 clients at once are all answered right, by the daemon or without it', async ({ station }) => {
  await station.serving()
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => station.call(bash(i % 2 === 0 ? 'git push --force' : 'ls'))),
  )
  for (const [i, answer] of answers.entries()) {
    if (i % 2 === 0) expectDenied(answer)
    else expect(answer).toEqual(PASSED)
  }
})

it('500 questions at once over as many connections are all answered by the daemon', async ({ station }) => {
  await station.serving()
  const argv = ['claude-code', '--home', station.home.folder, '--event', 'PreToolUse']
  const call = (command: string) => {
    const input = Buffer.from(JSON.stringify(bash(command)))
    return { argv, cwd: station.project, env: { HOME: '/home/dev' }, input, elapsedMs: 0 }
  }
  const before = (await eventually(station.status, 'a daemon serves')).answered
  const replies = await Promise.all(
    Array.from({ length: 500 }, (_, i) =>
      askDaemon(station.home.run, call(i % 2 === 0 ? 'git push --force' : 'ls'), 200_000),
    ),
  )
  const denied = replies.filter((reply) => reply?.stdout.includes('"deny"'))
  expect([denied.length, replies.filter((reply) => reply?.stdout === '{}\n').length]).toEqual([250, 250])
  expect((await eventually(station.status, 'a daemon serves')).answered).toBe(before + 500)
})
