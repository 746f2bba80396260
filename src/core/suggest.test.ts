import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const WORDS = ['deny', 'ask', 'warn', 'off']

test.each([
  ['dney', WORDS, 'deny'],
  ['Deny', WORDS, 'deny'],
  ['denyy', WORDS, 'deny'],
  ['block', WORDS, 'deny'],
  ['askFirst', WORDS, 'ask'],
  ['false', WORDS, 'off'],
  ['ignore', WORDS, 'off'],
  ['ignore', ['deny', 'pass'], 'pass'],
  ['block', ['on', 'off'], undefined],
  ['constructor', WORDS, undefined],
  ['__proto__', WORDS, undefined],
  ['', WORDS, undefined],
  ['xyz', WORDS, undefined],
  ['PreTolUse', ['PreToolUse', 'PostToolUse'], 'PreToolUse'],
  ['tool', ['toolName', 'agentType'], 'toolName'],
  ['agent', ['agentName', 'agentType'], undefined],
  ['de', WORDS, undefined],
  [`deny${'x'.repeat(100)}`, WORDS, undefined],
  ['deny', [], undefined],
])('%s in %j: %s', (word, accepted, expected) => {
  expect(suggest(word, accepted)).toBe(expected)
})
