import { describe, expect, it } from 'vitest'
import { eventOf } from '../../library/testing/events.ts'
import { EVENT_KINDS, type EventKind, type ToolCall } from '../event.ts'
import type { Json, JsonObject } from '../json.ts'
import { BASE_KEYS, type ClaudeField, claudeFieldsOf } from './claude-fields.ts'
import { readClaudeFields, writeClaudeJson } from './claude-json.ts'

const TOOL: ToolCall = { name: 'Bash', input: { command: 'ls' }, useId: 'call-1', server: 'files' }
const same = (call: ToolCall) => call

/** A value that is not the default. */
function exampleOf(field: ClaudeField): unknown {
  switch (field.kind) {
    case 'text':
    case 'optionalText':
      return `a ${field.key}`
    case 'flag':
      return true
    case 'number':
      return 7
    case 'json':
      return { code: 1, message: 'the answer of a tool' }
    case 'tool':
      return TOOL
    case 'calls':
      return [{ ...TOOL, output: 'x' }]
  }
}

const fieldsOf = (kind: EventKind) =>
  Object.fromEntries(claudeFieldsOf(kind).map(([name, field]) => [name, exampleOf(field)]))
const read = (kind: EventKind, payload: JsonObject) => readClaudeFields(kind, payload, same)

describe('the table of event fields', () => {
  it.each(EVENT_KINDS)('reads back the %s event that it wrote', (kind) => {
    const fields = fieldsOf(kind)
    const written = writeClaudeJson(eventOf(kind, fields))
    expect(written.hook_event_name).toBe(kind)
    expect(read(kind, JSON.parse(JSON.stringify(written)) as JsonObject)).toEqual({ ok: true, value: fields })
  })

  it('requires only the tool call, or the prompt', () => {
    expect(EVENT_KINDS.filter((kind) => !read(kind, {}).ok)).toEqual([
      'UserPromptSubmit',
      'PreToolUse',
      'PermissionRequest',
      'PermissionDenied',
      'PostToolUse',
      'PostToolUseFailure',
    ])
  })

  it('names the fields that all events have', () => {
    const base = { agentId: 'a', agentType: 'b', permissionMode: 'c', promptId: 'd', transcriptPath: 'e' }
    const written = writeClaudeJson(eventOf('Setup', { trigger: 'init', ...base }))
    expect(written).toEqual({
      hook_event_name: 'Setup',
      trigger: 'init',
      session_id: 'session-1',
      cwd: '/srv/project',
      agent_id: 'a',
      agent_type: 'b',
      permission_mode: 'c',
      prompt_id: 'd',
      transcript_path: 'e',
    })
    expect(Object.values(BASE_KEYS).every((key) => key in written)).toBe(true)
  })
})

describe('an event sent by a host', () => {
  const written = (kind: EventKind, fields: object, raw: Readonly<Record<string, Json>>) =>
    writeClaudeJson(eventOf(kind, { ...fields, raw }))

  it('keeps fields that the table does not name', () => {
    expect(written('PreToolUse', { tool: TOOL }, { effort: 'high', tool_input: {} })).toMatchObject({
      effort: 'high',
      tool_input: { command: 'ls' },
    })
  })

  it('is written with the changes that hooks made', () => {
    const fields = { tool: TOOL, error: 'masked', interrupted: false }
    expect(written('PostToolUseFailure', fields, { error: 'token' }).error).toBe('masked')
  })

  it('keeps a field of a different type, which the event does not contain', () => {
    expect(written('SessionEnd', { reason: '' }, { reason: { because: 'x' } }).reason).toEqual({
      because: 'x',
    })
    expect(written('Stop', { stopHookActive: false }, {})).not.toHaveProperty('stop_hook_active')
  })

  it('keeps the host’s own data about calls and servers, which has more detail', () => {
    const calls = [{ tool_name: 'Task', tool_input: {}, duration_ms: 3 }]
    expect(written('PostToolBatch', { calls: [TOOL] }, { tool_calls: calls }).tool_calls).toEqual(calls)
    const server = { name: 'files', transport: 'stdio' }
    expect(written('PreToolUse', { tool: TOOL }, { mcp_server: server }).mcp_server).toEqual(server)
  })
})
