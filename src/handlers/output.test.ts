import { describe, expect, it } from 'vitest'
import { bash, eventOf } from '../library/testing/events.ts'
import { type ProgramOutput, readOutput } from './output.ts'

const ended = (more: Partial<ProgramOutput>): ProgramOutput => ({
  stdout: '',
  stderr: '',
  exitCode: 0,
  signal: null,
  ...more,
})
const DENY = '{"decision":"block","reason":"no"}'

describe('the result of a program', () => {
  it.each<[string, Partial<ProgramOutput>, object | null]>([
    ['exit 0 and nothing: no opinion', {}, null],
    ['exit 0 and blank', { stdout: ' \n' }, null],
    ['exit 0 and JSON', { stdout: DENY }, { effect: 'deny', reason: 'no' }],
    [
      'exit 2 denies with its text',
      { exitCode: 2, stderr: 'not this\n' },
      { effect: 'deny', reason: 'not this' },
    ],
    [
      'exit 2 denies whatever was printed',
      { exitCode: 2, stdout: '{"decision":"approve"}', stderr: 'no' },
      { effect: 'deny', reason: 'no' },
    ],
    ['exit 2 with broken JSON still denies', { exitCode: 2, stdout: '{"dec' }, { effect: 'deny' }],
    [
      'exit 2 without output still has a reason',
      { exitCode: 2 },
      { effect: 'deny', reason: expect.stringContaining('code 2') },
    ],
    [
      'exit 1 is a crash',
      { exitCode: 1, stderr: 'Traceback\nValueError: x' },
      { failure: 'crash', message: expect.stringContaining('ValueError: x') },
    ],
    ['exit 1 with a deny denies', { exitCode: 1, stdout: DENY }, { effect: 'deny', reason: 'no' }],
    [
      'exit 1 with an allow is a crash',
      { exitCode: 1, stdout: '{"decision":"approve"}' },
      { failure: 'crash' },
    ],
    [
      'a signal is a crash',
      { exitCode: null, signal: 'SIGSEGV' },
      { failure: 'crash', message: expect.stringContaining('SIGSEGV') },
    ],
    ['broken JSON', { stdout: '{"decision":' }, { failure: 'invalidOutput' }],
    ['text', { stdout: 'all good!' }, { failure: 'invalidOutput' }],
    ['a list', { stdout: '[1]' }, { failure: 'invalidOutput' }],
    ['an unknown word', { stdout: '{"decision":"perhaps"}' }, { failure: 'invalidOutput' }],
  ])('%s', (_name, output, expected) => {
    const read = readOutput(ended(output), bash('ls'), 'claude')
    if (expected === null) expect(read).toBeNull()
    else expect(read).toMatchObject(expected)
  })

  it.each(['UserPromptSubmit', 'UserPromptExpansion', 'SessionStart'] as const)(
    'text at %s is context',
    (kind) => {
      const read = readOutput(ended({ stdout: 'remember this\n' }), eventOf(kind), 'claude')
      expect(read).toEqual({ effect: 'pass', context: [{ text: 'remember this', to: 'self' }] })
    },
  )
})
