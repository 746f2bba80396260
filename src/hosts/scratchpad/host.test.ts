import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding, Reply } from '../../core/decision.ts'
import { combine, NO_OPINION } from '../../core/engine/combine.ts'
import type { EventKind } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

const folder = join(import.meta.dirname, 'fixtures')
const fixtures = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** The runner of the protocol: it reads one JSON object from standard output, people read standard error. */
function obeys(reply: Reply): Obeyed {
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  if (reply.exitCode === 2) return { ...notice, does: 'stops', reason: reply.stderr }
  const body: unknown = JSON.parse(reply.stdout)
  if (!isObject(body)) throw new Error('not an object')
  const specific = isObject(body.hookSpecificOutput ?? null) ? body.hookSpecificOutput : {}
  const context = isObject(specific ?? null) ? (specific as { additionalContext?: string }) : {}
  const said = context.additionalContext === undefined ? {} : { context: context.additionalContext }
  if (body.decision === 'block') return { ...notice, ...said, does: 'stops', reason: String(body.reason) }
  return { ...notice, ...said, does: 'goes on' }
}

hostContract({
  host,
  fixtures,
  payloadFor: (kind) => fixtures.get(`${kind}.json`),
  obeys,
})

const decode = (payload: unknown, event?: string) =>
  host.decode({
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    cwd: '/srv/here',
    ...(event === undefined ? {} : { event }),
  })

describe('the payloads of the protocol', () => {
  it.each([
    ['R-003-09', 'SessionStart', { source: 'startup' }, { source: 'startup' }],
    ['R-003-18', 'SubagentStart', { agent_type: 'spec-writer' }, { agentType: 'spec-writer' }],
    [
      'R-003-28',
      'SubagentStop',
      { agent_type: 'spec-writer' },
      { agentType: 'spec-writer', stopHookActive: false },
    ],
    ['R-003-38', 'Stop', {}, { stopHookActive: false }],
  ])('%s: at %s %j is all there is on standard input', (_id, kind, payload, fields) => {
    expect(decode(payload, kind)).toMatchObject({
      ok: true,
      value: { kind, session: '', cwd: '/srv/here', host: 'scratchpad', raw: payload, ...fields },
    })
  })

  it.each(['agent_type', 'subagent_type', 'type', 'agentType'])('may call the type %s', (key) => {
    expect(decode({ [key]: 'spec-writer' }, 'SubagentStop')).toMatchObject({
      value: { agentType: 'spec-writer' },
    })
  })

  it('know a session start by itself, and nothing else', () => {
    expect(decode({ source: 'startup' })).toMatchObject({ value: { kind: 'SessionStart' } })
    expect(decode({ agent_type: 'spec-writer' })).toMatchObject({
      ok: false,
      problem: { code: 'PAYLOAD_FIELD' },
    })
    expect(decode({})).toMatchObject({ ok: false, problem: { code: 'PAYLOAD_FIELD' } })
  })

  it('are of the four events only', () => {
    const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }
    expect(decode(call)).toMatchObject({ ok: false, problem: { code: 'PAYLOAD_FIELD' } })
    expect(decode({}, 'SessionEnd')).toMatchObject({ ok: false })
    expect(decode({}, 'Nonsense')).toMatchObject({ ok: false })
  })
})

/** Literals: a changed byte is a changed interface. */
describe('the answers of the protocol', () => {
  const bytes = (kind: EventKind, finding: Partial<Finding>) => {
    const decoded = decode(fixtures.get(`${kind}.json`) ?? '')
    if (!decoded.ok) throw new Error(decoded.problem.message)
    return host.encode(combine([{ hook: 'h', hookIndex: 0, effect: 'pass', ...finding }]), decoded.value)
  }

  it.each(['SessionStart', 'SubagentStart', 'SubagentStop', 'Stop'] as const)(
    'at %s: nothing to say',
    (kind) => {
      expect(bytes(kind, {})).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
    },
  )

  it.each([
    ['R-003-10', 'SessionStart'],
    ['R-003-19', 'SubagentStart'],
  ] as const)('%s: at %s context', (_id, kind) => {
    const stdout = `{"hookSpecificOutput":{"hookEventName":"${kind}","additionalContext":"a\\n\\nb"}}\n`
    const context = ['a', 'b'].map((text) => ({ text, to: 'self' }) as const)
    expect(bytes(kind, { context })).toEqual({ stdout, stderr: '', exitCode: 0 })
  })

  it.each(['SubagentStop', 'Stop'] as const)('at %s: a block, and nothing beside it', (kind) => {
    const reply = bytes(kind, { effect: 'deny', reason: 'not yet', notices: ['look'] })
    expect(reply).toEqual({
      stdout: '{"decision":"block","reason":"not yet"}\n',
      stderr: 'look\n',
      exitCode: 0,
    })
  })

  it('continue after an error of our own', () => {
    const reply = host.refuse({ code: 'INTERNAL', message: 'broken' }, { effect: 'pass', kind: 'Stop' })
    expect(reply).toMatchObject({ stdout: '{}\n', exitCode: 0, stderr: expect.stringContaining('broken') })
  })

  it('are empty for an event outside the protocol', () => {
    const event = { kind: 'Unknown', name: 'x', host: 'scratchpad', session: '', cwd: '/', raw: {} } as const
    expect(host.encode(NO_OPINION, event).stdout).toBe('{}\n')
  })
})

it.each([
  ['pass', '{}\n', 0],
  ['deny', '', 2],
] as const)('a call that cannot be judged gets the last resort: %s', (effect, stdout, exitCode) => {
  const problem = { code: 'PAYLOAD_NOT_JSON', message: 'It is no JSON.' } as const
  const stderr = expect.stringMatching(/^holdpoint: this could not be judged\. .*It is no JSON\..*\n$/s)
  expect(host.refuse(problem, { effect, kind: 'PreToolUse' })).toEqual({ stdout, stderr, exitCode })
})
