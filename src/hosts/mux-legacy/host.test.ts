import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding, Reply } from '../../core/decision.ts'
import { combine } from '../../core/engine/combine.ts'
import { hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

const fixture = readFileSync(join(import.meta.dirname, 'fixtures', 'PreToolUse.json'), 'utf8')

function obeys(reply: Reply): Obeyed {
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  if (reply.exitCode === 2) return { ...notice, does: 'stops', reason: reply.stderr }
  const body = JSON.parse(reply.stdout) as { action: string; reason?: string }
  return body.action === 'block'
    ? { ...notice, does: 'stops', reason: body.reason ?? '' }
    : { ...notice, does: 'goes on' }
}

hostContract({
  host,
  fixtures: new Map([['PreToolUse.json', fixture]]),
  payloadFor: (kind) => (kind === 'PreToolUse' ? fixture : undefined),
  obeys,
})

const decode = (payload: unknown) => host.decode({ payload: JSON.stringify(payload), cwd: '/srv/here' })

it('reads the tool, its arguments and the context (R-001-09)', () => {
  const payload = { tool_name: 'Read', tool_args: { file_path: '/a' }, context: { skill: 'mux' } }
  expect(decode(payload)).toMatchObject({
    ok: true,
    value: { kind: 'PreToolUse', tool: { name: 'Read', input: { file_path: '/a' } }, raw: payload },
  })
})

it.each([[{}], [{ tool_name: 'Read' }], [{ tool_args: {} }], [[]], [null]])('refuses %j', (payload) => {
  expect(decode(payload)).toMatchObject({ ok: false })
})

describe('the answer (R-001-10, R-001-11)', () => {
  const bytes = (finding: Partial<Finding>) => {
    const decoded = host.decode({ payload: fixture, cwd: '/' })
    if (!decoded.ok) throw new Error(decoded.problem.message)
    return host.encode(combine([{ hook: 'h', hookIndex: 0, effect: 'pass', ...finding }]), decoded.value)
  }
  it.each([
    [{}, '{"action":"allow"}\n', ''],
    [{ effect: 'allow' }, '{"action":"allow"}\n', ''],
    [{ effect: 'deny', reason: 'no' }, '{"action":"block","reason":"no"}\n', ''],
    [{ effect: 'ask', reason: 'no' }, '{"action":"block","reason":"no"}\n', ''],
    [{ notices: ['look'] }, '{"action":"allow"}\n', 'look\n'],
    [{ context: [{ text: 'long', to: 'self' }] }, '{"action":"allow"}\n', 'long\n'],
  ] as const)('to %j', (finding, stdout, stderr) => {
    expect(bytes(finding)).toEqual({ stdout, stderr, exitCode: 0 })
  })
})

it('people read the context, the notices and the end of the work, in this order', () => {
  const decision = {
    ...combine([{ hook: 'team/rule', hookIndex: 0, effect: 'deny' }]),
    context: [{ text: 'c', to: 'self' } as const, { text: 'other', to: 'parent' } as const],
    notices: ['n'],
    halt: 'h',
  }
  const decoded = host.decode({ payload: fixture, cwd: '/' })
  if (!decoded.ok) throw new Error(decoded.problem.message)
  expect(host.encode(decision, decoded.value)).toEqual({
    stdout: '{"action":"block","reason":"Stopped by Holdpoint (team/rule)."}\n',
    stderr: 'c\nn\nh\n',
    exitCode: 0,
  })
})

it.each([
  ['pass', '{"action":"allow"}\n', 0],
  ['deny', '', 2],
] as const)('a call that cannot be judged gets the last resort: %s', (effect, stdout, exitCode) => {
  const problem = { code: 'PAYLOAD_NOT_JSON', message: 'It is no JSON.' } as const
  const stderr = expect.stringMatching(/^holdpoint: this could not be judged\. .*It is no JSON\..*\n$/s)
  expect(host.refuse(problem, { effect, kind: 'PreToolUse' })).toEqual({ stdout, stderr, exitCode })
})
