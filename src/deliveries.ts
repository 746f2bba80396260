import { actorKey } from './actor.ts'
import { andThen } from './and-then.ts'
import type { Decision } from './decision.ts'
import type { Desk } from './desk.ts'
import { type Event, toolOf } from './event.ts'
import type { JsonObject } from './json.ts'
import type { SessionState } from './state/state.ts'

/** A host may deliver one event twice: it is judged once, and what was decided then is said again. */
const SECOND_DELIVERY_MS = 2_000

/**
 * The decision of an earlier delivery of the very same event: same id, same tool, same input. Ids alone do not do:
 * some models count them anew in every turn.
 */
export function recordedFor(
  event: Event,
  session: SessionState,
  desk: Desk,
): JsonObject | undefined | Promise<JsonObject | undefined> {
  const prefix = session.recorded.size === 0 ? undefined : keyPrefix(event, desk)
  if (prefix === undefined) return undefined
  const candidates = [...session.recorded].filter(([key]) => key.startsWith(prefix))
  if (candidates.length === 0) return undefined
  return andThen(desk.hash(inputText(event)), (hash) => {
    const marked = `${prefix}${hash}`
    return candidates.find(([key]) => key === marked || isRecent(key, marked, desk))?.[1]
  })
}

/** Without an id of the host's, a second delivery is told by its time too. */
function isRecent(key: string, marked: string, desk: Desk): boolean {
  const atMs = key.startsWith(`${marked}@`) ? Number(key.slice(marked.length + 1)) : Number.NaN
  return desk.facts.now().getTime() - atMs <= SECOND_DELIVERY_MS
}

/** What a delivery is known by, up to its input. Undefined: two deliveries of this event are two events. */
function keyPrefix(event: Event, desk: Desk): string | undefined {
  const tool = toolOf(event)
  const who = `${event.kind}/${actorKey(event.agentId)}`
  if (tool?.useId !== undefined) return `${who}/${tool.useId}/${tool.name}#`
  const isStop = event.kind === 'Stop' || event.kind === 'SubagentStop'
  return desk.deliversTwice && !isStop ? `${who}//${tool?.name ?? ''}#` : undefined
}

function inputText(event: Event): string {
  return JSON.stringify(toolOf(event)?.input ?? event.raw)
}

/** What this delivery is recorded under. Undefined: two of them are two events. */
export function keyOf(
  event: Event,
  desk: Desk,
  atMs: number,
): string | undefined | Promise<string | undefined> {
  const prefix = keyPrefix(event, desk)
  if (prefix === undefined) return undefined
  const at = toolOf(event)?.useId === undefined ? `@${atMs}` : ''
  return andThen(desk.hash(inputText(event)), (hash) => `${prefix}${hash}${at}`)
}

/** What of a decision a second delivery needs. */
export function recordable(decision: Decision): JsonObject {
  const { findings: _findings, failed: _failed, ...rest } = decision
  return JSON.parse(JSON.stringify(rest)) as JsonObject
}
