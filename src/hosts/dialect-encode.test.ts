import { describe, expect, it, test } from 'vitest'
import type { Decision } from '../core/decision.ts'
import { NO_OPINION } from '../core/engine/combine.ts'
import type { Event } from '../core/event.ts'
import { eventOf, toolCall } from '../library/testing/events.ts'
import { abilitiesOf, type Dialect } from './dialect.ts'
import { encodeDialect, refuseDialect } from './dialect-encode.ts'
import {
  ADDITIONAL_CONTEXT,
  ASK_BY_PERMISSION,
  BLOCK,
  DENY_BY_PERMISSION,
  UPDATED_INPUT,
} from './dialect-shapes.ts'

/** An agent that has every way to say something, at one event or another. */
const DIALECT: Dialect = {
  id: 'made-up',
  title: 'Made up',
  eventKey: 'event',
  events: {
    before: {
      kind: 'PreToolUse',
      says: {
        deny: DENY_BY_PERMISSION,
        ask: ASK_BY_PERMISSION,
        allow: (reason) => ({ allowed: reason }),
        rewrite: UPDATED_INPUT,
        context: ADDITIONAL_CONTEXT,
      },
    },
    after: {
      kind: 'PostToolUse',
      says: { deny: BLOCK, context: ADDITIONAL_CONTEXT, output: (output, name) => ({ output, name }) },
    },
    prompt: { kind: 'UserPromptSubmit', says: { deny: 'exit', context: 'plain' } },
    stop: { kind: 'Stop', says: { deny: BLOCK } },
    start: { kind: 'SessionStart', says: { always: { go: 'on' }, context: (text) => ({ text }) } },
    silent: { kind: 'Notification' },
    asks: {
      kind: 'PermissionRequest',
      says: { ask: 'silence', always: { body: { a: 1 } }, allow: () => ({ body: { b: 2 } }) },
    },
  },
  tools: {},
  notices: 'stderr',
  limits: [],
}

const ran = { tool: { name: 'Bash', input: {}, useId: '1' }, output: '' }
const AT = {
  before: toolCall('Bash', { command: 'ls' }, { name: 'before' }),
  after: eventOf('PostToolUse', { name: 'after', ...ran }),
  prompt: eventOf('UserPromptSubmit', { name: 'prompt', prompt: 'x' }),
  stop: eventOf('Stop', { name: 'stop' }),
  start: eventOf('SessionStart', { name: 'start', source: 'startup' }),
  silent: eventOf('Notification', { name: 'silent' }),
  asks: eventOf('PermissionRequest', { name: 'asks', ...ran }),
  unknown: eventOf('PreToolUse', { name: 'constructor', ...ran }),
} as const satisfies Readonly<Record<string, Event>>
type At = keyof typeof AT

const decided = (more: Partial<Decision>): Decision => ({ ...NO_OPINION, because: ['team/rule'], ...more })
const reasons = (...texts: readonly string[]) => texts.map((text) => ({ hook: 'team/rule', text }))
const self = (text: string) => ({ text, to: 'self' }) as const
const specific = (hookEventName: string, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
})
const json = (value: object) => ({ stdout: `${JSON.stringify(value)}\n`, stderr: '', exitCode: 0 })
const stopped = (text: string) => ({ stdout: '', stderr: `${text}\n`, exitCode: 2 })
const SILENCE = { stdout: '', stderr: '', exitCode: 0 }

const encoded = (at: At, decision: Partial<Decision>, by: Partial<Dialect> = {}) =>
  encodeDialect({ ...DIALECT, ...by }, decided(decision), AT[at])

/** Nested more deeply than readers of JSON can be trusted with. */
function deep(): Record<string, unknown> {
  let value: Record<string, unknown> = {}
  for (let i = 0; i < 5000; i += 1) value = { value }
  return value
}

