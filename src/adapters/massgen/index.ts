/**
 * Published as `holdpoint/massgen`: MassGen's hook framework with its own names. Methods are camelCase,
 * fields are MassGen's. It uses the same engine as everything else.
 */

export { HookType } from '../../core/formats/massgen-hook-type.ts'
export type {
  Execution,
  GivenInjection,
  GivenResult,
  Injection,
  Strategy,
} from '../../core/formats/massgen-result.ts'
export {
  type BackgroundResult,
  BackgroundToolCompleteHook,
  type CompletedJobs,
} from './built-ins/background-tool-complete.ts'
export { FileInbox, FileInboxHook, type PutOptions } from './built-ins/file-inbox.ts'
export { HighPriorityTaskReminderHook } from './built-ins/high-priority-task-reminder.ts'
export {
  type DeliveredInput,
  type HumanInput,
  HumanInputHook,
  HumanInputQueue,
} from './built-ins/human-input.ts'
export { type InjectionCallback, MidStreamInjectionHook } from './built-ins/mid-stream-injection.ts'
export { RoundTimeout, type RoundTimeoutOptions } from './built-ins/round-timeout.ts'
export {
  type PendingResults,
  SubagentCompleteHook,
  type SubagentResult,
} from './built-ins/subagent-complete.ts'
export {
  FunctionHook,
  type FunctionHookOptions,
  type HookCallable,
  type LegacyCallable,
  type LegacyContext,
  type Returned,
} from './function-hook.ts'
export { FunctionHookManager, type LegacyRegistration } from './function-hook-manager.ts'
export {
  type AgentHookOptions,
  GeneralHookManager,
  type GivenEvent,
  type ManagerOptions,
} from './general-hook-manager.ts'
export { HookEvent } from './hook-event.ts'
export { HookResult } from './hook-result.ts'
