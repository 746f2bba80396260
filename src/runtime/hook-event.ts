import { bad, good, type Problem, type Result } from '../errors.ts'
import { EVENT_KINDS, type Event, type EventKind } from '../event.ts'
import { frozenCopy, isObject, type Json, type JsonObject } from '../json.ts'
import { type Field, KIND_READERS } from './event-fields.ts'

/**
 * What an embedding program says happened, or is about to: plain JSON. Only `kind` must be there, and what the kind
 * cannot be judged without: `tool` where there is a call, `prompt` where there is one. The other fields of a kind stand
 * beside it, under the names of `EventOf<kind>`; what nobody knows reaches hooks in `event.raw`.
 */
export interface HookEvent {
  readonly kind: EventKind
  /** Which conversation. Missing: the runtime's own; a program that has several at a time must name them. */
  readonly session?: string | undefined
  /** Which agent of the session, where there are several. Missing: the main one. */
  readonly agent?: string | undefined
  /** What the agent was started as. Missing: its own name. */
  readonly agentType?: string | undefined
  readonly cwd?: string | undefined
  readonly permissionMode?: string | undefined
  readonly promptId?: string | undefined
  readonly transcriptPath?: string | undefined
  readonly tool?: HookTool | undefined
  /** What the tool returned (PostToolUse). */
  readonly output?: Json | undefined
  /** Why the tool failed (PostToolUseFailure). */
  readonly error?: string | undefined
  /** What the person wrote (UserPromptSubmit). */
  readonly prompt?: string | undefined
  /** True when this stop follows one that was held (Stop, SubagentStop). */
  readonly stopHookActive?: boolean | undefined
  /** What the agent said last (Stop, SubagentStop). */
  readonly lastMessage?: string | undefined
  readonly [field: string]: Json | HookTool | undefined
}

export interface HookTool {
  readonly name: string
  readonly input: JsonObject
  /** Names the call: the same one asked about again gets the first answer, if hooks remembered something at it. */
  readonly useId?: string | undefined
  readonly server?: string | undefined
}

/** What an event gets where it says nothing. */
export interface EventDefaults {
  readonly session: string
  readonly cwd: string
}

/**
 * The program's words to our event: copied and frozen, so that neither the program nor a hook can change what others
 * see. Anything that cannot be judged, or would not survive JSON, is a problem.
 */
export function readEvent(given: unknown, defaults: EventDefaults): Result<Event> {
  if (!isObject(given)) return bad('PAYLOAD_NOT_OBJECT', 'An event is an object with a `kind`.')
  const kind = kindOf(given)
  const reader = KIND_READERS.get(kind ?? '')
  if (kind === undefined || reader === undefined) {
    return bad('EVENT_UNKNOWN', `There is no event ${shown(given.kind)}. Events: ${EVENT_KINDS.join(', ')}.`)
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

/** The kind, if it is one. */
export function kindOf(given: unknown): EventKind | undefined {
  const kind = isObject(given) ? given.kind : undefined
  return typeof kind === 'string' && KIND_READERS.has(kind) ? (kind as EventKind) : undefined
}

const LIBRARY = 'library'
const NOTHING: JsonObject = Object.freeze({})

interface Draft {
  [field: string]: unknown
  raw: JsonObject
}

/** The fields all events have, and the names they have there. */
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

/** Known fields go into the event, and into `raw` as programs know them; a call and its output only into the event. */
function take(draft: Draft, key: string, value: unknown, field: Field): Problem | undefined {
  const read = field.read(value)
  if (read === undefined) return wrong(key, field.accepted, value)
  draft[key] = read
  return field.spelled === undefined ? undefined : takeUnknown(draft, field.spelled, read)
}

/** What no table names survives in `raw`, for hooks that know better. */
function takeUnknown(draft: Draft, key: string, value: unknown): Problem | undefined {
  const copy = frozenCopy(value)
  if (copy === undefined) return wrong(key, 'JSON', value)
  if (draft.raw === NOTHING) draft.raw = {}
  // Assigned, a key called `__proto__` would set the prototype.
  Object.defineProperty(draft.raw, key, { value: copy, enumerable: true, configurable: true })
  return undefined
}

function wrong(key: string, accepted: string, value: unknown): Problem {
  const seen = value === undefined ? 'it is missing' : `it is ${shown(value)}`
  return { code: 'PAYLOAD_FIELD', key, message: `\`${key}\` must be ${accepted}; ${seen}.` }
}

/** A value for a message, whatever it is. */
function shown(value: unknown): string {
  if (value === undefined) return 'without a kind'
  const json = frozenCopy(value)
  return json === undefined ? 'or holds something that is not JSON' : JSON.stringify(json).slice(0, 60)
}