describe('a decision in the shapes of a dialect', () => {
  test.each<[string, At, Partial<Decision>, object]>([
    ['no opinion is silence', 'before', {}, SILENCE],
    ['no opinion, where a reply is always needed', 'start', {}, json({ go: 'on' })],
    [
      'a deny',
      'before',
      { effect: 'deny', reasons: reasons('No.', 'Never.') },
      json(specific('before', { permissionDecision: 'deny', permissionDecisionReason: 'No.\nNever.' })),
    ],
    [
      'a deny without words',
      'before',
      { effect: 'deny', reasons: reasons(' ') },
      json(
        specific('before', {
          permissionDecision: 'deny',
          permissionDecisionReason: 'Stopped by Holdpoint (team/rule).',
        }),
      ),
    ],
    ['a deny by exit code', 'prompt', { effect: 'deny', reasons: reasons('No.') }, stopped('No.')],
    [
      'a question',
      'before',
      { effect: 'ask', reasons: reasons('May it?') },
      json(specific('before', { permissionDecision: 'ask', permissionDecisionReason: 'May it?' })),
    ],
    [
      'a question that the agent asks by itself',
      'asks',
      { effect: 'ask', reasons: reasons('May it?') },
      json({ body: { a: 1 } }),
    ],
    ['an allow', 'before', { effect: 'allow', reasons: reasons('Fine.') }, json({ allowed: 'Fine.' })],
    [
      'an allow without words',
      'before',
      { effect: 'allow', because: ['a', 'b'] },
      json({ allowed: 'Granted by Holdpoint (a, b).' }),
    ],
    ['an allow next to what is always said', 'asks', { effect: 'allow' }, json({ body: { a: 1, b: 2 } })],
    ['an allow that cannot be said', 'after', { effect: 'allow' }, SILENCE],
    [
      'another input',
      'before',
      { rewrite: { command: 'ls -a' } },
      json(specific('before', { updatedInput: { command: 'ls -a' } })),
    ],
    [
      'another input, with a question',
      'before',
      { effect: 'ask', reasons: reasons('May it?'), rewrite: { command: 'b' } },
      json(
        specific('before', {
          permissionDecision: 'ask',
          permissionDecisionReason: 'May it?',
          updatedInput: { command: 'b' },
        }),
      ),
    ],
    [
      'another input, with an allow',
      'before',
      { effect: 'allow', reasons: reasons('Fine.'), rewrite: { command: 'b' } },
      json({ allowed: 'Fine.', ...specific('before', { updatedInput: { command: 'b' } }) }),
    ],
    ['another input where there is none', 'stop', { rewrite: { command: 'b' } }, SILENCE],
    [
      'context',
      'before',
      { context: [self('a'), { text: 'other', to: 'parent' }, self('b')] },
      json(specific('before', { additionalContext: 'a\n\nb' })),
    ],
    [
      'context of a deny',
      'after',
      { effect: 'deny', reasons: reasons('No.'), context: [self('a')] },
      json({ decision: 'block', reason: 'No.', ...specific('after', { additionalContext: 'a' }) }),
    ],
    [
      'context as it is',
      'prompt',
      { context: [self('a'), self('b')] },
      { stdout: 'a\n\nb\n', stderr: '', exitCode: 0 },
    ],
    ['context for others', 'prompt', { context: [{ text: 'other', to: 'main' }] }, SILENCE],
    ['context that cannot be said', 'stop', { context: [self('a')] }, SILENCE],
    ['another output', 'after', { output: ['x'] }, json({ output: ['x'], name: 'after' })],
    ['another output where there is none', 'before', { output: 'x' }, SILENCE],
    ['notices', 'before', { notices: ['a', 'b'] }, { stdout: '', stderr: 'a\nb\n', exitCode: 0 }],
    [
      'everything at an event without shapes',
      'silent',
      { effect: 'pass', context: [self('a')], output: 'x', notices: ['n'] },
      { stdout: '', stderr: 'n\n', exitCode: 0 },
    ],
  ])('%s', (_what, at, decision, reply) => {
    expect(encoded(at, decision)).toEqual(reply)
  })

  it('tells notices in the reply, if the agent shows them from there', () => {
    const by = { notices: 'systemMessage' } as const
    expect(encoded('before', { notices: ['a', 'b'] }, by)).toEqual(json({ systemMessage: 'a\nb' }))
    expect(encoded('start', { notices: ['a'] }, by)).toEqual(json({ go: 'on', systemMessage: 'a' }))
    expect(encoded('start', {}, by)).toEqual(json({ go: 'on' }))
    // Plain text next to JSON could be read by nobody.
    expect(encoded('prompt', { notices: ['a'], context: [self('b')] }, by)).toEqual(
      json({ systemMessage: 'a' }),
    )
  })

  it.each(['stderr', 'systemMessage'] as const)('cuts long notices: %s', (notices) => {
    const { stdout, stderr } = encoded('before', { notices: ['x'.repeat(5000)] }, { notices })
    expect(`${stdout}${stderr}`.match(/x+/)?.[0]).toHaveLength(4000)
  })

  it('stops a call whose new input is nested too deeply to be passed on', () => {
    const rewrite = deep() as Decision['rewrite']
    const reason =
      'Tell the user: this call may only run changed, and the change is nested too deeply to be passed on.'
    const reply = json(specific('before', { permissionDecision: 'deny', permissionDecisionReason: reason }))
    expect(encoded('before', rewrite === undefined ? {} : { rewrite })).toEqual(reply)
  })
})

