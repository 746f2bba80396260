import type { EventKind } from '../../core/event.ts'

/**
 * The parts of the Claude Agent SDK's types that are needed here, copied so that installing Holdpoint does
 * not need the SDK. A test compares them with the SDK's own.
 */
export type SdkEvent = Exclude<EventKind, 'Unknown'>

export type SdkHooks = { [Name in SdkEvent]?: SdkMatcher[] }

export interface SdkMatcher {
  hooks: SdkCallback[]
  /** In seconds. */
  timeout: number
  /** What a failure of the callback does. */
  onFailure: 'continue' | 'block'
}

export type SdkCallback = (
  input: { readonly hook_event_name: string },
  toolUseID: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<SdkOutput>

export interface SdkOutput {
  continue?: boolean
  stopReason?: string
  decision?: 'block'
  reason?: string
  systemMessage?: string
  hookSpecificOutput?: SpecificOutput
}

type SpecificOutput =
  | {
      hookEventName: 'PreToolUse'
      permissionDecision?: 'allow' | 'deny' | 'ask'
      permissionDecisionReason?: string
      updatedInput?: Record<string, unknown>
      additionalContext?: string
    }
  | {
      hookEventName: 'PermissionRequest'
      decision:
        | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
        | { behavior: 'deny'; message: string }
    }
  | { hookEventName: 'PostToolUse'; additionalContext?: string; updatedToolOutput?: unknown }
  | {
      hookEventName: 'PostToolUseFailure' | 'UserPromptSubmit' | 'SessionStart' | 'SubagentStart'
      additionalContext?: string
    }
  | {
      hookEventName: 'PreModelSwitch'
      permissionDecision?: 'allow' | 'deny' | 'ask'
      permissionDecisionReason?: string
    }

export type SdkCanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    readonly signal: AbortSignal
    readonly toolUseID: string
    readonly agentID?: string
    readonly decisionReason?: string
    readonly suggestions?: readonly unknown[]
  },
) => Promise<SdkPermission>

export type SdkPermission =
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  | { behavior: 'deny'; message: string }
