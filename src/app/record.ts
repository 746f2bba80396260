import type { Actor } from '../core/actor.ts'
import type { Answer, Decision } from '../core/decision.ts'
import { type Event, toolOf } from '../core/event.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { type Masker, redact, redactJson } from '../core/redact/redact.ts'
import type { JournalRecord } from '../storage/journal/store.ts'

export interface RecordContext {
  readonly id: string
  readonly at: Date
  readonly project: string
  readonly revision: string
  readonly durationMs: number
  /** A repeated delivery that was answered with the recorded decision. */
  readonly repeated: boolean
  /** Keep the whole event, for `replay`. */
  readonly keepInput?: boolean
  /** Packs that a person has paused. */
  readonly paused?: readonly string[]
  /** The user's own patterns. */
  readonly maskers: readonly Masker[]
}

/** What the journal stores about an event and its decision: masked first, then shortened. */
export function recordOf(
  event: Event,
  actor: Actor,
  decision: Decision,
  context: RecordContext,
): JournalRecord {
  const tool = toolOf(event)?.name
  const hide = (text: string, max: number) => shorten(redact(text, context.maskers), max)
  const input = recordedInput(event, context.maskers)
  const reason = decision.reasons.map((each) => each.text).join('\n')
  const failed = decision.failed.map(
    (each) => `${each.hook}: ${each.failure.failure} (${each.failure.message})`,
  )
  const extra = {
    ...(context.repeated ? { repeated: true } : {}),
    ...(context.paused === undefined ? {} : { paused: [...context.paused] }),
    ...(decision.downgraded === undefined ? {} : { downgraded: decision.downgraded }),
    ...(decision.rewrite === undefined ? {} : { rewritten: true }),
    ...(actor.skills.length === 0 ? {} : { skills: actor.skills.map((skill) => shorten(skill, NAME_MAX)) }),
    ...(event.name === event.kind ? {} : { name: shorten(event.name, NAME_MAX) }),
    ...('durationMs' in event ? { toolMs: event.durationMs } : {}),
    ...callOf(event),
    ...parentOf(event, actor),
    ...transcriptOf(event),
    ...(context.keepInput === true ? eventOf(event, context.maskers) : {}),
    ...stopsOf(decision, context.maskers),
    ...owedOf(decision, context.maskers),
    ...approvalOf(decision, context.maskers),
  }
  return {
    id: context.id,
    at: context.at.toISOString(),
    host: event.host,
    event: event.kind,
    session: shorten(event.session, NAME_MAX),
    ...(event.agentId === undefined ? {} : { agent: shorten(event.agentId, NAME_MAX) }),
    ...(actor.agentType === undefined ? {} : { agentType: shorten(actor.agentType, NAME_MAX) }),
    ...(tool === undefined ? {} : { tool: shorten(tool, NAME_MAX) }),
    ...(input === undefined ? {} : { input }),
    cwd: shorten(event.cwd, NAME_MAX),
    project: shorten(context.project, NAME_MAX),
    effect: decision.effect,
    because: decision.because,
    ...(reason === '' ? {} : { reason: hide(reason, REASON_MAX) }),
    ...(failed.length === 0 ? {} : { failed: failed.map((text) => hide(text, REASON_MAX)) }),
    ...(decision.notices.length === 0
      ? {}
      : { notices: decision.notices.map((text) => hide(text, REASON_MAX)) }),
    durationMs: Math.round(context.durationMs * 1000) / 1000,
    revision: context.revision,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

/** What an agent that wanted to stop had not done, by contract. */
function owedOf(decision: Decision, maskers: readonly Masker[]): JsonObject {
  const owed = decision.findings.flatMap(({ hook, guard, detail }): readonly JsonObject[] => {
    if (detail === undefined || !isObject(detail) || !Array.isArray(detail.missing)) return []
    const missing = detail.missing
      .slice(0, OWED_MAX)
      .map((text) => shorten(redact(String(text), maskers), NAME_MAX))
    return missing.length === 0 ? [] : [{ by: guard ?? hook, missing }]
  })
  return owed.length === 0 ? {} : { owed }
}

const OWED_MAX = 20

/** Who answered a question of Holdpoint itself, where and how. */
function approvalOf({ approval }: Decision, maskers: readonly Masker[]): JsonObject {
  if (approval === undefined || approval.kind === 'nobody') return {}
  const waitedMs = Math.round(approval.waitedMs)
  if (approval.kind === 'late' || approval.kind === 'closed') {
    return { approval: { answer: approval.kind, waitedMs } }
  }
  const { user, terminal, how } = approval.by
  const by = { by: shorten(user, NAME_MAX), terminal: shorten(terminal, NAME_MAX), how }
  if (approval.kind === 'approved') return { approval: { answer: approval.scope, ...by, waitedMs } }
  const reason = shorten(redact(approval.reason, maskers), REASON_MAX)
  return { approval: { answer: 'denied', ...by, waitedMs, reason } }
}

/**
 * The host's id of the call: it joins the events of one call, and a transcript with the journal. Reports
 * count by it.
 */
function callOf(event: Event): JsonObject {
  const useId = toolOf(event)?.useId
  return useId === undefined ? {} : { call: shorten(useId, NAME_MAX) }
}

/** Who started a sub-agent, so that a session can be shown as a tree. */
function parentOf({ kind }: Event, { parent }: Actor): JsonObject {
  const isEdge = kind === 'SubagentStart' || kind === 'SubagentStop'
  return isEdge && parent !== undefined ? { parent: shorten(parent, NAME_MAX) } : {}
}

/** The transcript of a session that ended, so that it can be compared with the decisions. */
function transcriptOf({ kind, transcriptPath }: Event): JsonObject {
  return kind === 'SessionEnd' && transcriptPath !== undefined
    ? { transcript: shorten(transcriptPath, NAME_MAX) }
    : {}
}

/**
 * The fields of the event that are not in every record, masked. `masked` is the number of masked values: a replay must
 * know that it does not see the original. An event that is too large is left out, and the record says so.
 */
function eventOf(event: Event, maskers: readonly Masker[]): JsonObject {
  const { host, name, session, agentId, agentType, cwd, raw, kind, promptId, transcriptPath, ...fields } =
    event
  const text = jsonOf(fields)
  if (text === undefined || text.length > EVENT_MAX) return { eventLeftOut: true }
  const whole: Json = JSON.parse(text)
  const masked = redactJson(whole, maskers)
  return { event: masked, ...(JSON.stringify(masked) === text ? {} : { eventMasked: true }) }
}

/** What guards reported about each stop, for `explain` and `allow`: masked, and every text shortened. */
function stopsOf(decision: Decision, maskers: readonly Masker[]): JsonObject {
  const stops = decision.findings.flatMap((finding): readonly JsonObject[] => {
    const stop = stopOf(finding.hook, finding)
    return stop === undefined ? [] : [shortened(stop, maskers)]
  })
  return stops.length === 0 ? {} : { stops }
}

/** What a guard reported about one stop; undefined if there is nothing. */
export function stopOf(hook: string, { guard, effect, detail }: Answer): JsonObject | undefined {
  if ((effect !== 'deny' && effect !== 'ask') || !isObject(detail) || typeof detail.does !== 'string') {
    return undefined
  }
  return { ...detail, guard: guard ?? hook, decided: effect }
}

function shortened(detail: JsonObject, maskers: readonly Masker[]): JsonObject {
  const entries = Object.entries(detail).map(([key, value]): [string, Json] => {
    if (key === 'act' || key === 'code') return [key, value]
    const masked = redactJson(value, maskers)
    return [key, typeof masked === 'string' ? shorten(masked, REASON_MAX) : masked]
  })
  return Object.fromEntries(entries)
}

const INPUT_MAX = 2_000
/** The size limit of a stored event. A record must stay far below the limit of a spool line. */
const EVENT_MAX = 200_000
const REASON_MAX = 1_000
/** Names and paths come from outside and may have any length. */
const NAME_MAX = 1_000
/**
 * Masking reads every character, so a huge input is cut first, with a margin so that a secret at the cut is
 * removed completely.
 */
const MASKED_MAX = 20_000

/** What the event is about, masked and shortened. */
export function recordedInput(
  event: Event,
  maskers: readonly Masker[],
  max: number = INPUT_MAX,
): string | undefined {
  const input = inputOf(event, maskers)
  return input === undefined ? undefined : shorten(input, max)
}

/** A command as text, any other input as JSON, a prompt or last message. */
function inputOf(event: Event, maskers: readonly Masker[]): string | undefined {
  const tool = toolOf(event)
  const mask = (text: string) => redact(text.slice(0, MASKED_MAX), maskers)
  if (tool !== undefined) {
    const { command } = tool.input
    if (typeof command === 'string') return mask(command)
    const json = jsonOf(tool.input)
    if (json === undefined) return TOO_DEEP
    return json.length <= MASKED_MAX ? JSON.stringify(redactJson(tool.input, maskers)) : mask(json)
  }
  const text = 'prompt' in event ? event.prompt : 'lastMessage' in event ? event.lastMessage : undefined
  return text === undefined ? undefined : mask(text)
}

const TOO_DEEP = '(nested too deeply to be recorded)'

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
