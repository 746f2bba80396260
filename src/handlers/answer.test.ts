import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json.ts'
import { readAnswer } from './answer.ts'

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
  // MUX (R-000-14)
  ['mux allow', { permissionDecision: 'allow' }, { effect: 'allow' }],
  ['mux deny', { permissionDecision: 'deny', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  ['mux askFirst', { permissionDecision: 'askFirst', reason: 'hm' }, { effect: 'ask', reason: 'hm' }],
  // MUX legacy (R-001-10, R-001-11)
  ['legacy allow is fine, not a grant', { action: 'allow' }, null],
  ['legacy block', { action: 'block', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  // Collective (R-002-45, R-002-46, R-002-47, R-002-48)
  ['collective allow', { decision: 'allow' }, null],
  ['collective block', { decision: 'block', reason: 'no' }, { effect: 'deny', reason: 'no' }],
  ['collective warn', { decision: 'warn', message: 'careful' }, { effect: 'pass', notices: ['careful'] }],
  [
    'collective fail',
    { decision: 'fail', error: 'broken' },
    { effect: 'deny', reason: 'broken', halt: 'broken' },
  ],
  // MassGen (R-004-21)
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
  ['a decision that is no word', { decision: 7 }],
  ['allowed that is no truth value', { allowed: 'no' }],
  ['a hookSpecificOutput that is no object', { hookSpecificOutput: 'deny' }],
  ['an updatedInput that is no object', { hookSpecificOutput: { updatedInput: 'ls' } }],
  ['an additionalContext that is no text', { hookSpecificOutput: { additionalContext: 4 } }],
  ['an inject without content', { inject: { strategy: 'tool_result' } }],
  ['an inject with a strategy nobody knows', { inject: { content: 'x', strategy: 'shout' } }],
  ['a rewrite as text that is no object', { allowed: true, modified_args: 'ls' }],
  ['a rewrite as text that is a list', { modified_args: '[]' }],
  ['errors that are no texts', { hook_errors: [1] }],
  ['no key we know', { hello: 'world' }],
  ['a misspelled key', { permisionDecision: 'deny' }],
  ['only an error', { error: 'boom' }],
  ['a decision object of another shape', { decision: { effect: 'deny' } }],
  ['an unknown behavior', { decision: { behavior: 'perhaps' } }],
]

describe('an answer', () => {
  it.each(CASES)('%s', (_name, spoken, read) => {
    expect(readAnswer(spoken)).toEqual(read)
  })

  it.each(WRONG)('with %s is a failure, never an allow', (_name, spoken) => {
    expect(readAnswer(spoken)).toMatchObject({ failure: 'invalidOutput' })
  })
})
