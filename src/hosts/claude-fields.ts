import type { Problem } from '../errors.ts'
import type { EventFields, EventKind, ToolCall } from '../event.ts'
import { isObject, type Json, type JsonObject, textAt } from '../json.ts'

/**
 * The typed fields of each event of Claude Code, whose field names other agents have taken over. A field the event
 * cannot be judged without is required; everything else has a quiet default, because hosts add and drop fields
 * between versions and `raw` keeps the original.
 */
export type FieldReader<K extends EventKind> = (
  payload: JsonObject,
  canonical: CanonicalCall,
) => EventFields[K] | Problem

/** A call in the host's words to one in ours, or why it cannot be judged. */
export type CanonicalCall = (call: ToolCall) => ToolCall | Problem

export const FIELDS: { readonly [K in Exclude<EventKind, 'Unknown'>]: FieldReader<K> } = {
  PreToolUse: (p, c) => withTool(p, c, (tool) => ({ tool })),
  PermissionRequest: (p, c) =>
    withTool(p, c, (tool) => ({ tool, suggestions: p.permission_suggestions ?? [] })),
  PermissionDenied: (p, c) => withTool(p, c, (tool) => ({ tool, reason: text(p, 'reason') })),
  PostToolUse: (p, c) =>
    withTool(p, c, (tool) => ({ tool, output: p.tool_response ?? null, ...duration(p) })),
  PostToolUseFailure: (p, c) =>
    withTool(p, c, (tool) => ({
      tool,
      error: text(p, 'error'),
      interrupted: p.is_interrupt === true,
      ...duration(p),
    })),
  PostToolBatch: (p, c) => ({
    calls: Array.isArray(p.tool_calls) ? p.tool_calls.flatMap((call) => batchCall(call, c)) : [],
  }),
  UserPromptSubmit: (p) =>
    typeof p.prompt === 'string'
      ? { prompt: p.prompt, ...optional(p, 'source', 'source') }
      : wrong(p, 'prompt', 'a string'),
  UserPromptExpansion: (p) => ({
    expansion: text(p, 'expansion_type'),
    command: text(p, 'command_name'),
    args: text(p, 'command_args'),
    prompt: text(p, 'prompt'),
  }),
  SessionStart: (p) => ({ source: text(p, 'source'), ...optional(p, 'model', 'model') }),
  SessionEnd: (p) => ({ reason: text(p, 'reason') }),
  Setup: (p) => ({ trigger: text(p, 'trigger') }),
  Stop: stopFields,
  SubagentStart: () => ({}),
  SubagentStop: (p) => ({ ...stopFields(p), ...optional(p, 'agent_transcript_path', 'agentTranscriptPath') }),
  StopFailure: (p) => ({ error: text(p, 'error'), ...optional(p, 'last_assistant_message', 'lastMessage') }),
  PreCompact: (p) => ({ trigger: text(p, 'trigger'), ...optional(p, 'custom_instructions', 'instructions') }),
  PostCompact: (p) => ({ trigger: text(p, 'trigger'), summary: text(p, 'compact_summary') }),
  PreModelSwitch: modelFields,
  PostModelSwitch: modelFields,
  Notification: (p) => ({ message: text(p, 'message'), notification: text(p, 'notification_type') }),
  TeammateIdle: (p) => ({ teammate: text(p, 'teammate_name'), team: text(p, 'team_name') }),
  TaskCreated: taskFields,
  TaskCompleted: taskFields,
  Elicitation: (p) => ({ server: text(p, 'mcp_server_name'), message: text(p, 'message') }),
  ElicitationResult: (p) => ({ server: text(p, 'mcp_server_name'), action: text(p, 'action') }),
  ConfigChange: (p) => ({ source: text(p, 'source'), ...optional(p, 'file_path', 'file') }),
  WorktreeCreate: (p) => ({ worktree: text(p, 'name') }),
  WorktreeRemove: (p) => ({ worktree: text(p, 'worktree_path') }),
  InstructionsLoaded: (p) => ({
    file: text(p, 'file_path'),
    memory: text(p, 'memory_type'),
    loadReason: text(p, 'load_reason'),
  }),
  CwdChanged: (p) => ({ oldCwd: text(p, 'old_cwd'), newCwd: text(p, 'new_cwd') }),
  FileChanged: (p) => ({ file: text(p, 'file_path'), change: text(p, 'event') }),
  DirectoryAdded: (p) => ({ directory: text(p, 'directory'), source: text(p, 'source') }),
  MessageDisplay: (p) => ({ text: text(p, 'delta'), final: p.final === true }),
}

export function isProblem(value: object): value is Problem {
  return 'code' in value && 'message' in value
}

/** Reads the tool call, or says which of its two fields is wrong: without them nothing can be judged. */
function readTool(payload: JsonObject, canonical: CanonicalCall): ToolCall | Problem {
  const name = textAt(payload, 'tool_name')
  if (name === undefined) return wrong(payload, 'tool_name', 'a non-empty string')
  if (!isObject(payload.tool_input)) return wrong(payload, 'tool_input', 'an object')
  const server = isObject(payload.mcp_server) ? textAt(payload.mcp_server, 'name') : undefined
  const useId = textAt(payload, 'tool_use_id')
  return canonical({
    name,
    input: payload.tool_input,
    ...(useId === undefined ? {} : { useId }),
    ...(server === undefined ? {} : { server }),
  })
}

function withTool<T>(
  payload: JsonObject,
  canonical: CanonicalCall,
  make: (tool: ToolCall) => T,
): T | Problem {
  const tool = readTool(payload, canonical)
  return isProblem(tool) ? tool : make(tool)
}

function batchCall(call: Json, canonical: CanonicalCall): readonly (ToolCall & { output: Json })[] {
  if (!isObject(call)) return []
  const tool = readTool(call, canonical)
  return isProblem(tool) ? [] : [{ ...tool, output: call.tool_response ?? null }]
}

function stopFields(p: JsonObject): { stopHookActive: boolean; lastMessage?: string } {
  return {
    stopHookActive: p.stop_hook_active === true,
    ...optional(p, 'last_assistant_message', 'lastMessage'),
  }
}

function modelFields(p: JsonObject): { fromModel: string; toModel: string } {
  return { fromModel: text(p, 'from_model'), toModel: text(p, 'to_model') }
}

function taskFields(p: JsonObject): { taskId: string; subject: string } {
  return { taskId: text(p, 'task_id'), subject: text(p, 'task_subject') }
}

function text(payload: JsonObject, key: string): string {
  return textAt(payload, key) ?? ''
}

function optional<K extends string>(payload: JsonObject, key: string, as: K): { readonly [P in K]?: string } {
  const value = textAt(payload, key)
  return (value === undefined ? {} : { [as]: value }) as { readonly [P in K]?: string }
}

function duration(payload: JsonObject): { durationMs?: number } {
  return typeof payload.duration_ms === 'number' ? { durationMs: payload.duration_ms } : {}
}

/** What is wrong with a required field, without the whole of its value. */
export function wrong(payload: JsonObject, key: string, accepted: string): Problem {
  const value = payload[key]
  const seen = value === undefined ? 'it is missing' : `it is ${JSON.stringify(value).slice(0, 60)}`
  return { code: 'PAYLOAD_FIELD', key, message: `\`${key}\` must be ${accepted}; ${seen}.` }
}
