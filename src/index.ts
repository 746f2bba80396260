/** The library: the vocabulary, the engine and the contracts. Named exports only; nothing else is public. */
export type { Actor } from './actor.ts'
export { combine } from './combine.ts'
export type { HookEntry, Layer, PackEntry, Settings } from './config.ts'
export type { Answer, Context, Decision, Effect, Failure, Finding, Reply } from './decision.ts'
export {
  defineHook,
  type HookAnswer,
  type HookContext,
  type HookDefinition,
  type ShortAnswer,
} from './define-hook.ts'
export { createEngine } from './engine.ts'
export {
  describeProblem,
  ERRORS,
  type ErrorCode,
  HoldpointError,
  type Problem,
  type Result,
} from './errors.ts'
export { evaluate } from './evaluate.ts'
export { EVENT_KINDS, type Event, type EventKind, type EventOf, type ToolCall } from './event.ts'
export type { Facts } from './facts.ts'
export type { Call, Callable, Handler, Runner } from './handlers/handler.ts'
export type { FailureKind, FailurePolicy, Hook, OnFailure, Rank } from './hook.ts'
export type { Abilities, Host, HostRequest } from './hosts/host.ts'
export type { Json, JsonObject } from './json.ts'
export type { Engine, Surroundings } from './judge.ts'
export type { Guard, Pack } from './packs/guard.ts'
export { buildPlan, type Plan } from './plan.ts'
export { createResponder, type HookRequest, type HookResponse, type Responder } from './responder.ts'
export type { HookEvent, HookTool } from './runtime/hook-event.ts'
export type { HookFailure, HookResult, InjectionStrategy, Injections } from './runtime/hook-result.ts'
export type { RuntimeOptions } from './runtime/options.ts'
export type {
  CommandDefinition,
  HandlerDefinition,
  OverrideOptions,
  RegisteredHook,
  RegisterOptions,
  Registration,
} from './runtime/registration.ts'
export type { HookRun } from './runtime/trace.ts'
export { createRuntime, type Runtime } from './runtime.ts'
export type { Source } from './sources/source.ts'
export { createFileState } from './state/file-state.ts'
export { createMemoryState, type MemoryStateOptions } from './state/memory-state.ts'
export type { StateStore } from './state/state.ts'
export type { JournalRecord, Store } from './stores/store.ts'
export { VERSION } from './version.ts'
export { type Home, homeLayout } from './world/home.ts'
export { liveFacts } from './world/live-facts.ts'
