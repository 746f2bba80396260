import { describe, expect, it } from 'vitest'
import { look, type Suspicion } from './watchdog.ts'

/** What is said at each look of a thread with these turns and this pulse. */
function looks(seen: readonly (readonly [turn: number, pulse: number])[]): readonly string[] {
  let suspicion: Suspicion | undefined
  return seen.map(([turn, pulse]) => {
    const { then, suspicion: next } = look(suspicion, turn, pulse)
    suspicion = next
    return then
  })
}

describe('a thread that', () => {
  it.each<[string, readonly (readonly [number, number])[], readonly string[]]>([
    [
      'judges nothing is well',
      [
        [0, 0],
        [0, 0],
        [2, 0],
      ],
      ['well', 'well', 'well'],
    ],
    [
      'judges one thing after the other is well',
      [
        [1, 0],
        [3, 0],
        [7, 0],
      ],
      ['well', 'well', 'well'],
    ],
    [
      'waits is asked, says so, and is asked again',
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
      'spins is lost',
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
      'was slow is forgiven',
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
  ])('%s', (_name, seen, said) => {
    expect(looks(seen)).toEqual(said)
  })
})
