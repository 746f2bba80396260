/** MassGen's events. The two older names mean the same events and stay in use in older hooks. */
export const HookType = {
  PRE_TOOL_USE: 'PreToolUse',
  POST_TOOL_USE: 'PostToolUse',
  PRE_CALL: 'pre_call',
  POST_CALL: 'post_call',
} as const

export type HookType = (typeof HookType)[keyof typeof HookType]

/** Events that MassGen itself does not have. A file with `extendedEvents` and a manager may have hooks at them. */
export const EXTENDED_HOOK_TYPES = [
  'PostToolUseFailure',
  'UserPromptSubmit',
  'SessionStart',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'SessionEnd',
] as const

export type ExtendedHookType = (typeof EXTENDED_HOOK_TYPES)[number]
export type AnyHookType = HookType | ExtendedHookType

/** The event of ours that a hook type stands for; undefined for a word that is not one. */
export function hookEventOf(type: unknown): 'PreToolUse' | 'PostToolUse' | ExtendedHookType | undefined {
  return toolEventOf(type) ?? EXTENDED_HOOK_TYPES.find((known) => known === type)
}

/** The same for MassGen's own two. */
export function toolEventOf(type: unknown): 'PreToolUse' | 'PostToolUse' | undefined {
  if (type === HookType.PRE_TOOL_USE || type === HookType.PRE_CALL) return 'PreToolUse'
  return type === HookType.POST_TOOL_USE || type === HookType.POST_CALL ? 'PostToolUse' : undefined
}
