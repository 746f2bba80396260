import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDirective, normalise } from './phrase.ts'

const to = (text: string) => findDirective(text)?.to

describe('the handoff phrase (R-002-32, R-002-33, R-002-99)', () => {
  it.each([
    ['Use the unit-testing-agent subagent to test it.', 'unit-testing-agent'],
    ['use the unit-testing-agent subagent to test it', 'unit-testing-agent'],
    ['USE THE Foo-Agent SUBAGENT TO test', 'Foo-Agent'],
    ['All done. Use the a_b2 subagent to go on.', 'a_b2'],
    ['Please use the research-agent sub-agent to look it up.', 'research-agent'],
    ['You should now use the research-agent subagent to look.', 'research-agent'],
    ['Use the `research-agent` subagent to look.', 'research-agent'],
    ['Use the "research-agent" subagent to look.', 'research-agent'],
    ['Use the @research-agent subagent to look.', 'research-agent'],
    ['**Use the research-agent subagent to look.**', 'research-agent'],
    ['Use the **research-agent** subagent to look.', 'research-agent'],
    ['Next:\n\n- Use the research-agent subagent to look.', 'research-agent'],
    ['Use the\nresearch-agent\n  subagent   to look.', 'research-agent'],
    ['The tests do not pass, use the unit-testing-agent subagent to fix them.', 'unit-testing-agent'],
    ['I could not finish this; use the research-agent subagent to look.', 'research-agent'],
    ["It doesn't compile. Use the research-agent subagent to look.", 'research-agent'],
    ['Use the a-1 subagent to start, then use the b-2 subagent to end.', 'b-2'],
    ['It does not say "stop." Use the research-agent subagent to look.', 'research-agent'],
    ['When it is built, use the research-agent subagent to look.', 'research-agent'],
  ])('%j hands over to %s', (text, name) => {
    expect(to(text)).toBe(name)
  })

  it.each([
    '\u2010',
    '\u2011',
    '\u2012',
    '\u2013',
    '\u2014',
    '\u2015',
    '\u2212',
    '\ufe58',
    '\ufe63',
    '\uff0d',
  ])('treats %j as a dash (R-002-29, R-002-98)', (dash) => {
    expect(to(`Use the unit${dash}testing${dash}agent subagent to test.`)).toBe('unit-testing-agent')
  })

  it('handles other kinds of spaces and full-width letters', () => {
    expect(to('Use\u00a0the unit-\u200btesting-agent\u2003subagent to test.')).toBe('unit-testing-agent')
    expect(to('Use the unit\u00ad-testing-agent subagent to test.')).toBe('unit-testing-agent')
    expect(to('Ｕｓｅ the research-agent subagent to test.')).toBe('research-agent')
  })

  it.each([
    'Do not use the a-b subagent to test.',
    "Don't use the a-b subagent to test.",
    'Don’t use the a-b subagent to test.',
    'Never use the a-b subagent to test.',
    'Do not "ever" use the a-b subagent to test.',
    'Use the "a b" subagent to test.',
    'There is no need to use the a-b subagent to test.',
    'You need not use the a-b subagent to test.',
    'You do not have to use the a-b subagent to test.',
    'Run it rather than use the a-b subagent to test.',
    'We cannot use the a-b subagent to test.',
    'Should I use the a-b subagent to test?',
    'If it fails, use the a-b subagent to test.',
    'We use the a-b subagent to test.',
    'I did use the a-b subagent to test.',
    'I used the a-b subagent to test.',
    'The document explains how to use the a-b subagent to test.',
    'The rule says "Use the a-b subagent to test".',
    'The rule says “Use the a-b subagent to test”.',
    "The rule says 'Use the a-b subagent to test'.",
    'Write `Use the a-b subagent to test` at the end.',
    '```\nUse the a-b subagent to test.\n```',
    '~~~text\nUse the a-b subagent to test.\n~~~',
    '    Use the a-b subagent to test.',
    '> Use the a-b subagent to test.',
    '<!-- Use the a-b subagent to test. -->',
    'Use the a-b agent to test.',
    'Use the next subagent to test.',
    'Use the same subagent to test.',
    'Reuse the a-b subagent to test.',
    'Use the subagent to test.',
    '',
  ])('%j is not a handoff (R-002-31)', (text) => {
    expect(to(text)).toBeUndefined()
  })

  it('keeps the task up to the end of the sentence', () => {
    expect(findDirective('Use the a-b subagent to test v1.2 of it. Bye.')).toEqual({
      to: 'a-b',
      task: 'test v1.2 of it',
    })
    expect(
      findDirective('**Use the a-b subagent to run `npm test -- *.spec` and fix "it. Now", *soon*.** Bye.'),
    ).toEqual({ to: 'a-b', task: 'run `npm test -- *.spec` and fix "it. Now", soon' })
  })

  it('accepts ROUTE TO and HANDOFF TO only if the option is set', () => {
    expect(findDirective('ROUTE TO: @research-agent')).toBeUndefined()
    expect(findDirective('ROUTE TO: @research-agent', true)?.to).toBe('research-agent')
    expect(findDirective('Done.\n\nHANDOFF TO: unit-testing-agent', true)?.to).toBe('unit-testing-agent')
  })

  it('the handoff phrase reader never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void findDirective(text, true)))
  })

  it.each([
    ['quotes nobody closes', 'use the '.repeat(50_000) + '"'.repeat(50_000) + "'".repeat(50_001)],
    ['a word before another, many times', `${'not '.repeat(50_000)}use the a-b subagent to x`],
    ['many beginnings', 'use the a-b subagent to. '.repeat(8_000)],
  ])('reads %s before the test timeout', (_name, text) => {
    expect(() => findDirective(text, true)).not.toThrow()
  })

  it('normalising twice gives the same text as normalising once', () => {
    fc.assert(fc.property(fc.string(), (text) => normalise(normalise(text)) === normalise(text)))
  })
})
