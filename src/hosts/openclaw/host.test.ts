import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)
const payloadFor = (kind: EventKind) => fixtures.get(`${kind}.json`) ?? fixtures.get(`${kind}.exec.json`)

const STOPPABLE = ['before_tool_call', 'before_agent_run', 'before_agent_finalize', 'subagent_finalize']
const TOLD = ['before_tool_call', 'tool_result', 'before_agent_run', 'session_start', 'subagent_start']

/** OpenClaw 2026.9.6 with our plugin as it was seen to behave. */
function obeys(reply: Reply, event: Event): Obeyed {
  const canStop = STOPPABLE.includes(event.name)
  if (reply.exitCode === 2) return canStop ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  const body = bodyOf(reply)
  if (body === undefined) return { does: 'goes on', ...notice }
  if (canStop && body.decision === 'deny') return { does: 'stops', reason: String(body.reason), ...notice }
  const isCall = event.name === 'before_tool_call'
  if (isCall && body.decision === 'ask') return { does: 'asks', reason: String(body.reason), ...notice }
  return {
    does: 'goes on',
    ...notice,
    ...(typeof body.context === 'string' && TOLD.includes(event.name) ? { context: body.context } : {}),
    ...(isCall && body.input !== undefined ? { input: body.input } : {}),
    ...(event.name === 'tool_result' && body.output !== undefined ? { output: body.output } : {}),
  }
}

hostContract({ host, fixtures, payloadFor, obeys })

function recorded(name: string): Event {
  const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it.each([
    ['exec', { command: 'ls' }, 'Bash', { command: 'ls' }],
    ['read', { path: 'a.txt' }, 'Read', { file_path: 'a.txt' }],
    ['write', { path: 'a.txt', content: 'x' }, 'Write', { file_path: 'a.txt', content: 'x' }],
    ['edit', { path: 'a.txt', edits: [] }, 'MultiEdit', { file_path: 'a.txt', edits: [] }],
    ['apply_patch', { input: '*** Begin Patch' }, 'apply_patch', { command: '*** Begin Patch' }],
    ['tool_call', { id: 'x', args: {} }, 'ToolSearch', { id: 'x', args: {} }],
    ['code_mode_exec', { code: 'x' }, 'code_mode_exec', { code: 'x' }],
  ])('a call of %s in the words of all hosts', (tool_name, tool_input, name, input) => {
    const payload = JSON.stringify({ hook_event_name: 'before_tool_call', tool_name, tool_input })
    const event = host.decode({ payload, cwd: '/' })
    expect(event.ok && toolOf(event.value)).toMatchObject({ name, input })
  })

  it('an agent that is started, which always works in the background', () => {
    const tool = toolOf(recorded('PreToolUse.sessions_spawn.json'))
    expect(tool).toMatchObject({
      name: 'Agent',
      background: { isOn: true },
      input: { prompt: 'Play <<helper>>.' },
    })
  })

  it('the identity of a sub-agent, in the session of the agent that spawned it', () => {
    const inside = recorded('PreToolUse.exec.subagent.json')
    const outside = recorded('PreToolUse.exec.json')
    expect(inside).toMatchObject({ agentType: 'main', agentId: expect.stringContaining(':subagent:') })
    expect(inside.session).toBe(outside.session)
    expect(outside.agentId).toBeUndefined()
  })
})
