import { actorKey } from '../actor.ts'
import type { Decision } from '../decision.ts'
import { type Event, toolOf } from '../event.ts'
import type { JsonObject } from '../json.ts'
import type { SessionState } from '../state/state.ts'
import type { DecideContext } from './decide-context.ts'

/** A host may deliver one event twice. It is decided once, and the second delivery gets the same answer. */
const SECOND_DELIVERY_MS = 2_000

/**
 * The decision of an earlier delivery of the same event: same id, same tool, same input. The id alone is not enough,
 * because some models restart their ids in every turn.
 */
export function recordedFor(
  event: Event,
  session: SessionState,
  context: DecideContext,
): JsonObject | undefined {
  const prefix = session.recorded.size === 0 ? undefined : keyPrefix(event, context)
  if (prefix === undefined) return undefined
  const keys = byPrefix(session.recorded).get(prefix)
  if (keys === undefined) return undefined
  const marked = `${prefix}${context.hash(inputText(event))}`
  const found = keys.find(
    (key) => key === marked || isRecent(key, marked, context) || isOfThisTime(key, marked, context),
  )
  return found === undefined ? undefined : session.recorded.get(found)
}

/** The keys that begin alike. Made once for a state of the session: every event of it asks. */
function byPrefix(recorded: SessionState['recorded']): ReadonlyMap<string, readonly string[]> {
  const known = PREFIXES.get(recorded)
  if (known !== undefined) return known
  const made = new Map<string, string[]>()
  for (const key of recorded.keys()) {
    const prefix = key.slice(0, key.lastIndexOf('#') + 1)
    const others = made.get(prefix)
    if (others === undefined) made.set(prefix, [key])
    else others.push(key)
  }
  PREFIXES.set(recorded, made)
  return made
}

const PREFIXES = new WeakMap<SessionState['recorded'], ReadonlyMap<string, readonly string[]>>()

/**
 * The key of a denial that changes nothing in the session. It is kept for seconds only: a model that restarts its ids may
 * try the same call again later, when it is allowed. Two deliveries at the same moment have the same key.
 */
export function denialKey(event: Event, context: DecideContext, atMs: number): string | undefined {
  if (!context.deliversTwice || toolOf(event)?.useId === undefined) return undefined
  return `${keyPrefix(event, context)}${context.hash(inputText(event))}~${Math.floor(atMs / DENIAL_MS)}`
}

const DENIAL_MS = 10_000

function isOfThisTime(key: string, marked: string, context: DecideContext): boolean {
  const period = key.startsWith(`${marked}~`) ? Number(key.slice(marked.length + 1)) : Number.NaN
  return Math.abs(Math.floor(context.facts.now().getTime() / DENIAL_MS) - period) <= 1
}

/** The answer to a second delivery. Another hook of the host has already informed the agent and the user. */
export function answerAgain(recorded: JsonObject, context: DecideContext): JsonObject {
  const { entry, ...said } = recorded
  return entry === undefined || entry === (context.entry ?? '') ? said : { ...said, context: [], notices: [] }
}

/** If the host sends no id, a second delivery is also recognised by its time. */
function isRecent(key: string, marked: string, context: DecideContext): boolean {
  const atMs = key.startsWith(`${marked}@`) ? Number(key.slice(marked.length + 1)) : Number.NaN
  return context.facts.now().getTime() - atMs <= SECOND_DELIVERY_MS
}

/** Identifies a delivery, except for its input. Undefined: two deliveries of this event are two events. */
function keyPrefix(event: Event, context: DecideContext): string | undefined {
  const tool = toolOf(event)
  // A decision fits one host: if two hosts have a session with the same id, neither may get the answer of the other.
  const who = `${event.host}/${event.kind}/${actorKey(event.agentId)}`
  if (tool?.useId !== undefined) return `${who}/${tool.useId}/${tool.name}#`
  const isStop = event.kind === 'Stop' || event.kind === 'SubagentStop'
  return context.deliversTwice && !isStop ? `${who}//${tool?.name ?? ''}#` : undefined
}

function inputText(event: Event): string {
  return JSON.stringify(toolOf(event)?.input ?? event.raw)
}

/** The key this delivery is recorded under. Undefined: two deliveries are two events. */
export function deliveryKey(event: Event, context: DecideContext, atMs: number): string | undefined {
  const prefix = keyPrefix(event, context)
  if (prefix === undefined) return undefined
  const at = toolOf(event)?.useId === undefined ? `@${atMs}` : ''
  return `${prefix}${context.hash(inputText(event))}${at}`
}

/** The parts of a decision that a second delivery needs, and which entry of the host got it. */
export function recordable(decision: Decision, context: DecideContext): JsonObject {
  const { findings: _findings, failed: _failed, ...rest } = decision
  return JSON.parse(JSON.stringify({ ...rest, entry: context.entry ?? '' })) as JsonObject
}
