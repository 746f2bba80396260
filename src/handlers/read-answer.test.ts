import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { readAnswer, type Speaker } from './read-answer.ts'

const CASES: readonly [name: string, spoken: JsonObject, read: object | null][] = [
  // Claude Code
  [
    'claude deny',
    { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } },
    { effect: 'deny', reason: 'no' },
  ],
  [
    'claude ask',
    { hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'sure?' } },
    { effect: 'ask', reason: 'sure?' },
  ],
  ['claude allow', { hookSpecificOutput: { permissionDecision: 'allow' } }, { effect: 'allow' }],
  ['claude defer', { hookSpecificOutput: { permissionDecision: 'defer' } }, { effect: 'ask' }],
  ['claude legacy block', { decision: 'block', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  ['claude legacy approve', { decision: 'approve' }, { effect: 'allow' }],
  [
    'claude permission request',
    { hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } },
    { effect: 'deny', reason: 'no' },
  ],
  [
    'claude rewrite',
    { hookSpecificOutput: { updatedInput: { command: 'ls' } } },
    { effect: 'pass', rewrite: { command: 'ls' } },
  ],
  [
    'claude context',
    { hookSpecificOutput: { additionalContext: 'hi' } },
    { effect: 'pass', context: [{ text: 'hi', to: 'self' }] },
  ],
  ['claude output', { hookSpecificOutput: { updatedToolOutput: 'x' } }, { effect: 'pass', output: 'x' }],
  ['claude stop', { continue: false, stopReason: 'enough' }, { effect: 'pass', halt: 'enough' }],
  ['claude notice', { systemMessage: 'look' }, { effect: 'pass', notices: ['look'] }],
  // MUX
  ['mux allow', { permissionDecision: 'allow' }, { effect: 'allow' }],
  ['mux deny', { permissionDecision: 'deny', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  ['mux askFirst', { permissionDecision: 'askFirst', reason: 'hm' }, { effect: 'ask', reason: 'hm' }],
  // MUX legacy
  ['legacy allow is fine, not a grant (R-001-10)', { action: 'allow' }, null],
  ['legacy block (R-001-11)', { action: 'block', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  // Collective
  ['collective allow', { decision: 'allow' }, null],
  ['collective block', { decision: 'block', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  ['collective warn', { decision: 'warn', message: 'careful' }, { effect: 'pass', notices: ['careful'] }],
  [
    'collective fail',
    { decision: 'fail', error: 'broken' },
    { effect: 'deny', reason: 'broken', halt: 'broken' },
  ],
  // MassGen
  ['massgen allow', { allowed: true, decision: 'allow' }, null],
  ['massgen deny', { allowed: false, decision: 'deny', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  ['massgen ask', { allowed: true, decision: 'ask', reason: 'hm' }, { effect: 'ask', reason: 'hm' }],
  ['massgen allowed: false alone', { allowed: false }, { effect: 'deny' }],
  ['massgen rewrite', { updated_input: { a: 1 } }, { effect: 'pass', rewrite: { a: 1 } }],
  [
    'massgen inject',
    { inject: { content: 'x', strategy: 'user_message' } },
    { effect: 'pass', context: [{ text: 'x', to: 'self', strategy: 'user_message' }] },
  ],
  [
    'massgen inject without a strategy',
    { inject: { content: 'x' } },
    { effect: 'pass', context: [{ text: 'x', to: 'self', strategy: 'tool_result' }] },
  ],
  ['massgen inject of nothing', { inject: { content: '' } }, null],
  ['massgen rewrite as text', { modified_args: '{"a":1}' }, { effect: 'pass', rewrite: { a: 1 } }],
  [
    'massgen rewrite in both words',
    { updated_input: { a: 1 }, modified_args: '{}' },
    { effect: 'pass', rewrite: { a: 1 } },
  ],
  [
    'massgen errors inside a hook',
    { allowed: true, hook_errors: ['late'] },
    { effect: 'pass', detail: { hook_errors: ['late'] } },
  ],
  // Ours
  ['our own words', { effect: 'deny', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  // Several keys: the strictest counts
  ['contradiction', { allowed: false, decision: 'allow', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  ['nothing', {}, null],
  [
    'unknown keys beside known ones',
    { hello: 'world', systemMessage: 'x' },
    { effect: 'pass', notices: ['x'] },
  ],
  ['a decision in another place', { hookSpecificOutput: { allowed: false } }, { effect: 'deny' }],
  ['a bare behavior', { behavior: 'deny', message: 'no' }, { effect: 'deny', reason: 'no' }],
  ['nulls', { decision: null, reason: null, updated_input: null, inject: null }, null],
]

const WRONG: readonly [name: string, spoken: JsonObject][] = [
  ['an unknown permissionDecision', { hookSpecificOutput: { permissionDecision: 'maybe' } }],
  ['an unknown decision', { decision: 'yes' }],
  ['another case', { decision: 'Block' }],
  ['an unknown action', { action: 'stop' }],
  ['a decision that is not a text', { decision: 7 }],
  ['an allowed that is not true or false', { allowed: 'no' }],
  ['a hookSpecificOutput that is not an object', { hookSpecificOutput: 'deny' }],
  ['an updatedInput that is not an object', { hookSpecificOutput: { updatedInput: 'ls' } }],
  ['an additionalContext that is not a text', { hookSpecificOutput: { additionalContext: 4 } }],
  ['an inject without content', { inject: { strategy: 'tool_result' } }],
  ['an inject with an unknown strategy', { inject: { content: 'x', strategy: 'shout' } }],
  ['a rewrite as text that is not an object', { allowed: true, modified_args: 'ls' }],
  ['a rewrite as text that is a list', { modified_args: '[]' }],
  ['errors that are not texts', { hook_errors: [1] }],
  ['no known key', { hello: 'world' }],
  ['a misspelled key', { permisionDecision: 'deny' }],
  ['only an error', { error: 'boom' }],
  ['a decision object of another shape', { decision: { effect: 'deny' } }],
  ['an unknown behavior', { decision: { behavior: 'perhaps' } }],
]

describe('an answer', () => {
  it.each(CASES)('is read as expected: %s', (_name, spoken, read) => {
    expect(readAnswer(spoken, { kind: 'program' })).toEqual(read)
  })

  it('of a guard is permissionDecision with allow, deny or askFirst; an unknown word fails (R-000-14)', () => {
    const read = (word: string) =>
      [
        { permissionDecision: word, reason: 'why' },
        { hookSpecificOutput: { permissionDecision: word, permissionDecisionReason: 'why' } },
      ].map((spoken) => readAnswer(spoken, { kind: 'program' }))
    expect(read('allow')).toMatchObject([{ effect: 'allow' }, { effect: 'allow' }])
    expect(read('deny')).toMatchObject(Array(2).fill({ effect: 'deny', reason: 'why' }))
    expect(read('askFirst')).toMatchObject(Array(2).fill({ effect: 'ask', reason: 'why' }))
    for (const word of ['ask_first', 'ASKFIRST', 'yes']) {
      expect(read(word)).toMatchObject(Array(2).fill({ failure: 'invalidOutput' }))
    }
  })

  it.each(WRONG)('with %s is a failure, never an allow', (_name, spoken) => {
    expect(readAnswer(spoken, { kind: 'program' })).toMatchObject({ failure: 'invalidOutput' })
  })
})

describe('an answer to a hook of MassGen', () => {
  const function_: Speaker = { kind: 'function', protocol: 'massgen' }
  const program: Speaker = { kind: 'program', protocol: 'massgen' }
  const texts = { tool_result: ['a', 'c'], user_message: ['b'] }

  it.each<[string, unknown, object | null]>([
    ['yes', true, null],
    ['no', false, { effect: 'deny' }],
    ['a result', { allowed: false, reason: 'no' }, { effect: 'deny', reason: 'no' }],
    ['the format of other hosts', { permissionDecision: 'ask' }, { effect: 'ask' }],
    [
      'texts of several hooks, each with its strategy',
      { inject: { content: 'a\nb\nc', strategy: 'tool_result', by_strategy: texts } },
      {
        effect: 'pass',
        context: [
          { text: 'a', to: 'self', strategy: 'tool_result' },
          { text: 'c', to: 'self', strategy: 'tool_result' },
          { text: 'b', to: 'self', strategy: 'user_message' },
        ],
      },
    ],
  ])('%s means the same from a function and from a program', (_name, said, read) => {
    expect(readAnswer(said, function_)).toEqual(read)
    expect(readAnswer(said, program)).toEqual(read)
  })

  it('may be a full answer, or in the short form', () => {
    const whole = { effect: 'pass', remember: [{ op: 'count', key: 'n', by: 1 }] }
    expect(readAnswer(whole, function_)).toEqual(whole)
    expect(readAnswer({ deny: 'why' }, function_)).toEqual({ effect: 'deny', reason: 'why' })
  })

  it('is read as a result, also with a key that is a short form elsewhere', () => {
    expect(readAnswer({ allowed: false, context: { team: 'x' } }, function_)).toEqual({ effect: 'deny' })
  })

  it.each<[string, unknown]>([
    ['a reason alone', { reason: 'x' }],
    ['texts with an unknown strategy', { inject: { content: 'x', by_strategy: { shout: ['x'] } } }],
    ['a number', 0],
  ])('with %s is a failure', (_name, said) => {
    expect(readAnswer(said, function_)).toMatchObject({ failure: 'invalidOutput' })
    expect(readAnswer(said, program)).toMatchObject({ failure: 'invalidOutput' })
  })
})

it.each<Speaker>([{ kind: 'function' }, { kind: 'program', protocol: 'claude' }])(
  'true and false are answers only in MassGen: %j',
  (speaker) => {
    for (const said of [true, false]) {
      expect(readAnswer(said, speaker)).toMatchObject({ failure: 'invalidOutput' })
    }
  },
)
