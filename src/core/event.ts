import type { Json, JsonObject } from './json.ts'

/**
 * What an agent is about to do, or did: canonical, typed, independent of the host. Hosts map their own names to these
 * kinds; the host's payload is kept unchanged in `raw`. The kinds are those of Claude Code, which has the most,
 * plus `Unknown` for an event that is in no table (it is recorded and answered with the host's empty reply).
 */
export type Event = { [K in EventKind]: EventBase & { readonly kind: K } & EventFields[K] }[EventKind]

export type EventOf<K extends EventKind> = Extract<Event, { kind: K }>

export interface EventBase {
  readonly host: string
  /** The event name as the host spelled it. */
  readonly name: string
  readonly session: string
  /** Set only inside a sub-agent. */
  readonly agentId?: string
  /** The sub-agent's type; on the main thread, the agent it was started as. */
  readonly agentType?: string
  readonly cwd: string
  readonly permissionMode?: string
  readonly promptId?: string
  readonly transcriptPath?: string
  readonly raw: JsonObject
}

export interface ToolCall {
  /** Canonical tool name (`Bash`, `Read`, `Agent`, `mcp__server__tool`, ...). */
  readonly name: string
  /** The host's own name of the tool, where it is another. */
  readonly hostName?: string
  readonly input: JsonObject
  /** The host's id of this call. It makes a second delivery recognisable. */
  readonly useId?: string
  readonly server?: string
  /** The files that a call with several changes touches, if the host sends them in its own format (a patch). */
  readonly files?: readonly ToolFile[]
  /** The skill that this call loads, on a host without a tool for that: its agents read the file of the skill. */
  readonly loadsSkill?: string
  /** How a call starts an agent in the background. Missing: by the field `run_in_background`. */
  readonly background?: Background
}

/** `never`: the host has no such option, and the caller always waits. */
export type Background =
  | 'never'
  | {
      readonly isOn: boolean
      /** What the call must contain, in the host's own words. */
      readonly option: string
    }

export interface ToolFile {
  readonly path: string
  readonly change: 'add' | 'update' | 'delete'
}

export interface EventFields {
  PreToolUse: { readonly tool: ToolCall }
  PermissionRequest: { readonly tool: ToolCall; readonly suggestions: Json }
  PermissionDenied: { readonly tool: ToolCall; readonly reason: string }
  PostToolUse: { readonly tool: ToolCall; readonly output: Json; readonly durationMs?: number }
  PostToolUseFailure: {
    readonly tool: ToolCall
    readonly error: string
    readonly interrupted: boolean
    readonly durationMs?: number
  }
  PostToolBatch: { readonly calls: readonly (ToolCall & { readonly output: Json })[] }
  UserPromptSubmit: { readonly prompt: string; readonly source?: string }
  UserPromptExpansion: {
    readonly expansion: string
    readonly command: string
    readonly args: string
    readonly prompt: string
  }
  SessionStart: { readonly source: string; readonly model?: string }
  SessionEnd: { readonly reason: string }
  Setup: { readonly trigger: string }
  Stop: { readonly stopHookActive: boolean; readonly lastMessage?: string }
  SubagentStart: object
  SubagentStop: {
    readonly stopHookActive: boolean
    readonly lastMessage?: string
    readonly agentTranscriptPath?: string
  }
  StopFailure: { readonly error: string; readonly lastMessage?: string }
  PreCompact: { readonly trigger: string; readonly instructions?: string }
  PostCompact: { readonly trigger: string; readonly summary: string }
  PreModelSwitch: { readonly fromModel: string; readonly toModel: string }
  PostModelSwitch: { readonly fromModel: string; readonly toModel: string }
  Notification: { readonly message: string; readonly notification: string }
  TeammateIdle: { readonly teammate: string; readonly team: string }
  TaskCreated: { readonly taskId: string; readonly subject: string }
  TaskCompleted: { readonly taskId: string; readonly subject: string }
  Elicitation: { readonly server: string; readonly message: string }
  ElicitationResult: { readonly server: string; readonly action: string }
  ConfigChange: { readonly source: string; readonly file?: string }
  WorktreeCreate: { readonly worktree: string }
  WorktreeRemove: { readonly worktree: string }
  InstructionsLoaded: { readonly file: string; readonly memory: string; readonly loadReason: string }
  CwdChanged: { readonly oldCwd: string; readonly newCwd: string }
  FileChanged: { readonly file: string; readonly change: string }
  DirectoryAdded: { readonly directory: string; readonly source: string }
  MessageDisplay: { readonly text: string; readonly final: boolean }
  Unknown: object
}

