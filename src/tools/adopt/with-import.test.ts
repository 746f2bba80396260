import { expect, test } from 'vitest'
import { withImport, withoutImport } from './with-import.ts'

const FILE = '.holdpoint/adopted.json'
const ENTRY = `{ source: claude-settings, file: ${FILE} }`

test.each([
  [undefined, `version: 1\nimports:\n  - ${ENTRY}\n`],
  ['', `version: 1\nimports:\n  - ${ENTRY}\n`],
  ['# ours\nversion: 1 # one\n', `# ours\nversion: 1 # one\nimports:\n  - ${ENTRY}\n`],
  [
    'version: 1\nimports:\n  - frontmatter # all\n',
    `version: 1\nimports:\n  - frontmatter # all\n  - ${ENTRY}\n`,
  ],
  ['version: 1\nimports:\n', `version: 1\nimports:\n  - ${ENTRY}\n`],
])('%j gets the import', (text, expected) => {
  expect(withImport(text, FILE)).toEqual({ ok: true, value: expected })
  // Adding the import again changes nothing.
  expect(withImport(expected, FILE)).toEqual({ ok: true, value: expected })
})

test.each([
  [`version: 1\nimports:\n  - ${ENTRY}\n`, undefined],
  [`# ours\nversion: 1\nimports:\n  - ${ENTRY}\n`, '# ours\nversion: 1\n'],
  [`version: 1\nimports:\n  - frontmatter\n  - ${ENTRY}\n`, 'version: 1\nimports:\n  - frontmatter\n'],
  ['version: 1\n', 'version: 1\n'],
])('%j loses the import', (text, expected) => {
  expect(withoutImport(text, FILE)).toEqual({ ok: true, value: expected })
})

test.each(['a: [', 'version: 1\nimports: 7\n'])('%j cannot get the import', (text) => {
  expect(withImport(text, FILE).ok).toBe(false)
})
