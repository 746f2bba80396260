import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Decision, Finding, Reply } from '../../core/decision.ts'
import { combine, NO_OPINION } from '../../core/engine/combine.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

const fixture = readFileSync(join(import.meta.dirname, 'fixtures', 'PreToolUse.json'), 'utf8')

/** The caller of a guard script: it reads `permissionDecision`; people read standard error. */
function obeys(reply: Reply): Obeyed {
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  if (reply.exitCode === 2) return { ...notice, does: 'stops', reason: reply.stderr }
  const body = JSON.parse(reply.stdout) as JsonObject
  const specific = isObject(body.hookSpecificOutput) ? body.hookSpecificOutput : {}
  const said = specific.additionalContext === undefined ? {} : { context: String(specific.additionalContext) }
  const does = ({ deny: 'stops', askFirst: 'asks', allow: 'skips the prompt' } as const)[
    String(body.permissionDecision) as 'deny'
  ]
  if (does === undefined) return { ...notice, ...said, does: 'goes on' }
  return { ...notice, ...said, does, reason: String(specific.permissionDecisionReason) }
}

hostContract({
  host,
  fixtures: new Map([['PreToolUse.json', fixture]]),
  payloadFor: (kind) => (kind === 'PreToolUse' ? fixture : undefined),
  obeys,
})

const decode = (payload: unknown, event?: string) =>
  host.decode({
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    cwd: '/srv/here',
    ...(event === undefined ? {} : { event }),
  })

describe('the payload', () => {
  it.each([
    [{ tool_name: 'Read', tool_input: { file_path: '/a' } }],
    [{ tool_name: 'Read', tool_args: { file_path: '/a' } }],
    [{ hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: '/a' } }],
  ])('%j is a call of Read, and there need be no more (R-000-13)', (payload) => {
    expect(decode(payload)).toMatchObject({
      ok: true,
      value: {
        kind: 'PreToolUse',
        host: 'mux',
        session: '',
        cwd: '/srv/here',
        tool: { name: 'Read', input: { file_path: '/a' } },
        raw: payload,
      },
    })
  })

  it.each([
    ['an empty object', {}],
    ['no tool name', { tool_input: {} }],
    ['an empty tool name', { tool_name: '', tool_input: {} }],
    ['a tool name that is no text', { tool_name: ['Read'], tool_input: {} }],
    ['no input', { tool_name: 'Read' }],
    ['null for an input', { tool_name: 'Read', tool_input: null }],
    ['a list for an input', { tool_name: 'Read', tool_input: [] }],
    ['a list', []],
    ['nothing', ''],
    ['half of it', '{"tool_name": "Re'],
    ['another event', { hook_event_name: 'Stop' }],
  ])('is refused with %s, and that denies (R-000-62)', (_name, payload) => {
    expect(decode(payload).ok).toBe(false)
    const problem = decode(payload)
    if (problem.ok) throw new Error('judged')
    expect(host.refuse(problem.problem, { effect: 'deny', kind: undefined })).toMatchObject({
      exitCode: 2,
      stdout: '',
    })
  })
})

/** Literals: a changed byte is a changed interface. */
describe('the answer (R-000-14)', () => {
  const bytes = (finding: Partial<Finding>) => {
    const decoded = decode(fixture)
    if (!decoded.ok) throw new Error(decoded.problem.message)
    return host.encode(combine([{ hook: 'h', hookIndex: 0, effect: 'pass', ...finding }]), decoded.value)
  }
  it.each([
    [{}, '{}\n'],
    [
      { effect: 'allow', reason: 'fine' },
      '{"permissionDecision":"allow","permissionDecisionReason":"fine","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"fine"}}\n',
    ],
    [
      { effect: 'deny', reason: 'no' },
      '{"permissionDecision":"deny","permissionDecisionReason":"no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}\n',
    ],
    [
      { effect: 'ask', reason: 'may it?' },
      '{"permissionDecision":"askFirst","permissionDecisionReason":"may it?","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"askFirst","permissionDecisionReason":"may it?"}}\n',
    ],
  ] as const)('to %j', (finding, stdout) => {
    expect(bytes(finding)).toEqual({ stdout, stderr: '', exitCode: 0 })
  })
})

it('lets Claude Code answer what Claude Code sent', () => {
  expect(host.answersAs?.('{"transcript_path":"/tmp/t"}')).toBe('claude-code')
  expect(host.answersAs?.(fixture)).toBeUndefined()
})

describe('what else is said', () => {
  const encoded = (more: Partial<Decision>) => {
    const decoded = decode(fixture)
    if (!decoded.ok) throw new Error(decoded.problem.message)
    const { stdout, stderr, exitCode } = host.encode({ ...NO_OPINION, ...more }, decoded.value)
    return [JSON.parse(stdout), stderr, exitCode]
  }
  const self = (text: string) => ({ text, to: 'self' }) as const
  const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })

  it.each<[string, Partial<Decision>, object, string]>([
    [
      'notices, to the user and on standard error',
      { notices: ['a', 'b'] },
      { systemMessage: 'a\nb' },
      'a\nb\n',
    ],
    [
      'context',
      { context: [self('a'), { text: 'x', to: 'main' }, self('b')] },
      specific({ additionalContext: 'a\n\nb' }),
      '',
    ],
    ['an end of the work', { halt: 'Enough.' }, { continue: false, stopReason: 'Enough.' }, ''],
  ])('%s', (_what, decision, body, stderr) => {
    expect(encoded(decision)).toEqual([body, stderr, 0])
  })

  it('a decision without words names who decided, next to its context', () => {
    const said = { permissionDecision: 'deny', permissionDecisionReason: 'Decided by Holdpoint (a, b).' }
    expect(encoded({ effect: 'deny', because: ['a', 'b'], context: [self('c')] })).toEqual([
      { ...said, ...specific({ ...said, additionalContext: 'c' }) },
      '',
      0,
    ])
  })

  it.each([
    ['pass', '{}\n', 0],
    ['deny', '', 2],
  ] as const)('a call that cannot be judged gets the last resort: %s', (effect, stdout, exitCode) => {
    const problem = { code: 'PAYLOAD_NOT_JSON', message: 'It is no JSON.' } as const
    const stderr = expect.stringMatching(/^holdpoint: this could not be judged\. .*It is no JSON\..*\n$/s)
    expect(host.refuse(problem, { effect, kind: 'PreToolUse' })).toEqual({ stdout, stderr, exitCode })
  })
})