describe('the end of the work', () => {
  test.each<[string, At, Partial<Decision>, object]>([
    [
      'stops a call',
      'before',
      { halt: 'Enough.' },
      json(specific('before', { permissionDecision: 'deny', permissionDecisionReason: 'Enough.' })),
    ],
    [
      'has its reason after that of a deny',
      'prompt',
      { effect: 'deny', reasons: reasons('No.'), halt: 'Enough.' },
      stopped('No.\nEnough.'),
    ],
    ['without words', 'prompt', { halt: ' ' }, stopped('Ended by Holdpoint.')],
    [
      'lets a stop be one',
      'stop',
      { halt: 'Enough.' },
      { ...SILENCE, stderr: 'To be ended here: Enough.\n' },
    ],
    [
      'is told where nothing can be stopped',
      'start',
      { halt: 'Enough.' },
      { ...json({ go: 'on' }), stderr: 'To be ended here: Enough.\n' },
    ],
    [
      'is told after the notices',
      'silent',
      { halt: '', notices: ['n'] },
      { ...SILENCE, stderr: 'n\nTo be ended here: Ended by Holdpoint.\n' },
    ],
  ])('%s', (_what, at, decision, reply) => {
    expect(encoded(at, decision)).toEqual(reply)
  })
})

describe('an event that the dialect does not name', () => {
  test.each<[string, Partial<Decision>, object]>([
    ['passes', {}, SILENCE],
    ['passes with notices', { notices: ['a', 'b'] }, { ...SILENCE, stderr: 'a\nb\n' }],
    ['passes what is allowed', { effect: 'allow' }, SILENCE],
    ['is stopped by a deny', { effect: 'deny', reasons: reasons('No.') }, stopped('No.')],
    ['is stopped by a question', { effect: 'ask', reasons: reasons('May it?') }, stopped('May it?')],
    [
      'is stopped if its input had to change',
      { rewrite: { a: 1 } },
      stopped('This call may only run changed. Tell the user.'),
    ],
    [
      'is stopped if it may only run changed',
      { effect: 'allow', rewrite: { a: 1 } },
      stopped('This call may only run changed. Tell the user.'),
    ],
  ])('%s', (_what, decision, reply) => {
    expect(encoded('unknown', decision)).toEqual(reply)
  })

  it('cuts its notices', () => {
    expect(encoded('unknown', { notices: ['x'.repeat(5000)] }).stderr).toHaveLength(4001)
  })
})

describe('a payload that could not be judged', () => {
  const problem = { code: 'PAYLOAD_NOT_JSON', message: 'It is no JSON.' } as const
  const says = /^holdpoint: this could not be judged\. .*It is no JSON\./

  it('is stopped by exit code', () => {
    const reply = refuseDialect(DIALECT, problem, { effect: 'deny', kind: 'PreToolUse' })
    expect(reply).toEqual({ stdout: '', stderr: expect.stringMatching(says), exitCode: 2 })
    expect(reply.stderr).toContain('It was stopped to be safe')
  })

  test.each([
    ['PreToolUse', ''],
    ['SessionStart', '{"go":"on"}\n'],
    ['PreCompact', ''],
    [undefined, ''],
  ] as const)('goes on with what the agent needs: %s', (kind, stdout) => {
    const reply = refuseDialect(DIALECT, problem, { effect: 'pass', kind })
    expect(reply).toEqual({ stdout, stderr: expect.stringMatching(says), exitCode: 0 })
    expect(reply.stderr).not.toContain('stopped')
  })
})

it('what can be said is what the agent is able to do', () => {
  const able = (at: keyof typeof DIALECT.events) => abilitiesOf(DIALECT.events[at] ?? { kind: 'Stop' })
  const none = { deny: false, ask: false, allow: false, rewrite: false, context: false, output: false }
  expect(able('silent')).toEqual(none)
  expect(able('before')).toEqual({
    ...none,
    deny: true,
    ask: true,
    allow: true,
    rewrite: true,
    context: true,
  })
  expect(able('after')).toEqual({ ...none, deny: true, context: true, output: true })
  expect(able('asks')).toEqual({ ...none, ask: 'by-silence', allow: true })
  const says = { rewrite: UPDATED_INPUT, rewriteNeedsAllow: true } as const
  expect(abilitiesOf({ kind: 'PreToolUse', says })).toEqual({ ...none, rewrite: 'with-allow' })
})
