import type { Actor } from './actor.ts'
import type { Answer, Decision } from './decision.ts'
import { type Event, toolOf } from './event.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { type Masker, redact, redactJson } from './redact.ts'
import type { JournalRecord } from './stores/store.ts'

export interface RecordContext {
  readonly id: string
  readonly at: Date
  readonly project: string
  readonly revision: string
  readonly durationMs: number
  /** A delivery that was answered from the recorded decision. */
  readonly repeated: boolean
  /** The user's own patterns. */
  readonly maskers: readonly Masker[]
}

/** What the journal keeps of an event and its decision: masked first, then shortened. */
export function recordOf(
  event: Event,
  actor: Actor,
  decision: Decision,
  context: RecordContext,
): JournalRecord {
  const tool = toolOf(event)?.name
  const hide = (text: string, max: number) => shorten(redact(text, context.maskers), max)
  const input = inputOf(event, context.maskers)
  const reason = decision.reasons.map((each) => each.text).join('\n')
  const failed = decision.failed.map(
    (each) => `${each.hook}: ${each.failure.failure} (${each.failure.message})`,
  )
  const extra = {
    ...(context.repeated ? { repeated: true } : {}),
    ...(decision.downgraded === undefined ? {} : { downgraded: decision.downgraded }),
    ...(decision.rewrite === undefined ? {} : { rewritten: true }),
    ...(actor.skills.length === 0 ? {} : { skills: actor.skills.map((skill) => shorten(skill, NAME_MAX)) }),
    ...(event.name === event.kind ? {} : { name: shorten(event.name, NAME_MAX) }),
    ...('durationMs' in event ? { toolMs: event.durationMs } : {}),
    ...stopsOf(decision, context.maskers),
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
    ...(input === undefined ? {} : { input: shorten(input, INPUT_MAX) }),
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

/** What guards said of each stop, for `explain` and `allow`: masked, every text short. */
function stopsOf(decision: Decision, maskers: readonly Masker[]): JsonObject {
  const stops = decision.findings.flatMap((finding): readonly JsonObject[] => {
    const stop = stopOf(finding.hook, finding)
    return stop === undefined ? [] : [shortened(stop, maskers)]
  })
  return stops.length === 0 ? {} : { stops }
}

/** What a guard said of one stop; undefined where none did. */
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
const REASON_MAX = 1_000
/** Names and paths come from outside and may be of any length. */
const NAME_MAX = 1_000
/** Masking reads every character; a huge input is cut before it, with room for a secret at the edge to go whole. */
const MASKED_MAX = 20_000

/** What the event is about, masked: a command as text, any other input as JSON, a prompt or last message. */
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
