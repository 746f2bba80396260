import { deadlinesOf, lastResortOf } from '../../core/deadlines.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Runtime } from '../../library/runtime.ts'
import type { Ask } from '../question.ts'
import { createCarried } from './carried.ts'
import { judgePayload, type QueryContext } from './judge-payload.ts'
import { permission } from './permission.ts'
import type { SdkCallback, SdkCanUseTool, SdkEvent, SdkHooks } from './sdk-types.ts'

export interface HooksOptions {
  /** The events to register. Missing: those of `EVENTS`. Each costs the agent a call. */
  readonly events?: readonly SdkEvent[]
}

/** The default events: everything that can be stopped, and the start and end of sessions. */
export const EVENTS: readonly SdkEvent[] = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Notification',
  'PreCompact',
  'Stop',
  'SessionEnd',
]

/** The `hooks` of the SDK's `query`: every event of the session goes through the runtime. */
export function holdpointHooks(runtime: Pick<Runtime, 'evaluate'>, options: HooksOptions = {}): SdkHooks {
  return hooksFor({ runtime, carried: createCarried() }, options.events ?? EVENTS, () => undefined)
}

/**
 * `hooks` and `canUseTool` together, for programs that can ask the user. PermissionRequest is then evaluated
 * inside `canUseTool`: a hook of that event would run in parallel with `canUseTool`, and the first answer
 * would win.
 */
export function holdpointOptions(
  runtime: Pick<Runtime, 'evaluate'>,
  { ask, events = EVENTS }: HooksOptions & { readonly ask: Ask },
): { hooks: SdkHooks; canUseTool: SdkCanUseTool } {
  const context: QueryContext = { runtime, carried: createCarried() }
  const calls = new Map<string, JsonObject>()
  const meet = (payload: unknown) => {
    if (!isObject(payload) || typeof payload.tool_use_id !== 'string') return
    // The input comes again with the question, and may be large.
    const { tool_input: _input, ...rest } = payload
    calls.set(payload.tool_use_id, rest)
    if (calls.size > CALLS_MAX) calls.delete(calls.keys().next().value ?? '')
  }
  const hooked = events.includes('PreToolUse') ? events : [...events, 'PreToolUse' as const]
  const hooks = hooksFor(
    context,
    hooked.filter((event) => event !== 'PermissionRequest'),
    meet,
  )
  return { hooks, canUseTool: permission(context, ask, calls) }
}

/** Calls whose permission question has not come yet. */
const CALLS_MAX = 1_000

function hooksFor(
  context: QueryContext,
  events: readonly SdkEvent[],
  meet: (payload: unknown) => void,
): SdkHooks {
  const callback: SdkCallback = (input, _toolUseID, { signal }) => {
    if (input.hook_event_name === 'PreToolUse') meet(input)
    return judgePayload(context, input, signal)
  }
  const matchers = events.map((event) => {
    const onFailure = lastResortOf(event) === 'deny' ? 'block' : 'continue'
    return [event, [{ hooks: [callback], timeout: deadlinesOf(event).hostMs / 1000, onFailure }]] as const
  })
  return Object.fromEntries(matchers) as SdkHooks
}
