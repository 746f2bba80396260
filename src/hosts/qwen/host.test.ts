import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)

/** Events that could not be triggered have the documented shape. */
function payloadFor(kind: EventKind): string {
  const call = { tool_name: 'run_shell_command', tool_input: { command: 'ls' } }
  return (
    fixtures.get(`${kind}.json`) ??
    JSON.stringify({ session_id: 's', cwd: '/srv', hook_event_name: kind, prompt: 'Do it.', ...call })
  )
}

const CONTEXT = ['PostToolUse', 'UserPromptSubmit', 'SessionStart']

/** Qwen Code 0.24.4 as it was seen to behave; `PermissionRequest` as its sources have it. */
function obeys(reply: Reply, event: Event): Obeyed {
  // At exit 2 only standard error is read: JSON there would be an answer, and nothing there lets the tool run.
  if (reply.exitCode === 2) {
    const text = reply.stderr.trim()
    return text === '' || text.startsWith('{') ? { does: 'goes on' } : { does: 'stops', reason: text }
  }
  const body = bodyOf(reply)
  if (body === undefined) return { does: 'goes on', ...(reply.stderr === '' ? {} : { notice: reply.stderr }) }
  const specific = isObject(body.hookSpecificOutput) ? body.hookSpecificOutput : {}
  const said = {
    ...(body.systemMessage === undefined ? {} : { notice: String(body.systemMessage) }),
    ...(CONTEXT.includes(event.name) && specific.additionalContext !== undefined
      ? { context: String(specific.additionalContext) }
      : {}),
  }
  if (event.name === 'PermissionRequest') {
    const decision = isObject(specific.decision) ? specific.decision : {}
    if (decision.behavior === 'deny') return { ...said, does: 'stops', reason: String(decision.message) }
    return { ...said, does: decision.behavior === 'allow' ? 'skips the prompt' : 'goes on' }
  }
  // `permissionDecision` is read first; a new input is not read at all.
  const decision = specific.permissionDecision ?? body.decision
  const reason = String(specific.permissionDecisionReason ?? body.reason ?? '')
  if (event.name === 'PreToolUse' && decision === 'ask') return { ...said, does: 'asks', reason }
  const stops = ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop'].includes(event.name)
  if (stops && (decision === 'deny' || decision === 'block')) return { ...said, does: 'stops', reason }
  return { ...said, does: 'goes on' }
}

hostContract({ host, fixtures, payloadFor, obeys })

function recorded(name: string): Event {
  const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it.each([
    ['run_shell_command', 'Bash'],
    ['read_file', 'Read'],
    ['write_file', 'Write'],
    ['edit', 'Edit'],
    ['agent', 'Agent'],
    ['skill', 'Skill'],
  ])('a call of %s as %s', (tool, name) => {
    expect(toolOf(recorded(`PreToolUse.${tool}.json`))).toMatchObject({ name })
  })

  it('the type of a sub-agent, which stands in its id', () => {
    const event = recorded('PreToolUse.subagent.json')
    expect(event).toMatchObject({ agentType: 'general-purpose', agentId: expect.stringContaining('call_') })
  })
})

it('never says allow before a call: it would take back the deny of another hook', () => {
  expect(host.events.PreToolUse?.allow).toBe(false)
})
