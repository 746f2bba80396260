import type { Agent, RunContext, ToolEnabledFunction } from '@openai/agents'

/** Any agent, tool and handoff of the SDK, whatever its context and output. */
export type AnyAgent = Parameters<ToolEnabledFunction>[1]
export type AnyTool = AnyAgent['tools'][number]
export type AnyHandoff = Exclude<AnyAgent['handoffs'][number], Agent>
export type AnyContext = RunContext
export type FunctionTool = Extract<AnyTool, { readonly type: 'function' }>
export type ShellTool = Extract<AnyTool, { readonly type: 'shell' }>
export type PatchTool = Extract<AnyTool, { readonly type: 'apply_patch' }>
export type ToolCallDetails = NonNullable<Parameters<FunctionTool['invoke']>[2]>
export type FunctionCall = NonNullable<ToolCallDetails['toolCall']>
