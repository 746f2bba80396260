import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)
const payloadFor = (kind: EventKind) =>
  fixtures.get(`${kind}.json`) ?? fixtures.get(`${kind}.run_commands.json`)

/** Cline 3.0.65 with our plugin as it was seen to behave. */
function obeys(reply: Reply, event: Event): Obeyed {
  const canStop = ['beforeTool', 'beforeRun'].includes(event.name)
  if (reply.exitCode === 2) return canStop ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  const body = bodyOf(reply)
  if (body === undefined) return { does: 'goes on', ...notice }
  if (canStop && body.decision === 'deny') return { does: 'stops', reason: String(body.reason), ...notice }
  const isEnd = ['afterRun', 'subagentStop'].includes(event.name)
  return {
    does: 'goes on',
    ...notice,
    ...(typeof body.context === 'string' && !isEnd ? { context: body.context } : {}),
    ...(event.name === 'beforeTool' && body.input !== undefined ? { input: ranAs(body.input) } : {}),
    ...(event.name === 'afterTool' && body.output !== undefined ? { output: body.output } : {}),
  }
}

/** It runs each command of the list. */
function ranAs(input: unknown): unknown {
  const { commands } = input as { commands?: readonly unknown[] }
  return commands?.length === 1 ? { command: commands[0] } : input
}

hostContract({ host, fixtures, payloadFor, obeys })

function decoded(payload: string): Event {
  const result = host.decode({ payload, cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

function called(tool_name: string, tool_input: object) {
  return toolOf(decoded(JSON.stringify({ hook_event_name: 'beforeTool', tool_name, tool_input })))
}

describe('what is read', () => {
  it.each([
    ['run_commands', { commands: ['ls'] }, 'Bash', { command: 'ls' }],
    ['run_commands', { commands: ["echo '", "rm -rf ~'"] }, 'Bash', { commands: ["echo '", "rm -rf ~'"] }],
    ['run_commands', { commands: ['ls'], command: 'x' }, 'Bash', { commands: ['ls'], command: 'x' }],
    [
      'editor',
      { path: 'a', old_text: 'x', new_text: 'y' },
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: 'y' },
    ],
    ['read_files', { files: [{ path: 'a' }] }, 'Read', { files: [{ path: 'a' }] }],
    ['spawn_agent', { systemPrompt: 's', task: 'Look.' }, 'Agent', { systemPrompt: 's', prompt: 'Look.' }],
    ['skills', { skill: 'mux' }, 'Skill', { skill: 'mux' }],
  ])('a call of %s in the words of all hosts', (name, given, tool, input) => {
    expect(called(name, given)).toMatchObject({ name: tool, input })
  })

  it('the identity of a sub-agent, in the session of the agent that spawned it', () => {
    const inside = decoded(fixtures.get('PreToolUse.run_commands.subagent.json') ?? '')
    const outside = decoded(fixtures.get('PreToolUse.run_commands.json') ?? '')
    expect(inside).toMatchObject({ agentType: 'subagent', agentId: expect.stringMatching(/^agent_/) })
    expect(inside.session).toBe(outside.session)
    expect(outside.agentId).toBeUndefined()
  })
})
