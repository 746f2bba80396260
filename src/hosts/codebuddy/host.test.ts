import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import type { Event, EventKind } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)

/** Events that could not be triggered have the shape of Claude Code. */
function payloadFor(kind: EventKind): string {
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' } }
  return (
    fixtures.get(`${kind}.json`) ??
    JSON.stringify({ session_id: 's', cwd: '/srv', hook_event_name: kind, prompt: 'Do it.', ...call })
  )
}

const CONTEXT = ['PostToolUse', 'UserPromptSubmit', 'SessionStart']

/** CodeBuddy Code 2.117.0 as it was seen to behave with `-p`; a block of `Stop` as its documentation has it. */
function obeys(reply: Reply, event: Event): Obeyed {
  if (reply.exitCode === 2) {
    const stops = ['PreToolUse', 'UserPromptSubmit', 'Stop'].includes(event.name)
    return stops ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
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
  if (event.name === 'Stop' && body.decision === 'block')
    return { ...said, does: 'stops', reason: String(body.reason) }
  if (event.name !== 'PreToolUse') return { ...said, does: 'goes on' }
  if (specific.permissionDecision === 'deny')
    return { ...said, does: 'stops', reason: String(specific.permissionDecisionReason) }
  // With `-y` the tool runs, whatever was asked.
  const input = specific.updatedInput === undefined ? {} : { input: specific.updatedInput }
  return { ...said, does: 'goes on', ...input }
}

hostContract({ host, fixtures, payloadFor, obeys })

function recorded(name: string): Event {
  const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/srv/start' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it('the main agent without a type, and a sub-agent with id and type', () => {
    expect(recorded('PreToolUse.Bash.json').agentType).toBeUndefined()
    expect(recorded('PreToolUse.Bash.subagent.json')).toMatchObject({
      agentType: 'general-purpose',
      agentId: expect.stringMatching(/^agent-/),
    })
  })

  it('a start without a folder, which is the one the hook was started in', () => {
    expect(recorded('SessionStart.json').cwd).toBe('/srv/start')
  })
})
