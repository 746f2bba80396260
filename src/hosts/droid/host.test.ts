import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)

/** Events that could not be triggered have the documented shape. */
function payloadFor(kind: EventKind): string {
  const call = { tool_name: 'Execute', tool_input: { command: 'ls' } }
  return (
    fixtures.get(`${kind}.json`) ??
    JSON.stringify({ session_id: 's', cwd: '/srv', hook_event_name: kind, prompt: 'Do it.', ...call })
  )
}

/** Droid 0.225.2 as it was seen to behave with `exec`; prompts and sub-agents' ends as its documentation has them. */
function obeys(reply: Reply, event: Event): Obeyed {
  if (reply.exitCode === 2) {
    const stops = ['PreToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop'].includes(event.name)
    return stops ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
  }
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  const body = bodyOf(reply)
  const specific = isObject(body?.hookSpecificOutput) ? body.hookSpecificOutput : {}
  const isRead = ['PostToolUse', 'SessionStart'].includes(event.name)
  const context =
    isRead && specific.additionalContext !== undefined ? { context: String(specific.additionalContext) } : {}
  if (event.name !== 'PreToolUse') return { does: 'goes on', ...notice, ...context }
  if (specific.permissionDecision === 'deny')
    return { does: 'stops', reason: String(specific.permissionDecisionReason), ...notice }
  // `ask` and the old `decision: block` are not obeyed.
  const input = specific.updatedInput === undefined ? {} : { input: specific.updatedInput }
  return { does: 'goes on', ...notice, ...input }
}

hostContract({ host, fixtures, payloadFor, obeys })

function recorded(name: string): Event {
  const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it.each([
    ['Execute', 'Bash'],
    ['Create', 'Write'],
    ['Read', 'Read'],
    ['Task.subagent', 'Agent'],
  ])('a call of %s as %s', (tool, name) => {
    expect(toolOf(recorded(`PreToolUse.${tool}.json`))).toMatchObject({ name })
  })
})

it('denies by exit code alone: an earlier hook that allows would win over JSON', () => {
  const event = recorded('PreToolUse.Execute.json')
  const reply = host.encode(
    {
      ...{ effect: 'deny', because: ['x'], reasons: [{ hook: 'x', text: 'no' }] },
      ...{ context: [], notices: [], findings: [], failed: [] },
    } as never,
    event,
  )
  expect(reply).toEqual({ stdout: '', stderr: 'no\n', exitCode: 2 })
})
