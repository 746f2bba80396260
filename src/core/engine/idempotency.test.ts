import { describe, expect, it, test } from 'vitest'
import { bash, eventOf, frozenFacts } from '../../library/testing/events.ts'
import type { Event } from '../event.ts'
import { emptySession } from '../state/fold.ts'
import { combine } from './combine.ts'
import type { DecideContext } from './decide-context.ts'
import { answerAgain, deliveryKey, denialKey, recordable, recordedFor } from './idempotency.ts'

const AT_MS = Date.parse('2026-01-15T12:00:00Z')
const contextAt = (ms: number, more: Partial<DecideContext> = {}) =>
  ({
    deliversTwice: false,
    hash: (text: string) => `<${text}>`,
    facts: frozenFacts({ now: () => new Date(ms) }),
    ...more,
  }) as DecideContext
const twice = (ms = AT_MS) => contextAt(ms, { deliversTwice: true })

const call = (more: object = {}, command = 'ls') =>
  bash(command, { tool: { name: 'Bash', input: { command }, ...more } })
const withId = (useId = '1', command = 'ls') => call({ useId }, command)
const prompt = eventOf('UserPromptSubmit', { prompt: 'x', raw: { prompt: 'x' } })

/** The answer to the second of two deliveries, if the first was recorded in this way. */
function again(first: Event, second: Event, afterMs: number, by = deliveryKey, context = twice) {
  const key = by(first, context(), AT_MS)
  if (key === undefined) return 'not recorded'
  const recorded = new Map([
    ['test/Stop/main//#<x>', { effect: 'wrong' }],
    [key, { effect: 'deny' }],
  ])
  return recordedFor(second, { ...emptySession(), recorded }, context(AT_MS + afterMs))?.effect ?? 'unknown'
}

describe('the second delivery of an event', () => {
  test.each<[string, Event, Event, number, string]>([
    ['of a call with the same id, at any time', withId(), withId(), 1e9, 'deny'],
    ['of a call without an id, at once', call(), call(), 0, 'deny'],
    ['of a call without an id, two seconds later', call(), call(), 2000, 'deny'],
    ['of a call without an id, later than that', call(), call(), 2001, 'unknown'],
    ['of a prompt', prompt, prompt, 1, 'deny'],
    ['of a prompt with another payload', prompt, eventOf('UserPromptSubmit', { raw: {} }), 1, 'unknown'],
    ['of a call with another id', withId(), withId('2'), 0, 'unknown'],
    ['of a call with the same id and another input', withId(), withId('1', 'rm'), 0, 'unknown'],
    ['of another tool with the same id', withId(), call({ useId: '1', name: 'Read' }), 0, 'unknown'],
    ['by another agent', withId(), { ...withId(), agentId: 'a' } as Event, 0, 'unknown'],
    ['by another host', withId(), { ...withId(), host: 'codex' } as Event, 0, 'unknown'],
    ['of another event about it', withId(), eventOf('PostToolUse', { tool: withId().tool }), 0, 'unknown'],
    ['of a stop, which is one more stop', eventOf('Stop'), eventOf('Stop'), 0, 'not recorded'],
    ['of the stop of an agent', eventOf('SubagentStop'), eventOf('SubagentStop'), 0, 'not recorded'],
  ])('%s', (_what, first, second, afterMs, answer) => {
    expect(again(first, second, afterMs)).toBe(answer)
  })

  it('without an id is another event, on a host that delivers each once', () => {
    const once = (ms = AT_MS) => contextAt(ms)
    expect(again(call(), call(), 0, deliveryKey, once)).toBe('not recorded')
    expect(again(withId(), withId(), 0, deliveryKey, once)).toBe('deny')
  })

  it('is found among others of the same kind', () => {
    const context = twice()
    const keys = ['a', 'b', 'c'].map((name) => deliveryKey(call({}, name), context, AT_MS) ?? '')
    const recorded = new Map(keys.map((key, n) => [key, { n }]))
    const session = { ...emptySession(), recorded }
    expect(['a', 'b', 'c', 'd'].map((name) => recordedFor(call({}, name), session, context)?.n)).toEqual([
      ...[0, 1, 2, undefined],
    ])
    expect(recordedFor(call(), emptySession(), context)).toBeUndefined()
  })
})

describe('a denial that changes nothing', () => {
  test.each([
    [0, 'deny'],
    [9_999, 'deny'],
    [19_999, 'deny'],
    [20_000, 'unknown'],
    [-1, 'deny'],
    [-10_001, 'unknown'],
  ])('is known for seconds: %d ms', (afterMs, answer) => {
    expect(again(withId(), withId(), afterMs, denialKey)).toBe(answer)
  })

  it('has one key for two deliveries at the same moment', () => {
    const key = (afterMs: number) => denialKey(withId(), twice(), AT_MS + afterMs)
    expect([key(0) === key(9_999), key(0) === key(10_000)]).toEqual([true, false])
  })

  it('is recorded only for calls with an id, of hosts that deliver twice', () => {
    expect(denialKey(call(), twice(), AT_MS)).toBeUndefined()
    expect(denialKey(prompt, twice(), AT_MS)).toBeUndefined()
    expect(denialKey(withId(), contextAt(AT_MS), AT_MS)).toBeUndefined()
  })
})

describe('what is recorded', () => {
  const decision = combine([{ hook: 'a', hookIndex: 0, effect: 'deny', reason: 'no', notices: ['n'] }])

  it('is the decision without what each hook found, and which entry of the host got it', () => {
    const recorded = recordable(decision, contextAt(AT_MS, { entry: 'mux' }))
    expect(recorded).toMatchObject({ effect: 'deny', notices: ['n'], entry: 'mux' })
    expect(Object.keys(recorded)).not.toEqual(expect.arrayContaining(['findings', 'failed']))
    expect(recorded).not.toHaveProperty('findings')
    expect(recordable(decision, contextAt(AT_MS)).entry).toBe('')
  })

  test.each<[string, string | undefined, boolean]>([
    ['mux', 'mux', true],
    ['mux', undefined, false],
    ['', undefined, true],
    ['', 'mux', false],
  ])('by %j is said by %j again: %s', (entry, other, isTold) => {
    const recorded = { effect: 'deny', notices: ['n'], context: ['c'], entry }
    expect(answerAgain(recorded, contextAt(AT_MS, { entry: other }))).toEqual({
      effect: 'deny',
      notices: isTold ? ['n'] : [],
      context: isTold ? ['c'] : [],
    })
  })

  it('by an older version is said again', () => {
    const recorded = { effect: 'deny', notices: ['n'] }
    expect(answerAgain(recorded, contextAt(AT_MS, { entry: 'mux' }))).toEqual(recorded)
  })
})
