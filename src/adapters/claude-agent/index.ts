/** Published as `holdpoint/sdk/claude-agent`: the Claude Agent SDK's `query` with the hooks of a runtime. */
export type { Ask, PersonQuestion } from '../question.ts'
export { EVENTS, type HooksOptions, holdpointHooks, holdpointOptions } from './hooks.ts'
export type { SdkCanUseTool, SdkEvent, SdkHooks } from './sdk-types.ts'
