import { bad, good, type Problem, type Result } from '../core/errors.ts'
import { EVENT_KINDS, type Event, type EventFields, type EventKind, type ToolCall } from '../core/event.ts'
import { frozenCopy, isObject, type Json, type JsonObject } from '../core/json.ts'
import { type Field, KIND_READERS } from './event-fields.ts'

/**
 * What the program says happened, or is about to happen: plain JSON. Only `kind` is required, and what the
 * kind needs: `tool` for a call, `prompt` for a prompt. The other fields of a kind have the names of
 * `EventOf<kind>`. At run time unknown fields are accepted too, and reach hooks in `event.raw`; declare an event
 * with such fields as `HookEvent & { … }`.
 *
 * @example
 * const event: HookEvent = { kind: 'PreToolUse', tool: { name: 'Bash', input: { command: 'ls' } } }
 */
export type HookEvent = {
  [Kind in EventKind]: HookEventBase & { readonly kind: Kind } & GivenFields<EventFields[Kind]>
}[EventKind]

/** Without these nothing can be decided; every other field of an event has a default. */
type NeededField = 'tool' | 'calls' | 'prompt'

type GivenFields<Fields> = {
  readonly [Name in keyof Fields as Name extends NeededField ? Name : never]: GivenValue<Fields[Name]>
} & {
  readonly [Name in keyof Fields as Name extends NeededField ? never : Name]?: Fields[Name] | undefined
}

type GivenValue<Value> = Value extends ToolCall
  ? HookTool
  : Value extends readonly unknown[]
    ? readonly (HookTool & { readonly output?: Json | undefined })[]
    : Value

/** The fields that every kind of event has. */
export interface HookEventBase {
  /** The conversation. Missing: the runtime's own. A program with several conversations must name them. */
  readonly session?: string | undefined
  /** The agent, if the session has several. Missing: the main agent. */
  readonly agent?: string | undefined
  /** The type of the agent. Missing: its own name. */
  readonly agentType?: string | undefined
  readonly cwd?: string | undefined
  readonly permissionMode?: string | undefined
  readonly promptId?: string | undefined
  readonly transcriptPath?: string | undefined
}

export interface HookTool {
  readonly name: string
  readonly input: JsonObject
  /**
   * The id of the call. If the same call is evaluated again, it gets the first answer, if hooks stored state
   * for it.
   */
  readonly useId?: string | undefined
  readonly server?: string | undefined
}

/** The defaults of an event. */
export interface EventDefaults {
  readonly session: string
  readonly cwd: string
}

/**
 * Turns the program's event into Holdpoint's: copied and frozen, so that neither the program nor a hook can
 * change what others see. A value that cannot be evaluated, or is not JSON, is a problem.
 */
export function readEvent(given: unknown, defaults: EventDefaults): Result<Event> {
  if (!isObject(given)) return bad('PAYLOAD_NOT_OBJECT', 'The event must be an object with a `kind`.')
  const kind = eventKindOf(given)
  const reader = KIND_READERS.get(kind ?? '')
  if (kind === undefined || reader === undefined) {
    return bad('EVENT_UNKNOWN', `Unknown event ${shown(given.kind)}. Events: ${EVENT_KINDS.join(', ')}.`)
  }
  const draft: Draft = {
    kind,
    host: LIBRARY,
    name: kind,
    session: defaults.session,
    cwd: defaults.cwd,
    raw: NOTHING,
  }
  for (const key of Object.keys(given)) {
    const value: unknown = given[key]
    if (value === undefined || key === 'kind') continue
    const field = reader.fields.get(key)
    const problem =
      field !== undefined
        ? take(draft, key, value, field)
        : BASE.has(key)
          ? takeBase(draft, key, value)
          : takeUnknown(draft, key, value)
    if (problem !== undefined) return { ok: false, problem }
  }
  for (const [key, { or, accepted }] of reader.expected) {
    if (draft[key] !== undefined || or === undefined) continue
    if (or === 'needed') return { ok: false, problem: wrong(key, accepted, undefined) }
    draft[key] = or.value
  }
  if (draft.agentType === undefined && draft.agentId !== undefined) draft.agentType = draft.agentId
  Object.freeze(draft.raw)
  return good(Object.freeze(draft) as unknown as Event)
}

/** The kind, if it is valid. */
export function eventKindOf(given: unknown): EventKind | undefined {
  const kind = isObject(given) ? given.kind : undefined
  return typeof kind === 'string' && KIND_READERS.has(kind) ? (kind as EventKind) : undefined
}

const LIBRARY = 'library'
const NOTHING: JsonObject = Object.freeze({})

interface Draft {
  [field: string]: unknown
  raw: JsonObject
}

/** The fields that all events have, and their names in the event. */
const BASE: ReadonlyMap<string, string> = new Map([
  ['session', 'session'],
  ['agent', 'agentId'],
  ['agentType', 'agentType'],
  ['cwd', 'cwd'],
  ['permissionMode', 'permissionMode'],
  ['promptId', 'promptId'],
  ['transcriptPath', 'transcriptPath'],
])

function takeBase(draft: Draft, key: string, value: unknown): Problem | undefined {
  if (typeof value !== 'string') return wrong(key, 'a string', value)
  if (value !== '') draft[BASE.get(key) ?? key] = value
  return undefined
}

/**
 * Known fields go into the event, and into `raw` under their known names; a call and its output only into the
 * event.
 */
function take(draft: Draft, key: string, value: unknown, field: Field): Problem | undefined {
  const read = field.read(value)
  if (read === undefined) return wrong(key, field.accepted, value)
  draft[key] = read
  return field.spelled === undefined ? undefined : takeUnknown(draft, field.spelled, read)
}

/** Unknown fields are kept in `raw`, for hooks that use them. */
function takeUnknown(draft: Draft, key: string, value: unknown): Problem | undefined {
  const copy = frozenCopy(value)
  if (copy === undefined) return wrong(key, 'JSON', value)
  if (draft.raw === NOTHING) draft.raw = {}
  // An assignment to a key called `__proto__` would set the prototype.
  Object.defineProperty(draft.raw, key, { value: copy, enumerable: true, configurable: true })
  return undefined
}

function wrong(key: string, accepted: string, value: unknown): Problem {
  const seen = value === undefined ? 'it is missing' : `it is ${shown(value)}`
  return { code: 'PAYLOAD_FIELD', key, message: `\`${key}\` must be ${accepted}; ${seen}.` }
}

/** Any value as text for a message. */
function shown(value: unknown): string {
  if (value === undefined) return 'without a kind'
  const json = frozenCopy(value)
  return json === undefined ? 'or contains something that is not JSON' : JSON.stringify(json).slice(0, 60)
}
