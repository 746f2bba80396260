import type { EventBase, EventFields, EventKind, ToolCall } from '../event.ts'
import type { Json } from '../json.ts'

/**
 * The fields of every event under the names that Claude Code uses, which other agents have adopted. This table reads
 * the payloads of hosts, checks events of embedding programs, and writes events for hook programs.
 */
export type ClaudeField =
  | TextField
  | OptionalTextField
  | FlagField
  | NumberField
  | JsonField
  | ToolField
  | CallsField

/** If missing: empty, unless the event cannot be checked without it. */
export interface TextField {
  readonly kind: 'text'
  readonly key: string
  readonly required?: true
}
export interface OptionalTextField {
  readonly kind: 'optionalText'
  readonly key: string
}
/** If missing: false. */
export interface FlagField {
  readonly kind: 'flag'
  readonly key: string
}
export interface NumberField {
  readonly kind: 'number'
  readonly key: string
}
export interface JsonField {
  readonly kind: 'json'
  readonly key: string
  readonly missing: Json
}
/** The keys of `TOOL_KEYS`. Always required. */
export interface ToolField {
  readonly kind: 'tool'
}
/** A list of calls, each with its output. */
export interface CallsField {
  readonly kind: 'calls'
  readonly key: string
}

type FieldOf<Value> = [Value] extends [ToolCall]
  ? ToolField
  : [Value] extends [boolean]
    ? FlagField
    : [Value] extends [string]
      ? TextField
      : [Value] extends [string | undefined]
        ? OptionalTextField
        : [Value] extends [number | undefined]
          ? NumberField
          : [Value] extends [readonly ToolCall[]]
            ? CallsField
            : JsonField

type KindFields<K extends EventKind> = {
  readonly [F in keyof EventFields[K]]-?: FieldOf<EventFields[K][F]>
}

const text = (key: string): TextField => ({ kind: 'text', key })
const optional = (key: string): OptionalTextField => ({ kind: 'optionalText', key })
const flag = (key: string): FlagField => ({ kind: 'flag', key })
const TOOL: ToolField = { kind: 'tool' }
const DURATION: NumberField = { kind: 'number', key: 'duration_ms' }
const STOP = { stopHookActive: flag('stop_hook_active'), lastMessage: optional('last_assistant_message') }
const MODELS = { fromModel: text('from_model'), toModel: text('to_model') }
const TASK = { taskId: text('task_id'), subject: text('task_subject') }

/** Complete, and typed by the events: a new field does not compile until it has a name here. */
const CLAUDE_FIELDS: { readonly [K in EventKind]: KindFields<K> } = {
  PreToolUse: { tool: TOOL },
  PermissionRequest: {
    tool: TOOL,
    suggestions: { kind: 'json', key: 'permission_suggestions', missing: Object.freeze([]) },
  },
  PermissionDenied: { tool: TOOL, reason: text('reason') },
  PostToolUse: {
    tool: TOOL,
    output: { kind: 'json', key: 'tool_response', missing: null },
    durationMs: DURATION,
  },
  PostToolUseFailure: {
    tool: TOOL,
    error: text('error'),
    interrupted: flag('is_interrupt'),
    durationMs: DURATION,
  },
  PostToolBatch: { calls: { kind: 'calls', key: 'tool_calls' } },
  UserPromptSubmit: { prompt: { ...text('prompt'), required: true }, source: optional('source') },
  UserPromptExpansion: {
    expansion: text('expansion_type'),
    command: text('command_name'),
    args: text('command_args'),
    prompt: text('prompt'),
  },
  SessionStart: { source: text('source'), model: optional('model') },
  SessionEnd: { reason: text('reason') },
  Setup: { trigger: text('trigger') },
  Stop: STOP,
  SubagentStart: {},
  SubagentStop: { ...STOP, agentTranscriptPath: optional('agent_transcript_path') },
  StopFailure: { error: text('error'), lastMessage: optional('last_assistant_message') },
  PreCompact: { trigger: text('trigger'), instructions: optional('custom_instructions') },
  PostCompact: { trigger: text('trigger'), summary: text('compact_summary') },
  PreModelSwitch: MODELS,
  PostModelSwitch: MODELS,
  Notification: { message: text('message'), notification: text('notification_type') },
  TeammateIdle: { teammate: text('teammate_name'), team: text('team_name') },
  TaskCreated: TASK,
  TaskCompleted: TASK,
  Elicitation: { server: text('mcp_server_name'), message: text('message') },
  ElicitationResult: { server: text('mcp_server_name'), action: text('action') },
  ConfigChange: { source: text('source'), file: optional('file_path') },
  WorktreeCreate: { worktree: text('name') },
  WorktreeRemove: { worktree: text('worktree_path') },
  InstructionsLoaded: {
    file: text('file_path'),
    memory: text('memory_type'),
    loadReason: text('load_reason'),
  },
  CwdChanged: { oldCwd: text('old_cwd'), newCwd: text('new_cwd') },
  FileChanged: { file: text('file_path'), change: text('event') },
  DirectoryAdded: { directory: text('directory'), source: text('source') },
  MessageDisplay: { text: text('delta'), final: flag('final') },
  Unknown: {},
}

/** The same table, for code that loops over the fields of an event whose kind is only known at run time. */
export function claudeFieldsOf(kind: EventKind): readonly (readonly [field: string, ClaudeField])[] {
  let entries = ENTRIES.get(kind)
  if (entries === undefined) {
    entries = Object.entries(CLAUDE_FIELDS[kind])
    ENTRIES.set(kind, entries)
  }
  return entries
}

const ENTRIES = new Map<EventKind, readonly (readonly [field: string, ClaudeField])[]>()

/** The name of the event. */
export const EVENT_KEY = 'hook_event_name'

/** The fields that all events have. `cwd` and the session are always present. */
export const BASE_KEYS = {
  session: 'session_id',
  cwd: 'cwd',
  agentId: 'agent_id',
  agentType: 'agent_type',
  permissionMode: 'permission_mode',
  promptId: 'prompt_id',
  transcriptPath: 'transcript_path',
} as const satisfies Readonly<Record<Exclude<keyof EventBase, 'host' | 'name' | 'raw'>, string>>

/** One tool call. `server` is an object with a name. `output` is only present in a list of calls. */
export const TOOL_KEYS = {
  name: 'tool_name',
  input: 'tool_input',
  useId: 'tool_use_id',
  server: 'mcp_server',
  output: 'tool_response',
} as const
