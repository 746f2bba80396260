import { describe, expect, it } from 'vitest'
import { bash, frozenFacts } from '../../library/testing/events.ts'
import type { Topics } from '../guard.ts'
import type { Runner } from '../handler.ts'
import { createTopicIndex } from './topic-index.ts'

const LETTERS: Topics['of'] = () => new Set(['a', 'b'])
const DIGITS: Topics['of'] = () => new Set(['1'])

function runner(...topics: readonly Topics[]): Runner {
  return Object.assign(() => null, topics.length === 0 ? {} : { topics })
}

const RUNNERS = [
  runner({ of: LETTERS, any: ['z', 'b'] }),
  runner(),
  runner({ of: LETTERS, any: ['z'] }),
  { failure: 'import', message: 'it is missing' } as const,
  runner({ of: LETTERS, any: ['z'] }, { of: DIGITS, any: ['1', '2'] }),
  runner({ of: LETTERS, any: ['a', 'b'] }, { of: DIGITS, any: ['1'] }),
  runner({ of: DIGITS, any: [] }),
]
const find = (hookIndexes: readonly number[]) =>
  createTopicIndex(RUNNERS)(hookIndexes, bash('ls'), frozenFacts())

describe('hooks by topics', () => {
  it('are those that name one of the topics, and those that name none, in the order of the plan, once each', () => {
    expect(find([0, 1, 2, 3, 4, 5, 6])).toEqual([0, 1, 3, 4, 5])
  })
  it('are only those that were asked about', () => {
    expect(find([2, 5])).toEqual([5])
    expect(find([2])).toEqual([])
  })
  it('are all, without looking for topics, if none names any', () => {
    const never: Topics['of'] = () => {
      throw new Error('asked')
    }
    const index = createTopicIndex([runner(), runner({ of: never, any: ['x'] })])
    const list = [0]
    expect(index(list, bash('ls'), frozenFacts())).toBe(list)
    expect(() => index([1], bash('ls'), frozenFacts())).toThrow('asked')
  })
  it('are looked up once for a list, however many events follow', () => {
    let reads = 0
    const counted = Object.defineProperty(() => null, 'topics', {
      get: () => ((reads += 1), [{ of: LETTERS, any: ['a'] }]),
    }) as Runner
    const index = createTopicIndex([counted])
    const list = [0]
    for (let i = 0; i < 3; i += 1) expect(index(list, bash('ls'), frozenFacts())).toEqual([0])
    expect(reads).toBe(1)
  })
})
