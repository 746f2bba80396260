import { describe, expect, test } from 'vitest'
import { checkLinks } from './links.ts'
import { exists, readText, repositoryFiles } from './tree.ts'

test('every relative link of a page leads to a file', () => {
  const paths = repositoryFiles().filter((path) => path.endsWith('.md') && !path.includes('/fixtures/'))
  expect(paths).toContain('README.md')
  expect(paths.length).toBeGreaterThan(100)
  expect(checkLinks(new Map(paths.map((path) => [path, readText(path)])), exists)).toEqual([])
})

describe('the check of links', () => {
  const other = ['docs/other.md', '# Other page\n\n## `a` & B\n\n## `a` & B\n'] as const
  const check = (text: string) =>
    checkLinks(new Map([['docs/page.md', text], other]), (path) =>
      ['docs/page.md', 'docs/other.md', 'docs/image.png', 'src/models'].includes(path),
    )

  test.each([
    '[a](other.md)',
    '[a](./other.md#a--b)',
    '[a](other.md#a--b-1)',
    '[a](../docs/other.md#other-page)',
    '[a](../src/models/)',
    '![a](image.png)',
    '# Here\n\n[a](#here)',
    '[a](https://example.com/missing.md) <mail@example.com>',
    '`[a](missing.md)`\n\n```\n[a](missing.md)\n```',
    '<img src="image.png">',
  ])('accepts %s', (text) => {
    expect(check(text)).toEqual([])
  })

  test.each([
    ['[a](missing.md)', 'there is no docs/missing.md'],
    ['[a][b]\n\n[b]: missing.md', 'there is no docs/missing.md'],
    ['![a](missing.png)', 'there is no docs/missing.png'],
    ['| a |\n|---|\n| [a](missing.md) |', 'there is no docs/missing.md'],
    ['<a href="missing.md">a</a>', 'there is no docs/missing.md'],
    ['[a](other.md#missing)', 'docs/other.md has no heading #missing'],
    ['[a](#missing)', 'docs/page.md has no heading #missing'],
    ['[a](/docs/other.md)', 'relative to the page'],
    ['[a](../../x.md)', 'outside the repository'],
  ])('reports %s', (text, says) => {
    expect(check(text)).toEqual([expect.stringContaining(says)])
  })
})
