import { describe, expect, it } from 'vitest'
import { type Suspicion, watchOnce } from './watchdog.ts'

/** What each check says about a thread with these turns and this pulse. */
function checksOf(seen: readonly (readonly [turn: number, pulse: number])[]): readonly string[] {
  let suspicion: Suspicion | undefined
  return seen.map(([turn, pulse]) => {
    const { then, suspicion: next } = watchOnce(suspicion, turn, pulse)
    suspicion = next
    return then
  })
}

describe('a thread that', () => {
  it.each<[string, readonly (readonly [number, number])[], readonly string[]]>([
    [
      'evaluates nothing is fine',
      [
        [0, 0],
        [0, 0],
        [2, 0],
      ],
      ['well', 'well', 'well'],
    ],
    [
      'evaluates one event after the other is fine',
      [
        [1, 0],
        [3, 0],
        [7, 0],
      ],
      ['well', 'well', 'well'],
    ],
    [
      'waits gets a ping, answers it, and gets another',
      [
        [1, 0],
        [1, 0],
        [1, 1],
        [1, 1],
        [1, 2],
      ],
      ['well', 'ask', 'ask', 'wait', 'ask'],
    ],
    [
      'is in an endless loop is lost',
      [
        [1, 0],
        [1, 0],
        [1, 0],
        [1, 0],
        [1, 0],
        [1, 0],
        [1, 0],
      ],
      ['well', 'ask', 'wait', 'wait', 'wait', 'wait', 'lost'],
    ],
    [
      'was slow is fine again',
      [
        [1, 0],
        [1, 0],
        [1, 0],
        [1, 0],
        [2, 0],
        [3, 0],
      ],
      ['well', 'ask', 'wait', 'wait', 'well', 'well'],
    ],
  ])('%s', (_name, seen, expected) => {
    expect(checksOf(seen)).toEqual(expected)
  })
})
