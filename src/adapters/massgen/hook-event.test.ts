import { describe, expect, it } from 'vitest'
import { HookEvent } from './hook-event.ts'
import { HookResult } from './hook-result.ts'

const WHOLE: HookEvent = {
  hook_type: 'PostToolUse',
  session_id: 's-1',
  orchestrator_id: 'orch-1',
  agent_id: 'agent1',
  timestamp: '2026-01-15T12:00:00.000Z',
  tool_name: 'Write',
  tool_input: { file_path: '/srv/project/a', deep: { list: [1, null, 'x'] } },
  tool_output: 'written',
}

describe('a HookEvent (R-004-20, R-004-22)', () => {
  it('has eight fields, and survives JSON', () => {
    expect(HookEvent.from(WHOLE)).toEqual(WHOLE)
    expect(HookEvent.parse(HookEvent.stringify(WHOLE))).toEqual(WHOLE)
    expect(Object.keys(HookEvent.from(WHOLE))).toHaveLength(8)
  })

  it('has defaults for optional fields', () => {
    const event = HookEvent.from({ hook_type: 'PreToolUse', tool_name: 'x', tool_input: {}, more: 1 })
    expect(event).toMatchObject({ session_id: '', orchestrator_id: '', agent_id: null, tool_output: null })
    expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp)
    expect(event).not.toHaveProperty('more')
  })

  it.each<[string, object, object]>([
    ['arguments as text', { tool_input: '{"a": 1}' }, { tool_input: { a: 1 } }],
    ['arguments that are not JSON', { tool_input: 'rm -rf' }, { tool_input: { raw: 'rm -rf' } }],
    ['arguments that are a number', { tool_input: '7' }, { tool_input: { raw: '7' } }],
    ['output that is an object', { tool_output: { ok: true } }, { tool_output: '{"ok":true}' }],
    [
      'a time without a zone',
      { timestamp: '2026-01-15T12:00:00+02:00' },
      { timestamp: '2026-01-15T10:00:00.000Z' },
    ],
    ['a session alone', { orchestrator_id: undefined }, { orchestrator_id: 's-1' }],
  ])('accepts %s', (_name, given, expected) => {
    expect(HookEvent.from({ ...WHOLE, ...given })).toMatchObject(expected)
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'hook_type'],
    ['a list', [], 'hook_type'],
    ['an unknown hook type', { ...WHOLE, hook_type: 'Before' }, 'hook_type'],
    ['no tool', { ...WHOLE, tool_name: '' }, 'tool_name'],
    ['an input that is a list', { ...WHOLE, tool_input: [1] }, 'tool_input'],
    ['an input with a function', { ...WHOLE, tool_input: { f: () => 1 } }, 'tool_input'],
    ['an agent that is a number', { ...WHOLE, agent_id: 7 }, 'agent_id'],
    ['an invalid time', { ...WHOLE, timestamp: 'soon' }, 'timestamp'],
  ])('refuses %s', (_name, given, key) => {
    expect(() => HookEvent.from(given)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'PAYLOAD_FIELD', key }) }),
    )
  })
})

const NOTHING = { reason: null, updated_input: null, inject: null, hook_errors: [], executions: [] }

describe('a HookResult (R-004-21, R-004-22, R-004-31)', () => {
  it('allows by default', () => {
    expect(HookResult.allow()).toEqual({ allowed: true, decision: 'allow', ...NOTHING })
    expect(HookResult.from({})).toEqual(HookResult.allow())
    expect(HookResult.from(null)).toEqual(HookResult.allow())
  })

  it.each<[string, unknown, object]>([
    ['deny', HookResult.deny('no'), { allowed: false, decision: 'deny', reason: 'no' }],
    ['ask leaves allowed true', HookResult.ask('sure?'), { allowed: true, decision: 'ask', reason: 'sure?' }],
    ['a decision sets allowed', { decision: 'deny' }, { allowed: false, decision: 'deny' }],
    ['allowed sets a decision', { allowed: false }, { allowed: false, decision: 'deny' }],
    ['the stricter one wins', { allowed: true, decision: 'deny' }, { allowed: false, decision: 'deny' }],
    [
      'the stricter one wins over ask',
      { allowed: false, decision: 'ask' },
      { allowed: false, decision: 'deny' },
    ],
    ['other words for a decision', { decision: 'block' }, { allowed: false, decision: 'deny' }],
    ['yes (R-004-06)', true, { allowed: true, decision: 'allow' }],
    ['no (R-004-06)', false, { allowed: false, decision: 'deny' }],
    ['a new input', { updated_input: { a: 1 } }, { updated_input: { a: 1 } }],
    ['a new input as text', { modified_args: '{"a":1}' }, { updated_input: { a: 1 } }],
    [
      'an injection without a strategy',
      { inject: { content: 'x' } },
      { inject: { content: 'x', strategy: 'tool_result' } },
    ],
    [
      'any class with these fields',
      new (class {
        allowed = false
        deny() {}
      })(),
      { allowed: false, decision: 'deny' },
    ],
    ['additional fields', { allowed: false, metadata: { f: () => 1 } }, { decision: 'deny' }],
    ['errors', { hook_errors: ['x'] }, { hook_errors: ['x'] }],
  ])('%s', (_name, given, expected) => {
    const result = HookResult.from(given)
    expect(result).toMatchObject(expected)
    expect(HookResult.parse(HookResult.stringify(result))).toEqual(result)
  })

  it.each<[string, unknown]>([
    ['an unknown decision', { decision: 'maybe' }],
    ['an unknown decision next to allowed', { allowed: true, decision: 'blocked' }],
    ['allowed as text', { allowed: 'no' }],
    ['no known field', { ok: true }],
    ['a text', 'deny'],
    ['an object of a class without known fields', new Map([['allowed', false]])],
    ['an error', new Error('no')],
    ['a value that is not JSON', { updated_input: { f: () => 1 } }],
    ['a list', [false]],
    ['a number', 0],
    ['an input that is a list', { updated_input: [] }],
    ['an input that is not JSON', { modified_args: '{' }],
    ['an injection that is a text', { inject: 'x' }],
    ['an injection without content', { inject: { strategy: 'tool_result' } }],
    ['an unknown strategy', { inject: { content: 'x', strategy: 'shout' } }],
    ['a reason that is an object', { decision: 'deny', reason: {} }],
    ['errors that are not strings', { hook_errors: [1] }],
  ])('is never made from %s', (_name, given) => {
    expect(() => HookResult.from(given)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: 'HOOK_INVALID' }) }),
    )
  })
})
