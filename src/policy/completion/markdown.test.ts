import { describe, expect, it } from 'vitest'
import { missingHeadings, proseLines } from './markdown.ts'

const has = (text: string, heading = 'What I did') => missingHeadings(text, [heading]).length === 0

describe('a heading', () => {
  it.each([
    '# What I did',
    '## What I did',
    '###### What I did',
    '   ## What I did',
    '## What I did ##',
    '## what I DID',
    '## What I did:',
    '## What I did: the parser',
    '## What I did (today)',
    '## What I did — and why',
    '## 1. What I did',
    '## **What I did**',
    '##\tWhat I did',
    '## What  I   did',
    '**What I did**',
    '**What I did:** wrote the parser',
    '**What I did**: wrote the parser',
    '__What I did__',
    'What I did\n==========',
    'What I did\n---',
    'before\r\n## What I did\r\nafter',
    '```\ncode\n```\n## What I did',
    '~~~\n```\n~~~\n## What I did',
    '```js inline```\n## What I did',
    '<!-- a note -->\n## What I did',
    '<!--\nnote\n-->\n## What I did',
    '\uFEFF## What I did',
  ])('%j is a heading', (text) => {
    expect(has(text)).toBe(true)
  })

  it.each([
    '',
    'What I did',
    'I will write What I did later',
    '#What I did',
    '####### What I did',
    '    ## What I did',
    '\t## What I did',
    '- **What I did**',
    'so **What I did** was',
    '> ## What I did',
    "## What I didn't do",
    '## What I did not finish',
    '## Not what I did',
    '**What I did',
    '```\n## What I did\n```',
    '```\n## What I did',
    '~~~~\n## What I did\n~~~\n',
    '````\n```\n## What I did\n````',
    '   ```md\n## What I did\n   ```',
    '<!--\n## What I did\n-->',
    '<!-- ## What I did -->',
    '| What I did |\n|---|',
  ])('%j is not a heading', (text) => {
    expect(has(text)).toBe(false)
  })

  it('is reported if it is missing, in the required order', () => {
    expect(missingHeadings('## B', ['C', 'B', 'A'])).toEqual(['C', 'A'])
  })

  it('may contain special characters', () => {
    expect(has('## Open questions (for all)?', 'Open questions (for all)?')).toBe(true)
    expect(has('## C++ notes', 'C++')).toBe(false)
    expect(has('## C++', 'C++')).toBe(true)
  })
})

describe('prose in Markdown', () => {
  it('is every line that is not code or a comment', () => {
    expect(proseLines('a\n```\nb\n```\nc <!-- d\ne\n--> f\ng')).toEqual([
      'a',
      '',
      '',
      '',
      'c <!-- d',
      '',
      '',
      'g',
    ])
  })

  it('is found quickly in any text', () => {
    for (const text of [
      '`'.repeat(200_000),
      '# '.repeat(200_000),
      '**'.repeat(200_000),
      ' '.repeat(200_000),
      '<!--'.repeat(100_000),
      '\n```'.repeat(100_000),
    ]) {
      expect(missingHeadings(text, ['What I did'])).toEqual(['What I did'])
    }
  })
})
