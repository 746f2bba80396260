import { expect } from 'vitest'
import { askDaemon } from '../../src/daemon/client.ts'
import { bash, expectDenied, it, PASSED } from '../faults/installation.ts'
import { eventually } from '../processes.ts'

/** Many clients at once. In the long suite, because next to other tests it would measure the machine. */

it('200 clients at once are all answered correctly, by the daemon or without it', async ({
  installation,
}) => {
  await installation.startDaemon()
  const answers = await installation.callAtOnce(
    Array.from({ length: 200 }, (_, i) => bash(i % 2 === 0 ? 'git push --force' : 'ls')),
  )
  for (const [i, answer] of answers.entries()) {
    if (i % 2 === 0) expectDenied(answer)
    else expect(answer).toEqual(PASSED)
  }
})

it('500 requests at once over as many connections are all answered by the daemon', async ({
  installation,
}) => {
  await installation.startDaemon()
  const argv = ['claude-code', '--home', installation.home.folder, '--event', 'PreToolUse']
  const call = (command: string) => {
    const input = Buffer.from(JSON.stringify(bash(command)))
    return { argv, cwd: installation.project, env: { HOME: '/home/dev' }, input, elapsedMs: 0 }
  }
  const before = (await eventually(installation.status, 'a daemon serves')).answered
  const replies = await Promise.all(
    Array.from({ length: 500 }, (_, i) =>
      askDaemon(installation.home.run, call(i % 2 === 0 ? 'git push --force' : 'ls'), 200_000),
    ),
  )
  const denied = replies.filter((reply) => reply?.stdout.includes('"deny"'))
  expect([denied.length, replies.filter((reply) => reply?.stdout === '{}\n').length]).toEqual([250, 250])
  expect((await eventually(installation.status, 'a daemon serves')).answered).toBe(before + 500)
})
