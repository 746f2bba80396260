import type { Hook, Run } from './hook.ts'
import { isObject, type Json, type JsonObject, textAt } from './json.ts'

/** An act a person lets through though a guard stops it: exactly that act, and nothing like it. */
export interface Exception {
  /** What a person types. */
  readonly code: string
  /** The hash of guard, tool, input, folder and project. */
  readonly act: string
  readonly guard: string
  /** Until when; missing: for good. */
  readonly untilMs?: number
  /** For one use, by this agent of this session. */
  readonly once?: { readonly session: string; readonly agent: string }
}

/** What people have excepted and paused, as a plan carries it to the guards of one pack. */
export interface Leave {
  readonly exceptions: readonly Exception[]
  /** The pack is off until then; 0: it is not paused. */
  readonly pausedUntilMs: number
}

/** Among a pack's options; what a configuration file writes there is dropped by `withLeave`. */
const KEY = 'holdpoint'

/** The options with this leave and no other. */
export function withLeave(options: JsonObject, { exceptions, pausedUntilMs }: Leave): JsonObject {
  const rest = withoutLeave(options)
  if (exceptions.length === 0 && pausedUntilMs === 0) return rest
  return { ...rest, [KEY]: { exceptions: exceptions.map(asJson), pausedUntilMs } }
}

export function withoutLeave(options: JsonObject): JsonObject {
  const { [KEY]: _leave, ...rest } = options
  return rest
}

export function leaveOf(run: Run): Leave {
  const options = isObject(run.options) ? run.options : {}
  const leave = isObject(options[KEY]) ? options[KEY] : {}
  const list = Array.isArray(leave.exceptions) ? leave.exceptions : []
  const until = leave.pausedUntilMs
  return { exceptions: list.flatMap(readException), pausedUntilMs: typeof until === 'number' ? until : 0 }
}

/** Which packs are paused now, and until when the last of them is. */
export function pausedNow(
  hooks: readonly Hook[],
  nowMs: number,
): { readonly packs: readonly string[]; readonly untilMs: number } | undefined {
  const paused = hooks.filter(({ run }) => run.type === 'guard' && leaveOf(run).pausedUntilMs > nowMs)
  if (paused.length === 0) return undefined
  const packs = new Set(paused.map(({ run }) => String(run.pack)))
  return { packs: [...packs], untilMs: Math.max(...paused.map(({ run }) => leaveOf(run).pausedUntilMs)) }
}

/** One that is not whole excepts nothing. */
export function readException(value: Json): readonly Exception[] {
  if (!isObject(value)) return []
  const [code, act, guard] = [textAt(value, 'code'), textAt(value, 'act'), textAt(value, 'guard')]
  if (code === undefined || act === undefined || guard === undefined) return []
  const { untilMs, once } = value
  if (untilMs !== undefined && typeof untilMs !== 'number') return []
  const until = untilMs === undefined ? {} : { untilMs }
  if (once === undefined) return [{ code, act, guard, ...until }]
  if (!isObject(once)) return []
  const [session, agent] = [textAt(once, 'session'), textAt(once, 'agent')]
  if (session === undefined || agent === undefined) return []
  return [{ code, act, guard, ...until, once: { session, agent } }]
}

function asJson({ code, act, guard, untilMs, once }: Exception): JsonObject {
  return {
    ...{ code, act, guard },
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(once === undefined ? {} : { once: { session: once.session, agent: once.agent } }),
  }
}
