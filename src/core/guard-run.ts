import type { HandlerSpec } from './hook.ts'
import type { JsonObject } from './json.ts'

/** A guard in a plan: which one, and what happens when it finds something. */
export type GuardRun = HandlerSpec & {
  readonly type: 'guard'
  readonly pack: string
  readonly guard: string
  readonly mode: string
  readonly options: JsonObject
}

/** Undefined if the hook is not a guard of a pack. */
export function guardRunOf(run: HandlerSpec): GuardRun | undefined {
  return run.type === 'guard' ? (run as GuardRun) : undefined
}
