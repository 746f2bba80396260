import { expect } from 'vitest'
import { bash, eventually, expectDenied, gone, it, PASSED, servesAgain } from './station.ts'

it('fifty first calls are all answered right, and one daemon is left of them', async ({ station }) => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => station.call(bash(i % 2 === 0 ? 'git push --force' : 'ls'))),
  )
  for (const [i, answer] of answers.entries()) {
    if (i % 2 === 0) expectDenied(answer)
    else expect(answer).toEqual(PASSED)
  }
  const { pid } = await servesAgain(station)
  await eventually(() => station.processes().length === 1, 'one process is left')
  expect(station.processes()).toEqual([pid])
  // One was started, not one that drove out others.
  expect(station.log().match(/started, build/g)).toHaveLength(1)
})

it('daemons started by hand at once: one stays, the others leave', async ({ station }) => {
  await Promise.all(Array.from({ length: 4 }, () => station.command('daemon', 'start')))
  const { pid } = await servesAgain(station)
  await Promise.all(
    station
      .processes()
      .filter((each) => each !== pid)
      .map(gone),
  )
  expect((await servesAgain(station)).pid).toBe(pid)
})
