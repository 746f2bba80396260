import { describe, expect, it } from 'vitest'
import { commandFault, lastWords } from './command-fault.ts'

describe('the last output of a command', () => {
  it('is its last lines, without colors, blank lines and control characters', () => {
    const output = Array.from({ length: 40 }, (_, i) => `\u001b[31mline ${i}\u001b[0m\n\n`).join('')
    const lines = lastWords(`${output}\u001b]0;title\u0007end\u0000\r\n`).split('\n')
    expect(lines).toHaveLength(12)
    expect(lines[0]).toBe('line 29')
    expect(lines.at(-1)).toBe('end')
  })

  it('has no overlong line', () => {
    expect(lastWords('x'.repeat(10_000))).toBe(`${'x'.repeat(200)}…`)
    expect(lastWords('')).toBe('')
  })

  it('is found quickly in a large output', () => {
    for (const text of ['\u001b['.repeat(50_000), '\u001b]'.repeat(50_000), `\u001b[${'0;'.repeat(50_000)}`])
      lastWords(text)
  })
})

describe('a command that must succeed', () => {
  it.each([
    [
      { kind: 'failed', how: 'exited with code 1', said: 'a\nb' },
      '`t` must succeed: it exited with code 1. Last output:\n    a\n    b',
    ],
    [{ kind: 'failed', how: 'was ended by SIGKILL', said: '' }, '`t` must succeed: it was ended by SIGKILL.'],
    [
      { kind: 'late', whose: 'own', afterMs: 5_200, said: '' },
      '`t` must succeed: it was stopped after 5 s, its time limit.',
    ],
    [
      { kind: 'untrusted' },
      '`t` must succeed, but it is not trusted and was not run. A person has to read it and run `holdpoint trust`.',
    ],
    [{ kind: 'not run' }, '`t` must succeed: there was no time left to run it after the commands above.'],
  ] as const)('%j', (ran, fault) => {
    expect(commandFault('t', ran)).toBe(fault)
  })

  it('says what happens if the time of the event is over', () => {
    const fault = commandFault('t', { kind: 'late', whose: 'event', afterMs: 288_000, said: '' })
    expect(fault).toContain('stopped after 288 s')
    expect(fault).toContain('This counts as failed')
  })

  it('is no fault after it succeeded, and is a fault while the result is unknown', () => {
    expect(commandFault('t', { kind: 'succeeded' })).toBeUndefined()
    expect(commandFault('t', undefined)).toContain('must succeed')
  })
})
