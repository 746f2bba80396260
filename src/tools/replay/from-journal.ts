import type { Effect } from '../../core/decision.ts'
import { EVENT_KINDS, type Event, type EventBase, type EventKind, type ToolCall } from '../../core/event.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { PATCH_FILES_MAX, patchFiles } from '../../core/patch.ts'
import { wordSet } from '../../core/word-list.ts'
import type { JournalRecord, StoredRecord } from '../../storage/journal/store.ts'
import type { Doubt } from '../history/decide-call.ts'
import type { RecordedEvent } from './recorded.ts'

/** The event of a record. Undefined: it is not an event of an agent, or the record holds too little to build one. */
export function eventOfRecord({ seq, record }: StoredRecord): RecordedEvent | undefined {
  const kind = EVENT_KINDS.find((known) => known === record.event)
  const at = new Date(record.at)
  if (kind === undefined || kind === 'Unknown' || record.host === 'person' || Number.isNaN(at.getTime())) {
    return undefined
  }
  const kept = keptEvent(kind, record) ?? shortEvent(kind, record)
  if (kept === undefined) return undefined
  const [by] = record.because
  return {
    position: seq,
    at,
    event: kept.event,
    project: record.project,
    doubts: kept.doubts,
    ...(DECIDED.has(kind) ? {} : { isContext: true }),
    decided: { effect: effectOf(record), revision: record.revision, ...(by === undefined ? {} : { by }) },
  }
}

/** What was decided, before it was fitted to a host that cannot ask, or answered by a person. */
function effectOf({ effect, extra }: JournalRecord): Effect {
  const downgraded = Array.isArray(extra?.downgraded) ? extra.downgraded : []
  return downgraded.some((each) => String(each).startsWith('ask to ')) ? 'ask' : effect
}

/** Events at which an agent can be stopped. */
const DECIDED: ReadonlySet<EventKind> = new Set<EventKind>([
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
])

interface Rebuilt {
  readonly event: Event
  readonly doubts: readonly Doubt[]
}

/** As `journal: { keepInput: true }` keeps it. */
function keptEvent(kind: EventKind, record: JournalRecord): Rebuilt | undefined {
  const { event, eventMasked } = record.extra ?? {}
  if (!isObject(event)) return undefined
  const made = { ...baseOf(record), kind, ...event } as unknown as Event
  if (NEEDS_TOOL.has(kind) && !hasTool(event)) return undefined
  return { event: made, doubts: eventMasked === true ? ['masked'] : [] }
}

/** What a record always holds: the tool and the start of its input, or the start of a text. */
function shortEvent(kind: EventKind, record: JournalRecord): Rebuilt | undefined {
  const doubts = doubtsOf(record)
  const base = baseOf(record)
  const text = record.input ?? ''
  switch (kind) {
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'PostToolUse': {
      const tool = toolOf(record)
      if (tool === undefined) return undefined
      if (kind === 'PreToolUse') return { event: { ...base, kind, tool }, doubts }
      if (kind === 'PermissionRequest') return { event: { ...base, kind, tool, suggestions: null }, doubts }
      return { event: { ...base, kind, tool, output: null }, doubts: [...doubts, 'no input'] }
    }
    case 'UserPromptSubmit':
      return { event: { ...base, kind, prompt: text }, doubts }
    case 'Stop':
    case 'SubagentStop':
      return { event: { ...base, kind, stopHookActive: false, lastMessage: text }, doubts }
    case 'SubagentStart':
      return { event: { ...base, kind }, doubts: [] }
    default:
      return undefined
  }
}

const NEEDS_TOOL: ReadonlySet<EventKind> = new Set<EventKind>([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
])

function hasTool({ tool }: JsonObject): boolean {
  return isObject(tool) && typeof tool.name === 'string' && isObject(tool.input)
}

function baseOf(record: JournalRecord): EventBase {
  const { extra = {} } = record
  return {
    host: record.host,
    name: textAt(extra, 'name') ?? record.event,
    session: record.session,
    ...(record.agent === undefined ? {} : { agentId: record.agent }),
    ...(record.agentType === undefined ? {} : { agentType: record.agentType }),
    cwd: record.cwd,
    raw: {},
  }
}

/** A command is kept as its text, any other input as JSON. */
function toolOf(record: JournalRecord): ToolCall | undefined {
  const { tool: name, input: text } = record
  if (name === undefined) return undefined
  const input = inputOf(name, text)
  const useId = textAt(record.extra ?? {}, 'call')
  const files = name === 'apply_patch' ? patchFiles(text ?? '').slice(0, PATCH_FILES_MAX) : undefined
  return { name, input, ...(useId === undefined ? {} : { useId }), ...(files === undefined ? {} : { files }) }
}

function inputOf(name: string, text: string | undefined): JsonObject {
  if (text === undefined) return {}
  if (COMMAND_TOOLS.has(name) || !text.startsWith('{')) return { command: text }
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : { command: text }
  } catch {
    // A command of any other tool, or JSON that was shortened: the record is doubted for that.
    return { command: text }
  }
}

/** A record keeps the command of a call as it is, and any other input as JSON. */
const COMMAND_TOOLS = wordSet('Bash PowerShell apply_patch')

function doubtsOf({ input, tool }: JournalRecord): readonly Doubt[] {
  if (input === undefined) return tool === undefined ? [] : ['no input']
  return [
    ...(input.length > SHORTENED && input.endsWith('…') ? (['shortened'] as const) : []),
    ...(input.includes('[redacted:') ? (['masked'] as const) : []),
    ...(input.startsWith('(nested too deeply') ? (['no input'] as const) : []),
  ]
}

/** What a record keeps of an input at most. */
const SHORTENED = 2_000
