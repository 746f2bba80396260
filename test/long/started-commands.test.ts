import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HELP_COMMANDS } from '../../src/commands/help.ts'
import { LESS_USED, MOST_USED, STARTED_ELSEWHERE, startedAndPlayed } from '../e2e/started-commands.ts'

/** Every command of the help is started as a process by some test. Here: those that `npm test` only plays. */

const root = join(import.meta.dirname, '..', '..')

describe('the installed program', () => {
  it.each(Object.entries(LESS_USED))('does as `%s` does when it is played', async (_name, start) => {
    const [started, played] = await startedAndPlayed(start)
    expect([started.exitCode, started.stdout + started.stderr]).toEqual([
      start.exitCode,
      expect.stringMatching(start.says),
    ])
    expect(played).toEqual(started)
  })
})

it('every command of the help is started by a test', () => {
  const started = [MOST_USED, LESS_USED, STARTED_ELSEWHERE].flatMap((table) => Object.keys(table))
  expect(started.sort()).toEqual([...HELP_COMMANDS].sort())
  for (const [command, file] of Object.entries(STARTED_ELSEWHERE)) {
    expect(readFileSync(join(root, file), 'utf8'), file).toMatch(new RegExp(`\\b${command}\\b`))
  }
})
