import { expect, test } from 'vitest'
import { matcherReader } from './matcher.ts'

test.each([
  ['(', 'never matches anything'],
  ['mcp__github', 'is the name of a server'],
  ['^(?!Read$)', 'slower regex engine'],
])('an imported matcher %j is read as in its own program, with a warning', (text, warning) => {
  const result = matcherReader()(text, 'claude')
  expect(result.ok && result.value.warning).toContain(warning)
})

test.each(['Bash', '*', '', 'mcp__.*', 'mcp__a__b', 'Edit.*'])('there is no warning about %j', (text) => {
  expect(matcherReader()(text, 'claude')).not.toHaveProperty('value.warning')
})

test('the same text in another syntax is a different matcher', () => {
  const readMatcher = matcherReader()
  expect(readMatcher('mcp__*', 'auto')).toMatchObject({ value: { pattern: { kind: 'glob' } } })
  expect(readMatcher('mcp__*', 'claude')).toMatchObject({ value: { pattern: { kind: 'regex' } } })
})
