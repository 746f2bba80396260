import { expect, it } from 'vitest'
import type { Library, Page } from './pages.ts'
import { search, searchText } from './search.ts'
import { viewOf } from './view.ts'

const TEXTS: Readonly<Record<string, string>> = {
  rules: '# Rules\n\nA rule can deny a **Push**.\n\n| `deny` | [stops](x.md) the push |\n|---|---|\n',
  push: '# About a push\n\nNothing else.\n',
  trust: '# Trust\n\nWho may deny.\nNo more than a push.\n',
}
const pages = Object.keys(TEXTS).map((topic): Page => ({ topic, path: `docs/${topic}.md`, group: 'Use' }))
const library: Library = { pages, read: ({ topic }) => TEXTS[topic] ?? '' }
const view = viewOf({ path: 'README.md' }, pages, { columns: 80, isColoured: false })

it('finds pages that have all words, and lists those with a word in the title first', () => {
  expect(search(library, ['push']).map(({ topic }) => topic)).toEqual(['push', 'rules', 'trust'])
  expect(search(library, ['DENY', 'push']).map(({ topic }) => topic)).toEqual(['rules', 'trust'])
  expect(search(library, ['deny push'])).toEqual(search(library, ['deny', 'push']))
  expect(search(library, ['nowhere'])).toEqual([])
  expect(search(library, [' '])).toEqual([])
})

it('shows the lines with all words, or otherwise with any, without Markdown marks', () => {
  const [rules, trust] = search(library, ['deny', 'push'])
  expect(rules?.lines).toEqual([
    { line: 3, text: 'A rule can deny a Push.' },
    { line: 5, text: '`deny` · stops the push' },
  ])
  expect(trust?.lines.map(({ line }) => line)).toEqual([3, 4])
})

it('shows at most five lines of a page', () => {
  const long: Library = { pages: pages.slice(0, 1), read: () => 'push\n'.repeat(8) }
  const text = searchText(search(long, ['push']), ['push'], view)
  expect(text).toContain('    5  push\n       and 3 more lines\n')
  expect(text).toContain('1 page. Read one with `holdpoint docs <topic>`.')
})

it('searches only the given pages', () => {
  expect(search(library, ['push'], pages.slice(2)).map(({ topic }) => topic)).toEqual(['trust'])
})

it('highlights the words', () => {
  const coloured = viewOf({ path: 'README.md' }, pages, { columns: 80, isColoured: true })
  const text = searchText(search(library, ['push'], pages.slice(0, 1)), ['push'], coloured)
  expect(text).toContain('A rule can deny a \u001b[1mPush\u001b[22m.')
})
