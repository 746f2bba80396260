import { expect, test } from 'vitest'
import { codeOnly } from './scan.ts'
import { readTree } from './tree.ts'

/** They read one kind of hook as data, for those who show it, change it or count it. */
const READERS = ['src/core/guard-run.ts', 'src/core/rule.ts', 'src/policy/completion/contract.ts']

test('only handlers know which handler runs a hook: everyone else asks what it says about itself', () => {
  const files = readTree(['src'], (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const asking = [...files]
    .filter(([path]) => !path.startsWith('src/handlers/'))
    .filter(([, text]) => /\brun\.type\s*[!=]==?|\.has\(\s*(?:\w+\.)?run\.type\s*\)/.test(codeOnly(text)))
    .map(([path]) => path)
  expect(asking.filter((path) => path !== 'src/library/read-registration.ts').sort()).toEqual(READERS)
})
