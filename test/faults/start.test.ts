import { expect } from 'vitest'
import { eventually } from '../processes.ts'
import { bash, expectDaemonAnswers, expectDenied, it, PASSED, waitForExit } from './installation.ts'

it('fifty first calls at once are all answered correctly, and start one daemon', async ({ installation }) => {
  const answers = await installation.callAtOnce(
    Array.from({ length: 50 }, (_, i) => bash(i % 2 === 0 ? 'git push --force' : 'ls')),
  )
  for (const [i, answer] of answers.entries()) {
    if (i % 2 === 0) expectDenied(answer)
    else expect(answer).toEqual(PASSED)
  }
  const { pid } = await expectDaemonAnswers(installation)
  await eventually(() => installation.processes().length === 1, 'one process is left')
  expect(installation.processes()).toEqual([pid])
  // Only one was started. No daemon replaced another.
  expect(installation.log().match(/started, build/g)).toHaveLength(1)
})

it('if several daemons are started by hand at once, one stays and the others exit', async ({
  installation,
}) => {
  await Promise.all(Array.from({ length: 4 }, () => installation.command('daemon', 'start')))
  const { pid } = await expectDaemonAnswers(installation)
  await Promise.all(
    installation
      .processes()
      .filter((each) => each !== pid)
      .map(waitForExit),
  )
  expect((await expectDaemonAnswers(installation)).pid).toBe(pid)
})
