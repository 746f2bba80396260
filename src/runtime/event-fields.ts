import type { EventFields, EventKind, ToolCall } from '../event.ts'
import { frozenCopy, isObject, type Json } from '../json.ts'

/** One field of one kind of event as an embedding program gives it. */
export interface Field {
  /** What it means in the event, shared with nobody; undefined: it is not what it must be. */
  read(value: unknown): unknown
  readonly accepted: string
  /** What it is where it is missing. `needed`: without it nothing can be judged. Undefined: it stays missing. */
  readonly or?: 'needed' | { readonly value: Json }
  /** Its name in the JSON external programs read, which is Claude Code's. */
  readonly spelled?: string
}

type KindFields<K extends EventKind> = Readonly<Record<keyof EventFields[K] & string, Field>>

const isText = (value: unknown) => (typeof value === 'string' ? value : undefined)
const isFlag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const isNumber = (value: unknown) => (Number.isFinite(value) ? value : undefined)

/** Quiet where it is missing, as at the hosts: what else an event carries may still be judged. */
const text = (spelled: string): Field => ({
  read: isText,
  accepted: 'a string',
  or: { value: '' },
  spelled,
})
const maybe = (spelled: string): Field => ({ read: isText, accepted: 'a string', spelled })
const flag = (spelled: string): Field => ({
  read: isFlag,
  accepted: 'true or false',
  or: { value: false },
  spelled,
})
const TOOL: Field = { read: readTool, accepted: '{ name, input } with an input of JSON', or: 'needed' }
const DURATION: Field = { read: isNumber, accepted: 'a number', spelled: 'duration_ms' }
const OUTPUT: Field = { read: (value) => frozenCopy(value), accepted: 'JSON', or: { value: null } }
const STOP = { stopHookActive: flag('stop_hook_active'), lastMessage: maybe('last_assistant_message') }
const MODELS = { fromModel: text('from_model'), toModel: text('to_model') }
const TASK = { taskId: text('task_id'), subject: text('task_subject') }

/** Total, so that a new kind of event or field does not compile until it is said how programs give it. */
const FIELDS: { readonly [K in EventKind]: KindFields<K> } = {
  PreToolUse: { tool: TOOL },
  PermissionRequest: {
    tool: TOOL,
    suggestions: { ...OUTPUT, or: { value: Object.freeze([]) }, spelled: 'permission_suggestions' },
  },
  PermissionDenied: { tool: TOOL, reason: text('reason') },
  PostToolUse: { tool: TOOL, output: OUTPUT, durationMs: DURATION },
  PostToolUseFailure: {
    tool: TOOL,
    error: text('error'),
    interrupted: flag('is_interrupt'),
    durationMs: DURATION,
  },
  PostToolBatch: { calls: { read: readCalls, accepted: 'a list of { name, input, output }', or: 'needed' } },
  UserPromptSubmit: { prompt: { ...text('prompt'), or: 'needed' }, source: maybe('source') },
  UserPromptExpansion: {
    expansion: text('expansion_type'),
    command: text('command_name'),
    args: text('command_args'),
    prompt: text('prompt'),
  },
  SessionStart: { source: text('source'), model: maybe('model') },
  SessionEnd: { reason: text('reason') },
  Setup: { trigger: text('trigger') },
  Stop: STOP,
  SubagentStart: {},
  SubagentStop: { ...STOP, agentTranscriptPath: maybe('agent_transcript_path') },
  StopFailure: { error: text('error'), lastMessage: maybe('last_assistant_message') },
  PreCompact: { trigger: text('trigger'), instructions: maybe('custom_instructions') },
  PostCompact: { trigger: text('trigger'), summary: text('compact_summary') },
  PreModelSwitch: MODELS,
  PostModelSwitch: MODELS,
  Notification: { message: text('message'), notification: text('notification_type') },
  TeammateIdle: { teammate: text('teammate_name'), team: text('team_name') },
  TaskCreated: TASK,
  TaskCompleted: TASK,
  Elicitation: { server: text('mcp_server_name'), message: text('message') },
  ElicitationResult: { server: text('mcp_server_name'), action: text('action') },
  ConfigChange: { source: text('source'), file: maybe('file_path') },
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

export interface KindReader {
  readonly fields: ReadonlyMap<string, Field>
  /** The fields that mean something where they are missing. */
  readonly expected: readonly (readonly [string, Field])[]
}

export const KIND_READERS: ReadonlyMap<string, KindReader> = new Map(
  Object.entries<Readonly<Record<string, Field>>>(FIELDS).map(([kind, fields]) => {
    const all = Object.entries(fields)
    return [kind, { fields: new Map(all), expected: all.filter(([, { or }]) => or !== undefined) }]
  }),
)

function readTool(value: unknown): ToolCall | undefined {
  if (!isObject(value)) return undefined
  const { name, useId, server } = value
  if (typeof name !== 'string' || name === '' || !isOptionalText(useId) || !isOptionalText(server)) {
    return undefined
  }
  const input = frozenCopy(value.input)
  if (!isObject(input)) return undefined
  if (!useId && !server) return Object.freeze({ name, input })
  return Object.freeze({ name, input, ...(useId ? { useId } : {}), ...(server ? { server } : {}) })
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

type BatchCall = ToolCall & { readonly output: Json }

function readCalls(value: unknown): readonly BatchCall[] | undefined {
  if (!Array.isArray(value)) return undefined
  const calls: BatchCall[] = []
  for (const each of value as readonly unknown[]) {
    const call = readTool(each)
    const output = isObject(each) ? frozenCopy(each.output ?? null) : undefined
    if (call === undefined || output === undefined) return undefined
    calls.push(Object.freeze({ ...call, output }))
  }
  return Object.freeze(calls)
}
