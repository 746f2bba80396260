import { describe, expect, it } from 'vitest'
import { actorOf, bash, frozenFacts } from '../testing/events.ts'
import { type Guard, isCaught } from './guard.ts'
import { pack as safety } from './safety/pack.ts'
import { pack as secrets } from './secrets/pack.ts'
import { pack as self } from './self/pack.ts'

const guards = [...safety.guards, ...secrets.guards, ...self.guards]

/** Commands in backticks; a word alone is a name. */
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
      return outcome !== null && isCaught(outcome) ? [guard.id] : []
    }),
  )
  return outcomes.flat()
}

describe('what a guard suggests passes every guard', () => {
  it('has guards that suggest something', () => {
    expect(guards.filter((guard) => suggestions(guard).length > 0).length).toBeGreaterThan(30)
  })

  it.each(guards.flatMap((guard) => suggestions(guard).map((command) => [guard.id, command] as const)))(
    '%s: %s',
    async (_id, command) => {
      expect(await stoppedBy(command)).toEqual([])
    },
  )

  it('would notice a bad one', async () => {
    expect(await stoppedBy('rm -rf /')).not.toEqual([])
  })
})
