/** MassGen's moments. The two older names mean the same moments and stay in use in older hooks. */
export const HookType = {
  PRE_TOOL_USE: 'PreToolUse',
  POST_TOOL_USE: 'PostToolUse',
  PRE_CALL: 'pre_call',
  POST_CALL: 'post_call',
} as const

export type HookType = (typeof HookType)[keyof typeof HookType]

/** The event of ours a hook type stands for; undefined for a word that is none. */
export function toolEventOf(type: unknown): 'PreToolUse' | 'PostToolUse' | undefined {
  if (type === HookType.PRE_TOOL_USE || type === HookType.PRE_CALL) return 'PreToolUse'
  return type === HookType.POST_TOOL_USE || type === HookType.POST_CALL ? 'PostToolUse' : undefined
}
