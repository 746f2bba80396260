import { describe, expect, it } from 'vitest'
import { cellsOf } from '../../tools/report/terminal-width.ts'
import { openLibrary, type Page } from './pages.ts'
import { renderPage } from './render.ts'
import { viewOf } from './view.ts'

const PAGES: readonly Page[] = [
  { topic: 'rules', path: 'docs/guide/rules.md', group: 'Write policy' },
  { topic: 'hosts', path: 'docs/hosts/README.md', group: 'Reference' },
  { topic: 'safety/git/force-push', path: 'docs/guards/safety/git/force-push.md', group: 'Guards' },
]
const HERE = { path: 'docs/guide/here.md' }
const plain = (markdown: string, columns = 80) =>
  renderPage(markdown, viewOf(HERE, PAGES, { columns, isColoured: false }))
const coloured = (markdown: string) =>
  renderPage(markdown, viewOf(HERE, PAGES, { columns: 80, isColoured: true }))

describe('a page as plain text', () => {
  it.each([
    ['headings', '# One\n## Two\n### Three', 'One\n===\n\nTwo\n---\n\n### Three\n'],
    ['a paragraph with its newlines as spaces', 'a\nb\nc', 'a b c\n'],
    ['a line break that the author wrote', 'a  \nb<br>c', 'a\nb\nc\n'],
    ['emphasis without marks, code in backquotes', '**a** *b* ~~c~~ `d e`', 'a b c `d e`\n'],
    ['code unchanged', '```ts\nif (a) {\n\n\tb()\n}\n```', '    if (a) {\n\n        b()\n    }\n'],
    ['a list', '- a\n- b\n\nc', '- a\n- b\n\nc\n'],
    ['a numbered list', '9. a\n10. b', '9. a\n10. b\n'],
    ['lists in lists', '- a\n  - b\n    1. c\n- d', '- a\n  - b\n    1. c\n- d\n'],
    ['items of several paragraphs', '- a\n\n  b\n- c', '- a\n\n  b\n\n- c\n'],
    ['tasks', '- [x] a\n- [ ] b', '- [x] a\n- [ ] b\n'],
    ['a quotation', '> a\n>\n> b', '│ a\n│\n│ b\n'],
    ['an image as its text', '![The report](report.png)', 'The report\n'],
    ['character references', 'a &lt;b&gt; &amp; c &#65; `&lt;`', 'a <b> & c A `&lt;`\n'],
    ['escaped marks', '\\*a\\*', '*a*\n'],
    ['no tags and no comments', '<!-- note -->\n\n<p>a</p>\n\nb <kbd>c</kbd>', 'a\n\nb c\n'],
    ['nothing', '', '\n'],
  ])('shows %s', (_name, markdown, text) => {
    expect(plain(markdown)).toBe(text)
  })

  it.each([
    ['another page', '[Rules](rules.md)', 'Rules (holdpoint docs rules)'],
    ['a heading on another page', '[Rules](./rules.md#when)', 'Rules (holdpoint docs rules)'],
    ['the page of a folder', '[Hosts](../hosts/)', 'Hosts (holdpoint docs hosts)'],
    [
      'a guard by its id',
      '[`safety/git/force-push`](../guards/safety/git/force-push.md)',
      '`safety/git/force-push`',
    ],
    [
      'a guard by other words',
      '[this](../guards/safety/git/force-push.md)',
      'this (holdpoint docs safety/git/force-push)',
    ],
    ['a file that is not a page', '[models](../../src/models)', 'models (src/models)'],
    ['a heading on this page', '[below](#below)', 'below'],
    ['a site', '[Node](https://nodejs.org)', 'Node (https://nodejs.org)'],
    ['a link whose text is its address', '<https://nodejs.org>', 'https://nodejs.org'],
  ])('a link to %s', (_name, markdown, text) => {
    expect(plain(markdown)).toBe(`${text}\n`)
  })

  it('keeps the command of a link on one line', () => {
    expect(plain('See the long page about all of them: [Rules](rules.md).', 40)).toBe(
      'See the long page about all of them:\nRules (holdpoint docs rules).\n',
    )
  })

  it('indents wrapped lines, and does not break long words', () => {
    const text = plain(`- ${'word '.repeat(12)}https://example.com/${'x'.repeat(60)}`, 40)
    expect(text.split('\n').slice(0, 2)).toEqual([
      '- word word word word word word word',
      '  word word word word word',
    ])
    expect(text).toContain(`  https://example.com/${'x'.repeat(60)}\n`)
  })
})

