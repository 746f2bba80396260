import { describe, expect, it, test } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { host as claudeCode } from '../claude-code/host.ts'
import { host as copilot } from '../copilot/host.ts'
import { bodyOf, hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

/** From its documentation: nobody has recorded one. */
function payload(name: string, fields: object = {}): string {
  return JSON.stringify({
    ...{ timestamp: '2026-11-16T10:00:00Z', cwd: '/srv/project', sessionId: 's1', hookEventName: name },
    ...{ transcript_path: '/srv/t.json', ...fields },
  })
}

function call(tool_name: string, tool_input: object): string {
  return payload('PreToolUse', { tool_name, tool_input, tool_use_id: 't1' })
}

const DOCUMENTED: ReadonlyMap<string, string> = new Map([
  ['PreToolUse', call('runInTerminal', { command: 'ls' })],
  ['PostToolUse', payload('PostToolUse', { tool_name: 'runInTerminal', tool_input: {}, tool_response: 'x' })],
  ['UserPromptSubmit', payload('UserPromptSubmit', { prompt: 'hi' })],
  ['Stop', payload('Stop', { stop_hook_active: false })],
])

function payloadFor(kind: EventKind): string {
  return DOCUMENTED.get(kind) ?? payload(kind)
}

/** By its documentation: as Claude Code, with the block of a stop below `hookSpecificOutput`. */
function obeys(reply: Reply, event: Event): Obeyed {
  if (reply.exitCode === 2) return { does: 'stops', reason: reply.stderr }
  const body = bodyOf(reply)
  const notice = typeof body?.systemMessage === 'string' ? { notice: body.systemMessage } : {}
  const specific = isObject(body?.hookSpecificOutput) ? body.hookSpecificOutput : {}
  const context =
    typeof specific.additionalContext === 'string' ? { context: specific.additionalContext } : {}
  if (event.kind === 'PreToolUse' && specific.permissionDecision === 'deny')
    return { does: 'stops', reason: String(specific.permissionDecisionReason), ...notice, ...context }
  if (['Stop', 'SubagentStop'].includes(event.kind) && specific.decision === 'block')
    return { does: 'stops', reason: String(specific.reason), ...notice }
  return { does: 'goes on', ...notice, ...context }
}

hostContract({ host, fixtures: DOCUMENTED, payloadFor, obeys })

function toolIn(text: string) {
  const decoded = host.decode({ payload: text, cwd: '/' })
  if (!decoded.ok) throw new Error(decoded.problem.message)
  return toolOf(decoded.value)
}

describe('VS Code', () => {
  it('is marked as not proved', () => {
    expect(host.notProved).toBe(true)
  })

  test.each([
    ['runInTerminal', { command: 'ls' }, 'Bash', { command: 'ls' }],
    ['read_file', { filePath: '/srv/.env' }, 'Read', { file_path: '/srv/.env' }],
    ['create_file', { filePath: '/srv/a', content: 'x' }, 'Write', { file_path: '/srv/a', content: 'x' }],
  ])('%s is a call in the words of all hosts', (own, input, name, ours) => {
    expect(toolIn(call(own, input))).toMatchObject({ name, hostName: own, input: ours })
  })

  it('is recognised when it starts the hooks of Copilot CLI or of Claude Code', () => {
    for (const text of DOCUMENTED.values())
      for (const other of [copilot, claudeCode]) expect(other.answersAs?.(text)).toBe('vscode')
  })

  it('also understands Copilot CLI, which reads the same file in other words', () => {
    const text = JSON.stringify({
      ...{ hook_event_name: 'PreToolUse', session_id: 's2', cwd: '/srv' },
      ...{ tool_name: 'Bash', tool_input: { command: 'ls' } },
    })
    expect(host.decode({ payload: text, cwd: '/', event: 'PreToolUse' })).toMatchObject({
      ok: true,
      value: { kind: 'PreToolUse', session: 's2', tool: { name: 'Bash' } },
    })
  })
})
