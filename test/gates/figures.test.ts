import { describe, expect, test } from 'vitest'
import { type Figure, unknownTimes, wrongFigures } from './figures.ts'
import { readText, repositoryFiles } from './tree.ts'

const CALL = { section: 'One hook call', column: 'p50 ms' }
const FIGURES: readonly Figure[] = [
  {
    page: 'README.md',
    says: /about (\d+) ms \(\[benchmarks\]/,
    row: 'Holdpoint, events of sessions',
    ...CALL,
  },
  { page: 'README.md', says: /\| (\d+) ms \(bash and jq\)/, row: 'bash and jq, private script', ...CALL },
  { page: 'README.md', says: /to (\d+) ms \(Python\)/, row: 'python3, private script', ...CALL },
  {
    page: 'docs/guide/massgen.md',
    says: /cold start of Python takes about (\d+) ms/,
    ...{ section: 'Python hooks', row: 'cold start', column: 'p50 ms' },
  },
]

const pages = new Map(
  repositoryFiles()
    .filter((file) => /^(?:README\.md|docs\/guide\/.*\.md)$/.test(file))
    .map((file) => [file, readText(file)]),
)

test('the figures of README and the guides are those of the benchmarks', () => {
  expect(wrongFigures(pages, FIGURES, readText('docs/reference/benchmarks.md'))).toEqual([])
})

test('every time in README, and every time next to a link to the benchmarks, is compared with them', () => {
  expect([...pages].flatMap(([page, text]) => unknownTimes(page, text, FIGURES))).toEqual([])
})

describe('the check of figures', () => {
  const benchmarks =
    '# B\n\n## One hook call\n\n| hook | p50 ms |\n|---|---|\n| `ours`  | 1.74 |\n\nA note.\n\n## Other\n'
  const figure = { page: 'README.md', says: /about (\d+) ms/, row: 'ours', ...CALL }
  const said = (text: string, more: Partial<Figure> = {}) =>
    wrongFigures(new Map([['README.md', text]]), [{ ...figure, ...more }], benchmarks)

  test('accepts a figure that is rounded to one digit', () => {
    expect(said('It takes about 2 ms.')).toEqual([])
  })

  test('says what another figure should be', () => {
    expect(said('It takes about 3 ms.')).toEqual([
      'README.md: it says 3 for "ours", and docs/reference/benchmarks.md says 1.74: write 2',
    ])
  })

  test('refuses a sentence, a row and a column that are not there', () => {
    expect(said('It is fast.')).toEqual(['README.md: no sentence is like /about (\\d+) ms/'])
    expect(said('about 2 ms', { row: 'theirs' })).toHaveLength(1)
    expect(said('about 2 ms', { column: 'p99 ms' })).toHaveLength(1)
  })

  test('finds times that nothing is compared with', () => {
    expect(unknownTimes('README.md', 'It takes about 2 ms, and 414 ms to start.', [figure])).toEqual([
      'README.md: "414 ms" is compared with no figure of docs/reference/benchmarks.md',
    ])
    expect(unknownTimes('docs/guide/a.md', 'It waits 300 ms.', [figure])).toEqual([])
    expect(unknownTimes('docs/guide/a.md', '30 ms ([b](../reference/benchmarks.md))', [figure])).toHaveLength(
      1,
    )
  })
})