describe('a table', () => {
  const TABLE = '| name | what it does |\n|---|---|\n| `a` | one two three |\n| b | four |\n'

  it('has columns as wide as they need to be', () => {
    expect(plain(TABLE)).toBe(
      ['name  what it does', '────  ─────────────', '`a`   one two three', 'b     four', ''].join('\n'),
    )
  })

  it('wraps cells, and separates rows that have several lines', () => {
    const text = plain(`| name | what |\n|---|---|\n| abc | ${'word '.repeat(14)}|\n| d | e |\n`, 60)
    expect(text.split('\n').slice(2)).toEqual([
      `abc   ${'word '.repeat(11).trim()}`,
      `      ${'word '.repeat(3).trim()}`,
      '',
      'd     e',
      '',
    ])
  })

  it('below 60 columns is printed as one block a row', () => {
    expect(plain(TABLE, 59)).toBe(
      ['name: `a`', 'what it does: one two three', '', 'name: b', 'what it does: four', ''].join('\n'),
    )
  })

  it('with too many columns is printed as blocks too', () => {
    const cells = (text: string) => `|${` ${text} |`.repeat(12)}\n`
    const text = plain(`${cells('name')}${cells('---')}${cells('several words in a cell')}`, 60)
    expect(text).toContain('name: several words in a cell\nname: several')
  })

  it('aligns numbers as the page says', () => {
    expect(plain('| a | count |\n|---|---:|\n| b | 7 |')).toContain('b      7\n')
  })
})

describe('a page with colours', () => {
  it('colours code, bold and links, and needs no backquotes', () => {
    const text = coloured('**a b** `c` [d](rules.md)')
    expect(text).toBe(
      '\u001b[1ma b\u001b[22m \u001b[36mc\u001b[39m \u001b[4md\u001b[24m \u001b[2m(holdpoint docs rules)\u001b[22m\n',
    )
  })
})

describe('control characters', () => {
  it.each([
    ['in text', 'a\u001b[31mb\u0007', 'a[31mb'],
    ['as references', 'a&#27;[31mb&#x1b;', 'a[31mb'],
    ['in code', '`a\u009bb`', '`ab`'],
    ['in a target', '[a](http://x/\u202eb)', 'a (http://x/b)'],
    ['of direction or without width', 'a\u202eb\u200bc', 'abc'],
  ])('are removed %s', (_name, markdown, text) => {
    expect(plain(markdown)).toBe(`${text}\n`)
  })

  it('are removed in code blocks, except newlines and tabs', () => {
    expect(plain('```\na\u001b]0;x\u0007\r\n\tb\n```')).toBe('    a]0;x\n        b\n')
  })
})

describe('the pages of this package', () => {
  const library = openLibrary()

  it.each([40, 59, 60, 80, 100])('fit a terminal of %i columns', (columns) => {
    const sticksOut = library.pages.flatMap((page) => {
      const text = renderPage(library.read(page), viewOf(page, library.pages, { columns, isColoured: false }))
      return text
        .split('\n')
        .filter((line) => cellsOf(line) > columns)
        .filter((line) => !line.includes('    ') && line.trim().split(' ').length > 2)
        .map((line) => `${page.topic}: ${line}`)
    })
    expect(sticksOut).toEqual([])
  })
})
