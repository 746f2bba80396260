import { describe, expect, it, test } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { nameOfKind } from '../dialect.ts'
import { bodyOf, hostContract, type Obeyed } from '../host.contract.ts'
import { CURSOR } from './dialect.ts'
import { host } from './host.ts'

const BASE = {
  conversation_id: 'c1',
  generation_id: 'g1',
  cursor_version: '2026.07.16',
  workspace_roots: ['/srv/project'],
  cwd: '',
}
const CALL = { tool_name: 'Shell', tool_input: { command: 'ls' }, tool_use_id: 't1' }

/** From the source of its SDK: nobody has recorded one. */
function payload(name: string, fields: object): string {
  return JSON.stringify({ ...BASE, hook_event_name: name, ...fields })
}

const DOCUMENTED: ReadonlyMap<string, string> = new Map([
  ['PreToolUse', payload('preToolUse', CALL)],
  ['PreToolUse.shell', payload('beforeShellExecution', { command: 'ls', cwd: '/srv' })],
  ['PreToolUse.read', payload('beforeReadFile', { file_path: '/srv/.env', content: 'x' })],
  [
    'PreToolUse.mcp',
    payload('beforeMCPExecution', {
      tool_name: 'push',
      tool_input: '{"force":true}',
      mcp_server_name: 'git',
    }),
  ],
  ['PostToolUse', payload('postToolUse', { ...CALL, tool_output: '"done"' })],
  ['UserPromptSubmit', payload('beforeSubmitPrompt', { prompt: 'hi' })],
  ['Stop', payload('stop', { status: 'completed', loop_count: 1 })],
  [
    'SubagentStart',
    payload('subagentStart', { subagent_id: 's1', subagent_type: 'task', parent_conversation_id: 'p1' }),
  ],
])

function payloadFor(kind: EventKind): string {
  return DOCUMENTED.get(kind) ?? payload(nameOfKind(CURSOR, kind) ?? kind, kind.includes('Tool') ? CALL : {})
}

/** By the source of its SDK, for entries that fail closed: an answer that is no JSON object stops. */
function obeys(reply: Reply, event: Event): Obeyed {
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  const gate = ['PreToolUse', 'SubagentStart', 'UserPromptSubmit'].includes(event.kind)
  if (reply.exitCode === 2) return { does: 'stops', reason: reply.stderr }
  const body = bodyOf(reply)
  if (body === undefined && event.kind === 'PreToolUse') return { does: 'stops', reason: 'the hook failed' }
  const context = typeof body?.additional_context === 'string' ? { context: body.additional_context } : {}
  if (gate && body?.permission === 'deny')
    return { does: 'stops', reason: String(body.agent_message), ...notice, ...context }
  if (gate && body?.permission !== undefined) return { does: 'goes on', ...notice }
  if (gate && body?.continue === false) return { does: 'stops', reason: String(body.user_message), ...notice }
  if (['Stop', 'SubagentStop'].includes(event.kind) && typeof body?.followup_message === 'string')
    return { does: 'stops', reason: body.followup_message, ...notice }
  return { does: 'goes on', ...notice, ...context }
}

hostContract({ host, fixtures: DOCUMENTED, payloadFor, obeys })

function decoded(name: string): Event {
  const result = host.decode({ payload: DOCUMENTED.get(name) ?? '', cwd: '/' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('Cursor', () => {
  it('is marked as not proved', () => {
    expect(host.notProved).toBe(true)
  })

  test.each([
    ['PreToolUse', { name: 'Bash', hostName: 'Shell', input: { command: 'ls' } }],
    ['PreToolUse.shell', { name: 'Bash', input: { command: 'ls', cwd: '/srv' } }],
    ['PreToolUse.read', { name: 'Read', input: { file_path: '/srv/.env' } }],
    ['PreToolUse.mcp', { name: 'mcp__git__push', server: 'git', input: { force: true } }],
  ])('%s is a call in the words of all hosts', (name, call) => {
    expect(toolOf(decoded(name))).toMatchObject(call)
  })

  it('takes the folder of the window where `cwd` is empty', () => {
    expect(decoded('PreToolUse')).toMatchObject({ session: 'c1', cwd: '/srv/project' })
  })

  it('knows the session of the parent when a sub-agent begins, and a stop that was held before', () => {
    expect(decoded('SubagentStart')).toMatchObject({ session: 'p1', agentId: 's1', agentType: 'task' })
    expect(decoded('Stop')).toMatchObject({ stopHookActive: true })
  })

  it('refuses an input that is a text and no object', () => {
    const wrong = payload('beforeMCPExecution', { tool_name: 'push', tool_input: '[1' })
    expect(host.decode({ payload: wrong, cwd: '/' })).toMatchObject({
      ok: false,
      problem: { key: 'tool_input' },
    })
  })

  it('answers `{}` where there is no opinion: an empty answer is a failure there', () => {
    const decision = {
      effect: 'pass',
      because: [],
      reasons: [],
      context: [],
      notices: [],
      findings: [],
      failed: [],
    }
    for (const kind of ['PreToolUse', 'Stop', 'UserPromptSubmit'])
      expect(host.encode(decision as never, decoded(kind)).stdout).toBe('{}\n')
  })

  it('leaves a payload of Grok Build, which reads the same file, to its own host', () => {
    expect(host.answersAs?.('{"hookEventName":"pre_tool_use","workspaceRoot":"/srv"}')).toBe('grok')
    expect(host.answersAs?.(DOCUMENTED.get('PreToolUse') ?? '')).toBeUndefined()
  })
})
