import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)

/** Only `preCompact` could not be triggered: its payload is the documented one. */
function payloadFor(kind: EventKind): string {
  return fixtures.get(`${kind}.json`) ?? JSON.stringify({ sessionId: 's', cwd: '/srv', trigger: 'auto' })
}

/** Copilot CLI 1.0.102 as it was seen to behave with hooks under its camel-case names. */
function obeys(reply: Reply, event: Event): Obeyed {
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  if (reply.exitCode !== 0) {
    const stops = ['preToolUse', 'permissionRequest'].includes(event.name)
    return stops ? { does: 'stops', reason: `hook exited with code ${reply.exitCode}` } : { does: 'goes on' }
  }
  const body = bodyOf(reply)
  if (body === undefined) return { does: 'goes on', ...notice }
  const context = typeof body.additionalContext === 'string' ? { context: body.additionalContext } : {}
  switch (event.name) {
    case 'preToolUse':
      return { ...notice, ...context, ...beforeTool(body) }
    case 'permissionRequest':
      if (body.behavior === 'deny') return { does: 'stops', reason: String(body.message), ...notice }
      return { does: body.behavior === 'allow' ? 'skips the prompt' : 'goes on', ...notice }
    case 'postToolUse':
      return {
        does: 'goes on',
        ...notice,
        ...context,
        ...(isObject(body.modifiedResult) ? { output: body.modifiedResult.textResultForLlm } : {}),
      }
    case 'userPromptSubmitted':
    case 'agentStop':
    case 'subagentStop':
      return body.decision === 'block'
        ? { does: 'stops', reason: String(body.reason), ...notice, ...context }
        : { does: 'goes on', ...notice, ...context }
    default:
      return { does: 'goes on', ...notice, ...context }
  }
}

function beforeTool(body: JsonObject): Obeyed {
  const input = body.modifiedArgs === undefined ? {} : { input: body.modifiedArgs }
  const reason = String(body.permissionDecisionReason ?? '')
  if (body.permissionDecision === 'deny') return { does: 'stops', reason }
  if (body.permissionDecision === 'ask') return { does: 'asks', reason }
  if (body.permissionDecision === 'allow') return { does: 'skips the prompt', ...input }
  return { does: 'goes on', ...input }
}

hostContract({ host, fixtures, payloadFor, obeys, namedByEntry: true })

function decoded(name: string, event: string): Event {
  const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/', event })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it.each([
    ['bash', 'Bash', { command: expect.any(String), description: 'one' }],
    ['view', 'Read', { file_path: '/srv/project/a.txt' }],
    ['create', 'Write', { file_path: '/srv/project/b.txt', content: 'new' }],
    ['edit', 'Edit', { file_path: '/srv/project/a.txt', old_string: 'alpha', new_string: 'gamma' }],
  ])('a call of %s in the words of all hosts', (tool, name, input) => {
    const call = toolOf(decoded(`PreToolUse.${tool}.json`, 'PreToolUse'))
    expect(call).toMatchObject({ name, hostName: tool, input })
  })

  it('the identity of a sub-agent, under the session of its parent', () => {
    const event = decoded('SubagentStop.json', 'SubagentStop')
    expect(event.agentType).toBe('general-purpose')
    expect(event.session).not.toBe(event.agentId)
    const inside = host.decode({
      payload: JSON.stringify({
        ...{ sessionId: 'child', agentId: 'child', agentType: 'task', parentAgentId: 'main' },
        ...{ cwd: '/srv', toolName: 'bash', toolArgs: { command: 'ls' } },
      }),
      cwd: '/',
      event: 'PreToolUse',
    })
    expect(inside).toMatchObject({
      ok: true,
      value: { session: 'main', agentId: 'child', agentType: 'task' },
    })
  })

  it('the end of a sub-agent once: `agentStop` inside it is not a stop of the main agent', () => {
    expect(decoded('Unknown.agentStop.json', 'Stop').kind).toBe('Unknown')
  })

  it('a new input goes back in its own words', () => {
    const event = decoded('PreToolUse.create.json', 'PreToolUse')
    const decision = {
      effect: 'pass',
      because: [],
      reasons: [],
      context: [],
      notices: [],
      findings: [],
      failed: [],
    }
    const rewrite = { file_path: '/srv/project/c.txt', content: 'x' }
    const reply = host.encode({ ...decision, rewrite } as never, event)
    expect(JSON.parse(reply.stdout)).toEqual({ modifiedArgs: { path: '/srv/project/c.txt', file_text: 'x' } })
  })
})
