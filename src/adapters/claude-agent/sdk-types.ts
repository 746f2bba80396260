import type { EventKind } from '../../core/event.ts'

/**
 * The parts of the Claude Agent SDK's types that are needed here, copied so that installing Holdpoint does
 * not need the SDK. A test compares them with the SDK's own.
 */
export type SdkEvent = Exclude<EventKind, 'Unknown'>

export type SdkHooks = { [Name in SdkEvent]?: SdkMatcher<Name>[] }

export interface SdkMatcher<Name extends SdkEvent> {
  hooks: SdkCallback<Name>[]
  /** In seconds. */
  timeout: number
  /** What a failure of the callback does. An older SDK does not read it, and goes on. */
  onFailure: 'continue' | 'block'
}

export type SdkCallback<Name extends SdkEvent = SdkEvent> = (
  input: { readonly hook_event_name: string },
  toolUseID: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<SdkOutput<Name>>

/** An older SDK does not know the output of every event here, so the callback of an event has its own alone. */
export interface SdkOutput<Name extends SdkEvent = SdkEvent> {
  continue?: boolean
  stopReason?: string
  decision?: 'block'
  reason?: string
  systemMessage?: string
  hookSpecificOutput?: Name extends keyof SpecificOutputs ? SpecificOutputs[Name] : never
}

interface SpecificOutputs {
  PreToolUse: {
    hookEventName: 'PreToolUse'
    permissionDecision?: 'allow' | 'deny' | 'ask'
    permissionDecisionReason?: string
    updatedInput?: Record<string, unknown>
    additionalContext?: string
  }
  PermissionRequest: {
    hookEventName: 'PermissionRequest'
    decision:
      | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
      | { behavior: 'deny'; message: string }
  }
  PostToolUse: { hookEventName: 'PostToolUse'; additionalContext?: string; updatedToolOutput?: unknown }
  PostToolUseFailure: { hookEventName: 'PostToolUseFailure'; additionalContext?: string }
  UserPromptSubmit: { hookEventName: 'UserPromptSubmit'; additionalContext?: string }
  SessionStart: { hookEventName: 'SessionStart'; additionalContext?: string }
  SubagentStart: { hookEventName: 'SubagentStart'; additionalContext?: string }
  PreModelSwitch: {
    hookEventName: 'PreModelSwitch'
    permissionDecision?: 'allow' | 'deny' | 'ask'
    permissionDecisionReason?: string
  }
}

export type SdkCanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    readonly signal: AbortSignal
    /** An older SDK does not say it. */
    readonly toolUseID?: string
    readonly agentID?: string
    readonly decisionReason?: string
    readonly suggestions?: readonly unknown[]
  },
) => Promise<SdkPermission>

export type SdkPermission =
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  | { behavior: 'deny'; message: string }
