import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)
const payloadFor = (kind: EventKind) => fixtures.get(`${kind}.json`)

const STOPS = ['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent']
const CONTEXT = ['SessionStart', 'BeforeAgent', 'AfterTool']

/** Gemini CLI 0.61.0 as it was seen to behave. JSON counts at every exit code, also on standard error. */
function obeys(reply: Reply, event: Event): Obeyed {
  const body = bodyOf(reply) ?? bodyOf({ ...reply, stdout: reply.stderr })
  const text = `${reply.stdout}${reply.stderr}`.trim()
  if (body === undefined) {
    if (reply.exitCode > 1 && text !== '' && STOPS.includes(event.name))
      return { does: 'stops', reason: text }
    return { does: 'goes on', ...(text === '' ? {} : { notice: text }) }
  }
  const specific = isObject(body.hookSpecificOutput) ? body.hookSpecificOutput : {}
  const said = {
    ...(body.systemMessage === undefined ? {} : { notice: String(body.systemMessage) }),
    ...(CONTEXT.includes(event.name) && specific.additionalContext !== undefined
      ? { context: String(specific.additionalContext) }
      : {}),
  }
  if (STOPS.includes(event.name) && (body.decision === 'deny' || body.decision === 'block'))
    return { ...said, does: 'stops', reason: String(body.reason) }
  const input = event.name === 'BeforeTool' && specific.tool_input !== undefined
  return { ...said, does: 'goes on', ...(input ? { input: specific.tool_input } : {}) }
}

hostContract({ host, fixtures, payloadFor, obeys })

function recorded(name: string): Event {
  const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it.each([
    ['run_shell_command', 'Bash', { command: expect.any(String) }],
    ['read_file', 'Read', { file_path: expect.any(String) }],
    ['write_file', 'Write', { file_path: expect.any(String), content: expect.any(String) }],
    ['replace', 'Edit', { old_string: expect.any(String), new_string: expect.any(String) }],
    ['invoke_agent', 'Agent', { subagent_type: 'generalist' }],
  ])('a call of %s as %s', (tool, name, input) => {
    expect(toolOf(recorded(`PreToolUse.${tool}.json`))).toMatchObject({ name, hostName: tool, input })
  })

  it('a tool of an MCP server, by what the payload says of it', () => {
    expect(toolOf(recorded('PreToolUse.mcp_stub_echo.json'))).toMatchObject({
      name: 'mcp__stub__echo',
      server: 'stub',
    })
  })

  it('what the agent said last', () => {
    expect(recorded('Stop.json')).toMatchObject({ lastMessage: 'end', stopHookActive: false })
  })
})

it('never asks: a question ends a session without a person', () => {
  expect(Object.values(host.events).some(({ ask }) => ask !== false)).toBe(false)
})
