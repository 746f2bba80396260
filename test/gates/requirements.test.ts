import { describe, expect, test } from 'vitest'
import { DOCUMENTS, PARTS, REQUIREMENTS, type Requirement } from '../requirements.ts'
import { checkRequirements, citationsIn } from './requirements.ts'
import { exists, readTree } from './tree.ts'

const isCiting = (path: string) =>
  !path.startsWith('test/gates/') &&
  (/\.(?:test|contract)\.ts$/.test(path) || (path.startsWith('test/') && path.endsWith('.jsonl')))

test('every requirement is proved, waits for a part that is not here, or needs no test', () => {
  const citations = citationsIn(readTree(['src', 'bin', 'test'], isCiting))
  const present = Object.entries(PARTS).filter(([, path]) => exists(path))
  expect(checkRequirements(REQUIREMENTS, citations, new Set(present.map(([part]) => part)))).toEqual([])
})

test('the list is as long as the documents', () => {
  const lengths = Object.keys(DOCUMENTS).map((name) => [
    name,
    REQUIREMENTS.filter(({ id }) => id.startsWith(`R-${name}-`)).length,
  ])
  expect(Object.fromEntries(lengths)).toEqual(DOCUMENTS)
  expect(REQUIREMENTS).toHaveLength(280)
})

test('every requirement says something of its own', () => {
  const sayings = REQUIREMENTS.map(({ id, says }) => `${id.slice(0, 5)} ${says}`)
  expect(sayings.filter((text, index) => sayings.indexOf(text) !== index)).toEqual([])
})

describe('the check', () => {
  const list: readonly Requirement[] = [
    { id: 'R-000-01', says: 'a', status: { cited: true } },
    { id: 'R-000-02', says: 'b', status: { waits: 'mux' } },
    { id: 'R-000-03', says: 'c', status: { informational: 'A note.' } },
  ]
  const proof: readonly [string, readonly string[]] = ['R-000-01', ['src/a.test.ts']]

  test('is content with a list that holds', () => {
    expect(checkRequirements(list, new Map([proof]), new Set(['safety']))).toEqual([])
  })

  test.each([
    ['nobody cites a cited id', list, [], [], 'R-000-01 is marked cited, and no test'],
    ['a test cites an id that waits', list, [proof, ['R-000-02', ['b.test.ts']]], [], 'b.test.ts cites it'],
    [
      'a test cites an unknown id',
      list,
      [proof, ['R-000-09', ['b.test.ts']]],
      [],
      'cites R-000-09, which is',
    ],
    ['an id waits for what is here', list, [proof], ['mux'], 'R-000-02 waits for mux, which is here'],
    ['an id is missing', list.toSpliced(1, 1), [proof], [], 'R-000-03 stands where statement 2'],
    ['an id repeats', [...list, ...list.slice(2)], [proof], [], 'R-000-03 stands where statement 4'],
    ['an id is malformed', [...list, { ...list[2], id: 'R-0-4' }], [proof], [], 'R-0-4 is not an id'],
  ] as [string, Requirement[], [string, string[]][], string[], string][])(
    'complains when %s',
    (_name, requirements, citations, present, says) => {
      const complaints = checkRequirements(requirements, new Map(citations), new Set(present))
      expect(complaints).toEqual([expect.stringContaining(says)])
    },
  )

  test('reads whole ids, once per file', () => {
    const texts = {
      'a.test.ts': "test('x (R-000-01, R-002-100)') // R-000-01",
      'b.test.ts': 'R-000-01..03 XR-000-04',
    }
    expect(Object.fromEntries(citationsIn(new Map(Object.entries(texts))))).toEqual({
      'R-000-01': ['a.test.ts', 'b.test.ts'],
      'R-002-100': ['a.test.ts'],
    })
  })
})
