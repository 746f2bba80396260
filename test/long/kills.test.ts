import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { bash, eventually, expectDenied, it, PASSED, servesAgain } from '../faults/station.ts'

const CALLS = 20_000
const KILL_AFTER_MS = { least: 100, most: 3_000 }

it('20,000 calls in a row, the daemon killed again and again: not one wrong answer', async ({ station }) => {
  let done = false
  let kills = 0
  const killer = async () => {
    while (!done) {
      await sleep(KILL_AFTER_MS.least + Math.random() * (KILL_AFTER_MS.most - KILL_AFTER_MS.least))
      for (const pid of station.processes()) {
        try {
          process.kill(pid, 'SIGKILL')
          kills += 1
        } catch {
          // It had just left.
        }
      }
    }
  }
  const killing = killer()
  try {
    for (let i = 0; i < CALLS; i += 2) {
      expectDenied(await station.call(bash('git push --force')))
      expect(await station.call(bash('ls'))).toEqual(PASSED)
    }
  } finally {
    done = true
    await killing
  }
  // It did happen, and so did being served.
  expect(kills).toBeGreaterThan(10)
  await servesAgain(station)
  await eventually(() => station.processes().length === 1, 'one daemon is left')
  expect((await station.command('log', '--verify')).exitCode).toBe(0)
})
