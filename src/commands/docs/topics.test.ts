import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { GROUPS, UNSORTED } from './groups.ts'
import { openLibrary, titleOf } from './pages.ts'
import { findPage, guardsBelow, unknownTopic } from './topics.ts'

const library = openLibrary()
const { pages } = library

it.each([
  ['rules', 'docs/guide/rules.md'],
  ['Rules', 'docs/guide/rules.md'],
  ['rules.md', 'docs/guide/rules.md'],
  ['guide/rules', 'docs/guide/rules.md'],
  ['./docs/guide/rules.md', 'docs/guide/rules.md'],
  ['errors', 'docs/reference/errors.md'],
  ['hosts', 'docs/hosts/README.md'],
  ['guards', 'docs/guards/README.md'],
  ['readme', 'README.md'],
  ['docs', 'docs/README.md'],
  ['README.md', 'README.md'],
  ['security', 'SECURITY.md'],
  ['safety/git/force-push', 'docs/guards/safety/git/force-push.md'],
])('%s is %s', (topic, path) => {
  expect(findPage(pages, topic)?.path).toBe(path)
})

it('every page has a different topic', () => {
  const topics = pages.map(({ topic }) => topic)
  expect(topics.filter((topic, index) => topics.indexOf(topic) !== index)).toEqual([])
})

it('every page is in a group, and every group has pages: add new pages to groups.ts', () => {
  expect(pages.filter(({ group }) => group === UNSORTED).map(({ path }) => path)).toEqual([])
  expect(
    GROUPS.flatMap(({ topics }) => topics).filter((topic) => findPage(pages, topic) === undefined),
  ).toEqual([])
})

it('docs/README.md lists the pages of every group, in the same order', () => {
  const index = pages.find(({ path }) => path === 'docs/README.md')
  const [, ...sections] = (index === undefined ? '' : library.read(index)).split(/^## /m)
  const listed = sections.map((section) => ({
    title: section.split('\n', 1)[0],
    // Pages that are not in the package are named by their path and not linked.
    topics: [...section.matchAll(/^\| (?:\[.+?\]\((.+?)\)|`(.+?)`)/gm)].map(([, link = '', name]) => {
      const path = name ?? posix.join('docs', link)
      return pages.find((page) => page.path === path)?.topic
    }),
  }))
  expect(listed).toEqual(
    GROUPS.map(({ title, topics }) => ({ title, topics: topics.filter((topic) => topic !== 'docs') })),
  )
})

it.each([
  ['rules', 'Rules in YAML'],
  ['lint', 'Lint rules'],
  ['hosts', 'Agents: what Claude Code and Codex do'],
  ['safety/git/force-push', 'Force push'],
])('the title of %s is in one line: %s', (topic, title) => {
  const page = findPage(pages, topic)
  expect(page && titleOf(page, library.read(page))).toBe(title)
})

it('part of an id finds the guards below it', () => {
  const guards = guardsBelow(pages, 'safety/git/').map(({ topic }) => topic)
  expect(guards).toContain('safety/git/force-push')
  expect(guards.every((topic) => topic.startsWith('safety/git/'))).toBe(true)
  expect(guardsBelow(pages, 'safety/gi')).toEqual([])
  expect(guardsBelow(pages, '')).toEqual([])
})

it.each([
  ['rulez', 'Did you mean `holdpoint docs rules`?'],
  ['force-push', '`holdpoint docs safety/git/force-push`?'],
  ['safety/git/forcepush', 'Did you mean `holdpoint docs safety/git/force-push`?'],
  ['completely different', '"completely different". [TOPIC_UNKNOWN]'],
  ['\u001b[31m', '"\\u001b[31m"'],
])('for %s says %s', (topic, text) => {
  const error = unknownTopic(pages, topic)
  expect(error.message).toContain(text)
  expect(error.exitCode).toBe(66)
})
