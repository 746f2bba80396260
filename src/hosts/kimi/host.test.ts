import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)

/** Events that could not be triggered have the shape its sources have. */
function payloadFor(kind: EventKind): string {
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' } }
  return (
    fixtures.get(`${kind}.json`) ??
    JSON.stringify({ session_id: 's', cwd: '/srv', hook_event_name: kind, prompt: [], ...call })
  )
}

/** Kimi Code 2.1.0 as it was seen to behave. With a prompt, what is printed is read by the model. */
function obeys(reply: Reply, event: Event): Obeyed {
  if (reply.exitCode === 2) {
    const stops = ['PreToolUse', 'UserPromptSubmit', 'Stop'].includes(event.name)
    return stops ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
  }
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  if (event.name === 'UserPromptSubmit') {
    const text = reply.stdout.trim()
    return { does: 'goes on', ...notice, ...(text === '' ? {} : { context: text }) }
  }
  const body = bodyOf(reply)
  const specific = isObject(body?.hookSpecificOutput) ? body.hookSpecificOutput : {}
  return event.name === 'PreToolUse' && specific.permissionDecision === 'deny'
    ? { does: 'stops', reason: String(specific.permissionDecisionReason), ...notice }
    : { does: 'goes on', ...notice }
}

hostContract({ host, fixtures, payloadFor, obeys })

function recorded(name: string): Event {
  const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it.each([
    ['Bash', { command: 'echo original > ran.txt' }],
    ['Read', { file_path: 'a.txt' }],
    ['Write', { file_path: 'a.txt', content: 'hello' }],
    ['Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'bye' }],
  ])('a call of %s in the words of all hosts', (name, input) => {
    expect(toolOf(recorded(`PreToolUse.${name}.json`))).toMatchObject({ name, input })
  })

  it('a prompt, which is a list of parts', () => {
    expect(recorded('UserPromptSubmit.json')).toMatchObject({ prompt: 'Do it.' })
  })

  it('the end of a sub-agent by its name', () => {
    expect(recorded('SubagentStop.subagent.json')).toMatchObject({ agentType: 'coder', agentId: 'coder' })
  })
})
