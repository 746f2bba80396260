import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)
const CALL = { toolName: 'run_terminal_command', toolInput: { command: 'ls' }, toolInputTruncated: false }

/** The mode in which it asks a person; recorded were sessions that ask nobody. */
function payloadFor(kind: EventKind): string {
  return JSON.stringify({
    ...{ hookEventName: 'x', hook_event_name: kind, sessionId: 's', cwd: '/srv', permissionMode: 'default' },
    ...{ prompt: 'Do it.', reason: 'end_turn', ...CALL },
  })
}

/** Grok Build 1.0.41 as it was seen to behave. */
function obeys(reply: Reply, event: Event): Obeyed {
  if (reply.exitCode === 2) {
    const stops = ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop'].includes(event.name)
    return stops ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
  }
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  const body = reply.exitCode === 0 ? bodyOf(reply) : undefined
  if (body === undefined) return { does: 'goes on', ...notice }
  const specific = isObject(body.hookSpecificOutput) ? body.hookSpecificOutput : {}
  const isSeen = ['PreToolUse', 'PostToolUse'].includes(event.name)
  const context = isSeen && specific.additionalContext !== undefined
  return {
    ...notice,
    ...(context ? { context: String(specific.additionalContext) } : {}),
    ...decided(body, specific, event),
  }
}

function decided(body: JsonObject, specific: JsonObject, event: Event): Obeyed {
  const decision = specific.permissionDecision ?? body.decision
  const reason = String(specific.permissionDecisionReason ?? body.reason ?? '')
  if (event.name === 'Stop' || event.name === 'SubagentStop')
    return decision === 'block' ? { does: 'stops', reason } : { does: 'goes on' }
  if (event.name !== 'PreToolUse') return { does: 'goes on' }
  if (decision === 'deny' || decision === 'block') return { does: 'stops', reason }
  // With --always-approve the tool runs, whatever was asked.
  if (decision === 'ask') return { does: event.permissionMode === 'bypassPermissions' ? 'goes on' : 'asks' }
  return { does: 'goes on', ...(specific.updatedInput === undefined ? {} : { input: specific.updatedInput }) }
}

hostContract({ host, fixtures, payloadFor, obeys })

function decoded(payload: string): Event {
  const result = host.decode({ payload, cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

const recorded = (name: string) => decoded(fixtures.get(name) ?? '')

describe('what is read', () => {
  it.each([
    ['run_terminal_command', 'Bash', { command: 'echo original > ran.txt' }],
    ['read_file', 'Read', { file_path: 'a.txt' }],
    ['write', 'Write', { file_path: 'a.txt', content: 'hello' }],
  ])('a call of %s in the words of all hosts', (tool, name, input) => {
    expect(toolOf(recorded(`PreToolUse.${tool}.json`))).toMatchObject({ name, hostName: tool, input })
  })

  it('a tool of an MCP server', () => {
    const call = { ...CALL, toolName: 'files__read' }
    expect(toolOf(decoded(JSON.stringify({ hook_event_name: 'PreToolUse', ...call })))).toMatchObject({
      name: 'mcp__files__read',
      server: 'files',
    })
  })

  it('a sub-agent, which has a session of its own', () => {
    const call = recorded('PreToolUse.run_terminal_command.subagent.json')
    const start = recorded('SubagentStart.subagent.json')
    const stop = recorded('SubagentStop.subagent.json')
    expect(call).toMatchObject({ agentType: 'general-purpose', agentId: call.session })
    expect([start.agentId, stop.agentId]).toEqual([call.session, call.session])
  })

  it('the second Stop, at the end of the session, as no stop', () => {
    expect(decoded('{"hook_event_name":"Stop","sessionId":"s","reason":"shutdown"}').kind).toBe('Unknown')
  })

  it('no input that was cut off', () => {
    const cut = JSON.stringify({ hook_event_name: 'PreToolUse', ...CALL, toolInputTruncated: true })
    expect(host.decode({ payload: cut, cwd: '/' })).toMatchObject({
      ok: false,
      problem: { code: 'PAYLOAD_FIELD', message: expect.stringContaining('cut off') },
    })
  })
})

describe('a question', () => {
  it.each(['bypassPermissions', 'something new', ''])('cannot be asked in the mode "%s"', (mode) => {
    const event = decoded(JSON.stringify({ hook_event_name: 'PreToolUse', ...CALL, permissionMode: mode }))
    expect(host.abilitiesAt?.(event).ask).toBe(false)
  })
})
