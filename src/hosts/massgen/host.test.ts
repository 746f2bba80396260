import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding, Reply } from '../../core/decision.ts'
import { combine } from '../../core/engine/combine.ts'
import { fitToHost } from '../../core/engine/fit-to-host.ts'
import type { EventKind } from '../../core/event.ts'
import { isObject, textAt } from '../../core/json.ts'
import { hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

const folder = join(import.meta.dirname, 'fixtures')
const fixtures = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** Users of the protocol read one HookResult; people read standard error. */
function obeys(reply: Reply): Obeyed {
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  if (reply.exitCode === 2) return { ...notice, does: 'stops', reason: reply.stderr }
  const body: unknown = JSON.parse(reply.stdout)
  if (!isObject(body)) throw new Error('not an object')
  const inject = body.inject ?? null
  const told = {
    ...notice,
    ...(isObject(inject) ? { context: String(inject.content) } : {}),
    ...(body.updated_input === undefined ? {} : { input: body.updated_input }),
  }
  if (body.allowed !== (body.decision !== 'deny')) throw new Error('allowed and decision disagree')
  if (body.decision === 'deny') return { ...told, does: 'stops', reason: textAt(body, 'reason') ?? '' }
  if (body.decision === 'ask') return { ...told, does: 'asks' }
  return { ...told, does: 'goes on' }
}

/** The fields each event cannot be judged without; for the two of MassGen they are recorded. */
const FIELDS: Readonly<Partial<Record<EventKind, object>>> = {
  PostToolUseFailure: { tool_name: 'Bash', tool_input: { command: 'ls' }, error: 'no' },
  UserPromptSubmit: { prompt: 'hello' },
}

hostContract({
  host,
  fixtures,
  payloadFor: (kind) =>
    fixtures.get(`${kind}.json`) ?? JSON.stringify({ hook_type: kind, session_id: 's-1', ...FIELDS[kind] }),
  obeys,
})

const call = { hook_type: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }
const decode = (payload: object, event?: string) =>
  host.decode({
    payload: JSON.stringify(payload),
    cwd: '/srv/here',
    ...(event === undefined ? {} : { event }),
  })

describe('MassGen events (R-004-20, R-004-22, R-004-25)', () => {
  it('name their agent, by which its own hooks are found', () => {
    expect(decode(JSON.parse(fixtures.get('PreToolUse.json') ?? ''))).toMatchObject({
      value: { session: 's-1', agentId: 'agent1', agentType: 'agent1', tool: { name: 'Write' } },
    })
  })

  it.each<[string, object, string | undefined, object]>([
    ['the older hook types', { ...call, hook_type: 'pre_call' }, undefined, { kind: 'PreToolUse' }],
    ['the older type after', { ...call, hook_type: 'post_call' }, undefined, { kind: 'PostToolUse' }],
    ['the type from the caller', { ...call, hook_type: undefined }, 'PostToolUse', { kind: 'PostToolUse' }],
    ['no agent', { ...call, agent_id: null }, undefined, { session: '' }],
    [
      'the words of an adapter',
      { hook_type: 'PostToolUse', toolName: 'x', toolArgs: '{"a":1}', toolResult: 'done' },
      undefined,
      { tool: { name: 'x', input: { a: 1 } }, output: 'done' },
    ],
    [
      'the words of another',
      { hook_type: 'PreToolUse', name: 'x', parameters: { a: 1 } },
      undefined,
      { tool: { name: 'x', input: { a: 1 } } },
    ],
    [
      'its own words before theirs',
      { ...call, name: 'other', input: { command: 'rm' }, arguments: '{}' },
      undefined,
      { tool: { name: 'Bash', input: { command: 'ls' } } },
    ],
    ['input as text', { ...call, tool_input: '{"a":1}' }, undefined, { tool: { input: { a: 1 } } }],
    [
      'input that is no JSON',
      { ...call, tool_input: 'ls -l' },
      undefined,
      { tool: { input: { raw: 'ls -l' } } },
    ],
    ['input that is a list', { ...call, tool_input: '[1]' }, undefined, { tool: { input: { raw: '[1]' } } }],
    [
      'input by another name',
      { hook_type: 'PreToolUse', tool_name: 'x', arguments: '{}' },
      undefined,
      { tool: { input: {} } },
    ],
    [
      'output by another name',
      { ...call, hook_type: 'PostToolUse', tool_response: 'done' },
      undefined,
      { output: 'done' },
    ],
    ['no output', { ...call, hook_type: 'PostToolUse' }, undefined, { output: null }],
  ])('may have %s', (_name, payload, event, expected) => {
    expect(decode(payload, event)).toMatchObject({ ok: true, value: expected })
  })

  it.each<[string, object, string]>([
    ['no type', { ...call, hook_type: undefined }, 'hook_type'],
    ['an unknown type', { ...call, hook_type: 'PreTool' }, 'hook_type'],
    ['an event MassGen cannot have', { ...call, hook_type: 'MessageDisplay' }, 'hook_type'],
    ['no tool', { ...call, tool_name: undefined }, 'tool_name'],
    ['a tool that is a number', { ...call, tool_name: 7 }, 'tool_name'],
    ['no input', { ...call, tool_input: undefined }, 'tool_input'],
    ['an input that is a list', { ...call, tool_input: [] }, 'tool_input'],
    ['an agent that is a list', { ...call, agent_id: ['a'] }, 'agent_id'],
    ['a session that is a number', { ...call, session_id: 1 }, 'session_id'],
    ['an invalid time', { ...call, timestamp: 'yesterday' }, 'timestamp'],
  ])('with %s cannot be judged', (_name, payload, key) => {
    expect(decode(payload)).toMatchObject({ ok: false, problem: { code: 'PAYLOAD_FIELD', key } })
  })

  it('of Claude Code are answered as Claude Code reads it', () => {
    expect(host.answersAs?.('{"transcript_path":"/t"}')).toBe('claude-code')
    expect(host.answersAs?.(JSON.stringify(call))).toBeUndefined()
  })

  it('name themselves also when they are wrong', () => {
    expect(host.eventNamed('{"hook_type":"pre_call"}')).toBe('PreToolUse')
    expect(host.eventNamed('{"hook_type":"Stop"}')).toBe('Stop')
    expect(host.eventNamed('{')).toBeUndefined()
  })
})

/** Literal texts: a changed byte is a changed interface. */
describe('MassGen results (R-004-21, R-004-22, R-004-25)', () => {
  const bytes = (
    findings: readonly Partial<Finding>[],
    kind: 'PreToolUse' | 'PostToolUse' = 'PreToolUse',
  ) => {
    const decoded = decode({ ...call, hook_type: kind })
    const can = host.events[kind]
    if (!decoded.ok || can === undefined) throw new Error('not decoded')
    const all = findings.map(
      (finding, hookIndex): Finding => ({ hook: `h${hookIndex}`, hookIndex, effect: 'pass', ...finding }),
    )
    return host.encode(fitToHost(combine(all), can), decoded.value)
  }

  it.each<[string, readonly Partial<Finding>[], object]>([
    ['nothing to say', [], { allowed: true, decision: 'allow' }],
    ['deny', [{ effect: 'deny', reason: 'no' }], { allowed: false, decision: 'deny', reason: 'no' }],
    [
      'every ask',
      [
        { effect: 'ask', reason: 'a?' },
        { effect: 'ask', reason: 'b?' },
      ],
      { allowed: true, decision: 'ask', reason: 'a?\nb?' },
    ],
    ['a new input', [{ rewrite: { a: 1 } }], { allowed: true, decision: 'allow', updated_input: { a: 1 } }],
    [
      'a denied new input',
      [{ rewrite: { a: 1 } }, { effect: 'deny', reason: 'no' }],
      { allowed: false, decision: 'deny', reason: 'no' },
    ],
    [
      'one injection',
      [{ context: [{ text: 'mind', to: 'self', strategy: 'user_message' }] }],
      { allowed: true, decision: 'allow', inject: { content: 'mind', strategy: 'user_message' } },
    ],
    [
      'injections of both kinds',
      [
        { context: [{ text: 'a', to: 'self', strategy: 'user_message' }] },
        { context: [{ text: 'b', to: 'self' }] },
        { context: [{ text: 'not for it', to: 'parent' }] },
      ],
      {
        allowed: true,
        decision: 'allow',
        inject: {
          content: 'a\nb',
          strategy: 'tool_result',
          by_strategy: { tool_result: ['b'], user_message: ['a'] },
        },
      },
    ],
    [
      'a warning',
      [{ notices: ['look'] }],
      { allowed: true, decision: 'allow', inject: { content: 'look', strategy: 'tool_result' } },
    ],
    [
      'a hook that failed and passes',
      [{ failed: { failure: 'timeout', message: 'late' }, notices: ['h0 could not answer'] }],
      { allowed: true, decision: 'allow', hook_errors: ['h0: timeout: late'] },
    ],
    [
      'an end of the workflow',
      [{ effect: 'deny', reason: 'no', halt: 'over' }],
      { allowed: false, decision: 'deny', reason: 'no' },
    ],
  ])('%s', (_name, findings, expected) => {
    expect(bytes(findings)).toMatchObject({ stdout: `${JSON.stringify(expected)}\n`, exitCode: 0 })
  })

  it('after the call cannot replace what the tool said, and that is known', () => {
    expect(JSON.parse(bytes([{ output: 'other' }], 'PostToolUse').stdout)).toEqual({
      allowed: true,
      decision: 'allow',
    })
  })
})

it.each([
  ['pass', { allowed: true, decision: 'allow', hook_errors: [expect.stringContaining('It is no JSON.')] }, 0],
  ['deny', undefined, 2],
] as const)('a call that cannot be judged gets the last resort: %s', (effect, body, exitCode) => {
  const problem = { code: 'PAYLOAD_NOT_JSON', message: 'It is no JSON.' } as const
  const reply = host.refuse(problem, { effect, kind: 'PreToolUse' })
  expect(reply.stdout === '' ? undefined : JSON.parse(reply.stdout)).toEqual(body)
  expect(reply).toMatchObject({
    stderr: expect.stringMatching(/^holdpoint: .*It is no JSON\..*\n$/s),
    exitCode,
  })
})

it('people read the notices and the end of the work', () => {
  const decoded = decode(call)
  if (!decoded.ok) throw new Error(decoded.problem.message)
  const decision = { ...combine([]), notices: ['n'], halt: 'h' }
  expect(host.encode(decision, decoded.value).stderr).toBe('n\nh\n')
})

it('only warnings of hooks that answered reach the agent', () => {
  const decoded = decode(call)
  if (!decoded.ok) throw new Error(decoded.problem.message)
  const failed = { failure: 'timeout', message: 'late' } as const
  const decision = combine([
    { hook: 'a', hookIndex: 0, effect: 'pass', notices: ['a'], failed },
    { hook: 'b', hookIndex: 1, effect: 'pass', notices: ['b', 'c'] },
  ])
  expect(JSON.parse(host.encode(decision, decoded.value).stdout).inject.content).toBe('b\nc')
})
