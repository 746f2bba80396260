import { describe, expect, it } from 'vitest'
import { guardContract } from '../guard.contract.ts'
import { pack } from './pack.ts'

/** Two of the four tell and never stop anything: what the suite asks of examples that stop is not for them. */
for (const guard of pack.guards.filter(({ examples }) => examples.stops.length > 0)) guardContract(guard)

describe('the four hooks', () => {
  it('stand at the four moments, in their order (R-003-03)', () => {
    expect(pack.guards.map(({ on }) => on)).toEqual([
      ['SessionStart'],
      ['SubagentStart'],
      ['SubagentStop'],
      ['Stop'],
    ])
  })

  it('meet every agent type (R-003-16, R-003-26)', () => {
    expect(pack.guards.map(({ match }) => ['', '*'].includes(match))).toEqual([true, true, true, true])
  })

  it('let go after an error of their own (R-003-15, R-003-25, R-003-34, R-003-44)', () => {
    expect(pack.guards.map(({ onFailure }) => onFailure)).toEqual(['pass', 'pass', 'pass', 'pass'])
    expect(pack.guards.map(({ timeoutMs }) => timeoutMs)).toEqual([10_000, 10_000, 10_000, 10_000])
  })
})
