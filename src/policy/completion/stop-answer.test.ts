import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { eventOf } from '../../library/testing/events.ts'
import { answerStop } from './stop-answer.ts'

const MET = { missing: [], notices: [] }
const UNMET = { missing: ['a.md does not exist.'], notices: [] }

const answer = (
  verdict: typeof MET | typeof UNMET,
  kind: 'Stop' | 'SubagentStop',
  active: boolean,
  memory: JsonObject | undefined,
) =>
  answerStop(verdict, {
    key: 'k',
    name: 'Contract notes',
    blocks: 3,
    event: eventOf(kind, { stopHookActive: active }),
    memory,
    reason: 'Write it.',
  })

/** Plays stops one after another, as in a session: what one stop remembers is available to the next. */
function play(kind: 'Stop' | 'SubagentStop', active: (step: number) => boolean, steps: number) {
  let memory: JsonObject = {}
  return Array.from({ length: steps }, (_, step) => {
    const given = answer(UNMET, kind, active(step), memory)
    for (const patch of (given?.effect === 'deny' ? given.rememberDenied : given?.remember) ?? []) {
      if (patch.op === 'set') memory = { ...memory, [patch.key]: patch.value }
    }
    return given?.effect
  })
}

describe('a stop under a contract', () => {
  it('passes silently if everything is there', () => {
    expect(answer(MET, 'Stop', false, {})).toBeNull()
    expect(answer({ missing: [], notices: ['long'] } as never, 'Stop', false, {})).toEqual({
      effect: 'pass',
      notices: ['long'],
    })
  })

  it('is held with the reason, and counted', () => {
    expect(answer(UNMET, 'Stop', false, {})).toEqual({
      effect: 'deny',
      reason: 'Write it.',
      rememberDenied: [{ op: 'set', key: 'k/held', value: 1 }],
      detail: { missing: UNMET.missing, heldBefore: 0 },
    })
  })

  it('resets the count once it passed', () => {
    expect(answer(MET, 'Stop', true, { 'k/held': 2 })).toEqual({
      effect: 'pass',
      remember: [{ op: 'set', key: 'k/held', value: 0 }],
    })
  })

  it('is held as often as configured, then passes, and the user is told what is missing', () => {
    expect(play('Stop', (step) => step > 0, 5)).toEqual(['deny', 'deny', 'deny', 'pass', 'deny'])
    expect(answer(UNMET, 'Stop', true, { 'k/held': 3 })).toMatchObject({
      effect: 'pass',
      notices: [
        'Contract notes: The agent was held 3 times, then allowed to stop, although this is missing: a.md does not exist.',
      ],
    })
  })

  it('in a new turn is counted from zero', () => {
    expect(answer(UNMET, 'Stop', false, { 'k/held': 3 })).toMatchObject({ effect: 'deny' })
  })

  it('of a sub-agent also passes in the end if the host never reports that it was held', () => {
    expect(play('SubagentStop', () => false, 4)).toEqual(['deny', 'deny', 'deny', 'pass'])
    expect(play('SubagentStop', (step) => step > 0, 4)).toEqual(['deny', 'deny', 'deny', 'pass'])
  })

  it('is held only once if nothing can be remembered', () => {
    expect(answer(UNMET, 'Stop', false, undefined)).toMatchObject({ effect: 'deny' })
    expect(answer(UNMET, 'Stop', false, undefined)).not.toHaveProperty('rememberDenied')
    expect(answer(UNMET, 'SubagentStop', true, undefined)).toMatchObject({
      effect: 'pass',
      notices: [expect.stringContaining('The state cannot be read, so the agent was allowed to stop')],
    })
  })
})
