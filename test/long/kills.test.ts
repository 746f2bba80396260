import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  bash,
  expectDaemonAnswers,
  expectDenied,
  type Installation,
  it,
  PASSED,
} from '../faults/installation.ts'
import { eventually } from '../processes.ts'

/** Five thousand take some three minutes; the nightly run asks for more. */
const CALLS = Number(process.env.HOLDPOINT_KILL_CALLS ?? 2_000)
/** Several agents at once: a single one would spend most of the time waiting for processes to start and end. */
const AGENTS = 12
const KILL_AFTER_MS = { least: 100, most: 3_000 }

it('thousands of calls get no wrong answer while the daemon is killed again and again', async ({
  installation,
}) => {
  let done = false
  let asked = 0
  let answered = 0
  const killing = killUntil(installation, () => done)
  const agent = async (session: string) => {
    while (asked < CALLS) {
      asked += 1
      const isBad = asked % 2 === 0
      const answer = await installation.call(bash(isBad ? 'git push --force' : 'ls', { session_id: session }))
      if (isBad) expectDenied(answer)
      else expect(answer).toEqual(PASSED)
      answered += 1
    }
  }
  const agents = await Promise.allSettled(Array.from({ length: AGENTS }, (_, i) => agent(`session-${i}`)))
  done = true
  const kills = await killing
  for (const each of agents) if (each.status === 'rejected') throw each.reason
  expect(answered).toBe(CALLS)
  // The daemon was killed, and the daemon answered.
  expect(kills).toBeGreaterThan(10)
  // A daemon that was killed while it started keeps the next calls from starting another one for ten seconds.
  await eventually(async () => {
    await installation.call(bash('ls'))
    return (await installation.status()) !== undefined
  }, 'a call starts a daemon that serves')
  await expectDaemonAnswers(installation)
  await eventually(() => installation.processes().length === 1, 'one daemon is left')
  expect((await installation.command('log', '--verify')).exitCode).toBe(0)
})

/** Kills every daemon of this home at random times. Returns how many there were. */
async function killUntil(installation: Installation, isDone: () => boolean): Promise<number> {
  let kills = 0
  while (!isDone()) {
    await sleep(KILL_AFTER_MS.least + Math.random() * (KILL_AFTER_MS.most - KILL_AFTER_MS.least))
    for (const pid of installation.processes()) {
      try {
        process.kill(pid, 'SIGKILL')
        kills += 1
      } catch {
        // It has just exited.
      }
    }
  }
  return kills
}
