import { guardRunOf } from './guard-run.ts'
import type { HandlerSpec, Hook } from './hook.ts'
import { isObject, type Json, type JsonObject, textAt } from './json.ts'

/** A call that the user allows although a guard blocks it: exactly that call, and no similar one. */
export interface Exception {
  /** The code that a user types. */
  readonly code: string
  /** The hash of guard, tool, input, folder and project. */
  readonly act: string
  readonly guard: string
  /** End of the exception. Missing: permanent. */
  readonly untilMs?: number
  /** Valid once, for this agent of this session. */
  readonly once?: { readonly session: string; readonly agent: string }
}

/** The exceptions and pauses of the user, as a plan passes them to the guards of one pack. */
export interface Waivers {
  readonly exceptions: readonly Exception[]
  /** The pack is off until then. 0: it is not paused. */
  readonly pausedUntilMs: number
}

/** The line shown to the user with a block. The agent cannot use it. */
export function allowNotice(code: string): string {
  return `To allow exactly this call, run this in your own terminal: holdpoint allow ${code}`
}

/** Whether a notice is such a line. */
export function isAllowNotice(notice: string): boolean {
  return /holdpoint allow \w{4}-\w{4}$/.test(notice)
}

/** Key in a pack's options. `withLeave` drops a value that a configuration file sets. */
const KEY = 'holdpoint'

/** The options with these exceptions and no others. */
export function withWaivers(options: JsonObject, { exceptions, pausedUntilMs }: Waivers): JsonObject {
  const rest = withoutWaivers(options)
  if (exceptions.length === 0 && pausedUntilMs === 0) return rest
  return { ...rest, [KEY]: { exceptions: exceptions.map(asJson), pausedUntilMs } }
}

export function withoutWaivers(options: JsonObject): JsonObject {
  if (options[KEY] === undefined) return options
  const { [KEY]: _leave, ...rest } = options
  return rest
}

export function waiversOf(run: HandlerSpec): Waivers {
  const waivers = isObject(run.options) ? run.options[KEY] : undefined
  if (waivers === undefined || !isObject(waivers)) return NO_WAIVERS
  const list = Array.isArray(waivers.exceptions) ? waivers.exceptions : []
  const until = waivers.pausedUntilMs
  return { exceptions: list.flatMap(readException), pausedUntilMs: typeof until === 'number' ? until : 0 }
}

const NO_WAIVERS: Waivers = { exceptions: [], pausedUntilMs: 0 }

/** Which packs are paused now, and when the last pause ends. */
export function pausedNow(
  hooks: readonly Hook[],
  nowMs: number,
): { readonly packs: readonly string[]; readonly untilMs: number } | undefined {
  const paused = everPaused(hooks).filter(({ run }) => waiversOf(run).pausedUntilMs > nowMs)
  if (paused.length === 0) return undefined
  const packs = new Set(paused.map(({ run }) => String(run.pack)))
  return { packs: [...packs], untilMs: Math.max(...paused.map(({ run }) => waiversOf(run).pausedUntilMs)) }
}

/** Of the same plan, every record asks again. */
function everPaused(hooks: readonly Hook[]): readonly Hook[] {
  if (last?.hooks !== hooks) {
    const found = hooks.filter(({ run }) => guardRunOf(run) !== undefined && waiversOf(run).pausedUntilMs > 0)
    last = { hooks, found }
  }
  return last.found
}

let last: { readonly hooks: readonly Hook[]; readonly found: readonly Hook[] } | undefined

/** An incomplete exception is ignored. */
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

/** Where the memory of an agent notes that an exception for one use was used. */
export function usedKey(code: string): string {
  return `holdpoint/note/allowed/${code}`
}