export type EventKind = keyof EventFields

/** Every kind, in the order in which they occur in a session. `satisfies` keeps the list and the type in step. */
export const EVENT_KINDS = Object.keys({
  Setup: 1,
  SessionStart: 1,
  InstructionsLoaded: 1,
  UserPromptSubmit: 1,
  UserPromptExpansion: 1,
  PreModelSwitch: 1,
  PostModelSwitch: 1,
  PreToolUse: 1,
  PermissionRequest: 1,
  PermissionDenied: 1,
  PostToolUse: 1,
  PostToolUseFailure: 1,
  PostToolBatch: 1,
  SubagentStart: 1,
  SubagentStop: 1,
  Elicitation: 1,
  ElicitationResult: 1,
  TaskCreated: 1,
  TaskCompleted: 1,
  TeammateIdle: 1,
  Notification: 1,
  MessageDisplay: 1,
  ConfigChange: 1,
  CwdChanged: 1,
  FileChanged: 1,
  DirectoryAdded: 1,
  WorktreeCreate: 1,
  WorktreeRemove: 1,
  PreCompact: 1,
  PostCompact: 1,
  Stop: 1,
  StopFailure: 1,
  SessionEnd: 1,
  Unknown: 1,
} satisfies Record<EventKind, 1>) as readonly EventKind[]

/** The tool call of an event that is about one call, else undefined. */
export function toolOf(event: Event): ToolCall | undefined {
  return 'tool' in event ? event.tool : undefined
}

/**
 * The word that matchers test: the tool name if there is a tool, otherwise what the host itself offers to
 * matchers (the source of a session start, the type of a sub-agent, ...). Undefined: only "all" matches.
 */
export function subjectOf(event: Event): string | undefined {
  switch (event.kind) {
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'PermissionDenied':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return event.tool.name
    case 'SubagentStart':
    case 'SubagentStop':
      return event.agentType ?? ''
    case 'SessionStart':
    case 'ConfigChange':
    case 'DirectoryAdded':
      return event.source
    case 'SessionEnd':
      return event.reason
    case 'Setup':
    case 'PreCompact':
    case 'PostCompact':
      return event.trigger
    case 'UserPromptExpansion':
      return event.command
    case 'PreModelSwitch':
    case 'PostModelSwitch':
      return event.toModel
    case 'Notification':
      return event.notification
    case 'Elicitation':
    case 'ElicitationResult':
      return event.server
    case 'InstructionsLoaded':
      return event.loadReason
    case 'FileChanged':
      return event.file
    case 'StopFailure':
      return event.error
    default:
      return undefined
  }
}

/**
 * Other names that match a tool. Older configurations say `Task`; the agent says `Agent`.
 * A hook that matched through another name still sees the canonical one.
 */
const TOOL_ALIASES: Readonly<Record<string, readonly string[]>> = {
  Agent: ['Task', 'spawn_agent'],
  apply_patch: ['Edit', 'Write'],
  TaskStop: ['KillShell', 'KillBash'],
  ListAgents: ['ListPeers'],
  SendUserMessage: ['Brief'],
  ListMcpResourcesTool: ['ListMcpResources'],
}

/** The name and all its other names. Names come from outside, so only the table's own entries count. */
export function namesOf(subject: string): readonly string[] {
  return Object.hasOwn(TOOL_ALIASES, subject) ? [subject, ...(TOOL_ALIASES[subject] ?? [])] : [subject]
}
