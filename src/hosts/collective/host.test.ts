import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding, Reply } from '../../core/decision.ts'
import { combine } from '../../core/engine/combine.ts'
import type { EventKind } from '../../core/event.ts'
import { isObject, textAt } from '../../core/json.ts'
import { eventOf } from '../../library/testing/events.ts'
import { hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

const folder = join(import.meta.dirname, 'fixtures')
const fixtures = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** Callers of the collective's scripts read one JSON object; people read standard error. */
function obeys(reply: Reply): Obeyed {
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  if (reply.exitCode === 2) return { ...notice, does: 'stops', reason: reply.stderr }
  const body: unknown = JSON.parse(reply.stdout)
  if (!isObject(body)) throw new Error('not an object')
  const specific = body.hookSpecificOutput
  const context = isObject(specific ?? null) ? (specific as { additionalContext: string }) : undefined
  const said = context === undefined ? {} : { context: context.additionalContext }
  const ends = body.decision === 'fail' ? { ends: true } : {}
  if (body.decision === 'block')
    return { ...notice, ...said, does: 'stops', reason: textAt(body, 'reason') ?? '' }
  if (body.decision === 'fail')
    return { ...notice, ...ends, does: 'stops', reason: textAt(body, 'error') ?? '' }
  return { ...notice, ...said, does: 'goes on' }
}

/** `fail` where nothing can be stopped still ends the workflow: that is not asked about in the suite. */
hostContract({
  host,
  fixtures,
  payloadFor: (kind) => fixtures.get(`${kind}.json`),
  obeys: (reply, event) => {
    const obeyed = obeys(reply)
    return obeyed.ends === true && host.events[event.kind]?.deny !== true
      ? { ...obeyed, does: 'goes on' }
      : obeyed
  },
})

const decode = (payload: string, event?: string) =>
  host.decode({ payload, cwd: '/srv/here', ...(event === undefined ? {} : { event }) })

describe('payloads of the collective', () => {
  it('may lack session and folder; the event may come from the caller', () => {
    expect(decode('{"agent_type": "x"}', 'SubagentStop')).toMatchObject({
      ok: true,
      value: { kind: 'SubagentStop', agentType: 'x', session: '', cwd: '/srv/here' },
    })
    expect(decode('{"subagent_type": "x"}', 'SubagentStart')).toMatchObject({ value: { agentType: 'x' } })
  })

  it('call an agent a Task (R-002-40)', () => {
    expect(decode(fixtures.get('PostToolUse.json') ?? '')).toMatchObject({
      value: { tool: { name: 'Agent' } },
    })
  })

  it('may hold an escaped exclamation mark where JSON has none (R-002-79)', () => {
    const broken = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo hi\\!"}}'
    expect(decode(broken)).toMatchObject({ value: { tool: { input: { command: 'echo hi!' } } } })
    // A payload that is whole means what it says: a backslash and a mark.
    const whole =
      '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo hi\\\\!"}}'
    expect(decode(whole)).toMatchObject({ value: { tool: { input: { command: 'echo hi\\!' } } } })
  })

  it('name their event even when nothing else can be read (R-002-80, R-002-97)', () => {
    expect(host.eventNamed('{"hook_event_name":"SubagentStop", "x": ')).toBe('SubagentStop')
    expect(host.eventNamed('{"hook_event_name" : "Stop"')).toBe('Stop')
    expect(host.eventNamed('{"hook_event_name":"a\\!b"}')).toBe('a!b')
    expect(host.eventNamed('{')).toBeUndefined()
    const nested = '{"tool_input":"\\"hook_event_name\\":\\"Stop\\"","hook_event_name":"PreToolUse"}'
    expect(host.eventNamed(nested)).toBe('PreToolUse')
  })

  it('that cannot be parsed continue; those that are invalid are blocked (R-002-75, R-002-76)', () => {
    const codes = [
      'PAYLOAD_EMPTY',
      'PAYLOAD_NOT_JSON',
      'PAYLOAD_NOT_OBJECT',
      'PAYLOAD_FIELD',
      'INTERNAL',
    ] as const
    expect(codes.map((code) => host.lastResort?.({ code, message: '' }))).toEqual([
      'pass',
      'pass',
      'pass',
      'deny',
      undefined,
    ])
  })

  it('of Claude Code are answered as Claude Code reads it', () => {
    expect(host.answersAs?.('{"transcript_path":"/t","prompt":"hi\\!"}')).toBe('claude-code')
    expect(host.answersAs?.('{"session_id":"s"}')).toBeUndefined()
  })
})

/** Literal texts: a changed byte is a changed interface. */
describe('the answers of the collective', () => {
  const bytes = (kind: EventKind, finding: Partial<Finding>) => {
    const decoded = decode(fixtures.get(`${kind}.json`) ?? '')
    if (!decoded.ok) throw new Error(decoded.problem.message)
    return host.encode(combine([{ hook: 'h', hookIndex: 0, effect: 'pass', ...finding }]), decoded.value)
  }

  it('allow: only the decision (R-002-45, R-002-81)', () => {
    expect(bytes('PreToolUse', {})).toEqual({ stdout: '{"decision":"allow"}\n', stderr: '', exitCode: 0 })
  })

  it('block: with the reason, which is also printed for people (R-002-46, R-002-81, R-002-83)', () => {
    expect(bytes('PreToolUse', { effect: 'deny', reason: 'no' })).toEqual({
      stdout: '{"decision":"block","reason":"no"}\n',
      stderr: 'no\n',
      exitCode: 0,
    })
  })

  it('warn: with the message (R-002-47)', () => {
    expect(bytes('SubagentStart', { notices: ['look'] })).toEqual({
      stdout: '{"decision":"warn","message":"look"}\n',
      stderr: 'look\n',
      exitCode: 0,
    })
  })

  it('fail: with the error (R-002-48)', () => {
    expect(bytes('SubagentStop', { halt: 'over' })).toEqual({
      stdout: '{"decision":"fail","error":"over"}\n',
      stderr: 'over\n',
      exitCode: 0,
    })
  })

  it('contain context next to the decision', () => {
    expect(bytes('SessionStart', { context: [{ text: 'rules', to: 'self' }] }).stdout).toBe(
      '{"decision":"allow","hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"rules"}}\n',
    )
  })
})

it.each([
  ['pass', '{"decision":"allow"}\n', 0],
  ['deny', '', 2],
] as const)('a call that cannot be judged gets the last resort: %s', (effect, stdout, exitCode) => {
  const problem = { code: 'PAYLOAD_NOT_JSON', message: 'It is no JSON.' } as const
  const stderr = expect.stringMatching(/^holdpoint: this could not be judged\. .*It is no JSON\..*\n$/s)
  expect(host.refuse(problem, { effect, kind: 'PreToolUse' })).toEqual({ stdout, stderr, exitCode })
})

it('people read the end of the work once, also if a notice says it', () => {
  const stop = eventOf('Stop')
  const stderrOf = (more: object) => host.encode({ ...combine([]), ...more }, stop).stderr
  expect(stderrOf({ halt: 'h', notices: ['n'] })).toBe('n\nh\n')
  expect(stderrOf({ halt: 'h', notices: ['h'] })).toBe('h\n')
})
