/** The library. Named exports only; nothing else is public. */

export type { Actor } from './core/actor.ts'
export type { Answer, Context, Decision, Effect, Failure, Finding } from './core/decision.ts'
export {
  defineHook,
  type HookAnswer,
  type HookContext,
  type HookDefinition,
  type ShortAnswer,
} from './core/define-hook.ts'
export { defineGuard, definePack, type GuardWithOptions } from './core/define-pack.ts'
export {
  describeProblem,
  ERRORS,
  type ErrorCode,
  HoldpointError,
  type Problem,
  type Result,
} from './core/errors.ts'
export { EVENT_KINDS, type Event, type EventKind, type EventOf, type ToolCall } from './core/event.ts'
export type { Facts } from './core/facts.ts'
export type { Example, Guard, GuardInput, GuardMatch, Level, Mode, Pack } from './core/guard.ts'
export type { FailureKind, FailurePolicy, Hook, OnFailure, Rank } from './core/hook.ts'
export type { Json, JsonObject } from './core/json.ts'
export type { OptionSchema, OptionsOf, PackOptions } from './core/pack-options.ts'
export type { StateStore } from './core/state/state.ts'
export { VERSION } from './core/version.ts'
export type { HookEvent, HookEventBase, HookTool } from './library/hook-event.ts'
export type { HookFailure, HookResult, InjectionStrategy, Injections } from './library/hook-result.ts'
export type { PackChoice, RuntimeOptions } from './library/options.ts'
export type {
  CommandDefinition,
  HandlerDefinition,
  OverrideOptions,
  RegisteredHook,
  RegisterOptions,
  Registration,
} from './library/registration.ts'
export { createRuntime, type Runtime } from './library/runtime.ts'
export type { HookRun } from './library/trace.ts'
export { createFileState } from './storage/state/file-state.ts'
export { createMemoryState, type MemoryStateOptions } from './storage/state/memory-state.ts'
