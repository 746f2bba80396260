import { describe, expect, it } from 'vitest'
import { type Guard, isGuardMatch } from '../../core/guard.ts'
import { actorOf, bash, frozenFacts } from '../../library/testing/events.ts'
import { pack as safety } from './safety/pack.ts'
import { pack as secrets } from './secrets/pack.ts'
import { pack as self } from './self/pack.ts'

const guards = [...safety.guards, ...secrets.guards, ...self.guards]

/** Commands in backticks. A single word is a name, not a command. */
function suggestions(guard: Guard): readonly string[] {
  return [...guard.instead.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command)
}

async function stoppedBy(command: string): Promise<readonly string[]> {
  const event = bash(command)
  const input = { event, actor: actorOf(event), facts: frozenFacts(), options: {}, memory: undefined }
  const judging = guards.filter(({ on, modes }) => on.includes('PreToolUse') && modes.standard !== 'off')
  const outcomes = await Promise.all(
    judging.map(async (guard) => {
      const outcome = await guard.check(input)
      return outcome !== null && isGuardMatch(outcome) ? [guard.id] : []
    }),
  )
  return outcomes.flat()
}

describe('every command that a guard suggests passes all guards', () => {
  it('at least one guard suggests a command', () => {
    expect(guards.filter((guard) => suggestions(guard).length > 0).length).toBeGreaterThan(30)
  })

  it.each(guards.flatMap((guard) => suggestions(guard).map((command) => [guard.id, command] as const)))(
    '%s: %s',
    async (_id, command) => {
      expect(await stoppedBy(command)).toEqual([])
    },
  )

  it('a suggestion that a guard stops would be found', async () => {
    expect(await stoppedBy('rm -rf /')).not.toEqual([])
  })
})
