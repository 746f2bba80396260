import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)

/** With a terminal, where a person can be asked; the recorded ones are without. */
function payloadFor(kind: EventKind): string | undefined {
  const recorded = fixtures.get(`${kind}.json`) ?? fixtures.get(`${kind}.bash.json`)
  return recorded === undefined ? undefined : JSON.stringify({ ...JSON.parse(recorded), has_ui: true })
}

/** Pi 0.87.1 with our extension as it was seen to behave. */
function obeys(reply: Reply, event: Event): Obeyed {
  const canStop = ['tool_call', 'input', 'agent_before_settle'].includes(event.name)
  if (reply.exitCode === 2) return canStop ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  const body = bodyOf(reply)
  if (body === undefined) return { does: 'goes on', ...notice }
  if (canStop && body.decision === 'deny') return { does: 'stops', reason: String(body.reason), ...notice }
  const isCall = event.name === 'tool_call'
  if (isCall && body.decision === 'ask') return { does: 'asks', reason: String(body.reason), ...notice }
  const tells = ['tool_call', 'tool_result', 'input', 'session_start'].includes(event.name)
  return {
    does: 'goes on',
    ...notice,
    ...(typeof body.context === 'string' && tells ? { context: body.context } : {}),
    ...(isCall && body.input !== undefined ? { input: body.input } : {}),
    ...(event.name === 'tool_result' && body.output !== undefined ? { output: body.output } : {}),
  }
}

hostContract({ host, fixtures, payloadFor, obeys })

function decoded(payload: object): Event {
  const result = host.decode({ payload: JSON.stringify(payload), cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it.each([
    ['bash', { command: 'ls' }, 'Bash', { command: 'ls' }],
    ['read', { path: 'a.txt' }, 'Read', { file_path: 'a.txt' }],
    ['write', { path: 'a.txt', content: 'x' }, 'Write', { file_path: 'a.txt', content: 'x' }],
    ['edit', { path: 'a.txt', edits: [] }, 'MultiEdit', { file_path: 'a.txt', edits: [] }],
  ])('a call of %s in the words of all hosts', (tool_name, tool_input, name, input) => {
    expect(toolOf(decoded({ hook_event_name: 'tool_call', tool_name, tool_input }))).toMatchObject({
      name,
      input,
    })
  })

  it('whether a person can be asked', () => {
    const call = { hook_event_name: 'tool_call', tool_name: 'bash', tool_input: { command: 'ls' } }
    expect(host.abilitiesAt?.(decoded({ ...call, has_ui: true })).ask).toBe(true)
    for (const more of [{}, { has_ui: false }, { has_ui: 'true' }])
      expect(host.abilitiesAt?.(decoded({ ...call, ...more })).ask).toBe(false)
  })
})
