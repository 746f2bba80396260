import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Guard, isGuardMatch } from '../../core/guard.ts'
import { actorOf, bash, frozenFacts } from '../../library/testing/events.ts'
import { shellOf } from '../analysis/shell-of.ts'
import { PACKS } from './index.ts'

const packs = await Promise.all(Object.values(PACKS).map((load) => load()))
const guards = packs.flatMap((pack) => pack.guards)
const commands = guards
  .flatMap((guard) => [...guard.examples.stops, ...guard.examples.passes])
  .filter((example) => typeof example === 'string')

/** Joins two examples, or cuts a piece out of one and inserts another. */
const mutated = fc.oneof(
  fc
    .tuple(fc.constantFrom(...commands), fc.nat(), fc.nat(8), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([text, at, length, inserted]) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + inserted + text.slice(start + length)
    }),
  fc
    .tuple(fc.constantFrom(...commands), fc.constantFrom(...commands), fc.nat(), fc.nat())
    .map(([left, right, a, b]) => left.slice(0, a % (left.length + 1)) + right.slice(b % (right.length + 1))),
)

async function outcomeOf(guard: Guard, command: string) {
  const event = bash(command)
  return guard.check({ event, actor: actorOf(event), facts: frozenFacts(), options: {}, memory: undefined })
}

/** A part of the command that is quoted at the end, such as a path, may end in anything. */
function endsInOwnWords(text: string, command: string): string {
  const last = text.trimEnd().split(/\s/).at(-1) ?? ''
  return last.length > 1 && command.includes(last) ? `${text}…` : text
}

describe('every guard, on mutated examples', () => {
  it('gives the same answer twice, as readable text', async () => {
    await fc.assert(
      fc.asyncProperty(mutated, fc.constantFrom(...guards), async (command, guard) => {
        const outcome = await outcomeOf(guard, command)
        expect(await outcomeOf(guard, command)).toEqual(outcome)
        if (outcome === null || !isGuardMatch(outcome)) return
        expect(endsInOwnWords(outcome.caught, command)).toMatch(/[^.\s]$/)
        if (outcome.unsure !== undefined) expect(endsInOwnWords(outcome.unsure, command)).toMatch(/[^.\s]$/)
      }),
      { numRuns: 1000 },
    )
  })

  it('never passes a command that cannot be read', async () => {
    const unreadable = guards.find((guard) => guard.id === 'safety/shell/unreadable')
    await fc.assert(
      fc.asyncProperty(mutated, async (command) => {
        if (shellOf(bash(command), frozenFacts()).judged || unreadable === undefined) return
        expect(await outcomeOf(unreadable, command)).not.toBeNull()
      }),
      { numRuns: 300 },
    )
  })
})
