import { describe, expect, it } from 'vitest'
import { commandFault, lastWords } from './ran.ts'

describe('what a command said last', () => {
  it('is its last lines, without colours, blank lines and control characters', () => {
    const output = Array.from({ length: 40 }, (_, i) => `\u001b[31mline ${i}\u001b[0m\n\n`).join('')
    const lines = lastWords(`${output}\u001b]0;title\u0007end\u0000\r\n`).split('\n')
    expect(lines).toHaveLength(12)
    expect(lines[0]).toBe('line 29')
    expect(lines.at(-1)).toBe('end')
  })

  it('has no line that fills a page', () => {
    expect(lastWords('x'.repeat(10_000))).toBe(`${'x'.repeat(200)}…`)
    expect(lastWords('')).toBe('')
  })

  it('is found in time', () => {
    for (const text of ['\u001b['.repeat(50_000), '\u001b]'.repeat(50_000), `\u001b[${'0;'.repeat(50_000)}`])
      lastWords(text)
  })
})

describe('a command that must succeed', () => {
  it.each([
    [
      { is: 'failed', how: 'exited with code 1', said: 'a\nb' },
      '`t` must succeed: it exited with code 1. It said last:\n    a\n    b',
    ],
    [{ is: 'failed', how: 'was ended by SIGKILL', said: '' }, '`t` must succeed: it was ended by SIGKILL.'],
    [
      { is: 'late', whose: 'own', afterMs: 5_200, said: '' },
      '`t` must succeed: it was stopped after 5 s, its limit.',
    ],
    [
      { is: 'untrusted' },
      '`t` must succeed, and it may not run: a person has to read it and run `holdpoint trust`.',
    ],
    [{ is: 'not run' }, '`t` must succeed: there was no time left to run it after what stands above.'],
  ] as const)('%j', (ran, fault) => {
    expect(commandFault('t', ran)).toBe(fault)
  })

  it('says what happens when the time of the event itself is up', () => {
    const fault = commandFault('t', { is: 'late', whose: 'event', afterMs: 288_000, said: '' })
    expect(fault).toContain('stopped after 288 s')
    expect(fault).toContain('that counts as not succeeded')
  })

  it('is no fault once it has, and one while nobody knows', () => {
    expect(commandFault('t', { is: 'succeeded' })).toBeUndefined()
    expect(commandFault('t', undefined)).toContain('must succeed')
  })
})
