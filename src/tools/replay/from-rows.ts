import { bad, good, type Result } from '../../core/errors.ts'
import { type Event, toolOf } from '../../core/event.ts'
import { writeClaudeJson } from '../../core/formats/claude-json.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import { type Masker, redactJson } from '../../core/redact/redact.ts'
import { findHost } from '../../hosts/find-host.ts'
import type { RecordedEvent } from './recorded.ts'

/**
 * One line of a file of events: `{"command"}` or `{"event"}`, with optional `host`, `session`, `at`, `cwd`, `project`. The event
 * is the payload of a hook. This is what `--save` writes and what can be committed.
 */
export async function eventOfRow(
  line: string,
  position: number,
  project: string,
): Promise<Result<RecordedEvent>> {
  const row = parsed(line)
  if (row === undefined) return bad('ROW_INVALID', `Line ${position} is not a JSON object.`)
  const cwd = textAt(row, 'cwd') ?? project
  const payload = payloadOf(row, cwd)
  if (payload === undefined)
    return bad('ROW_INVALID', `Line ${position} has neither \`command\` nor \`event\`.`)
  const host = await findHost(textAt(row, 'host') ?? 'claude-code')
  if (!host.ok) return host
  const event = host.value.decode({ payload: JSON.stringify(payload), cwd })
  if (!event.ok) return event
  const at = new Date(textAt(row, 'at') ?? 0)
  const masked = line.includes('[redacted:')
  return good({
    position,
    at: Number.isNaN(at.getTime()) ? new Date(0) : at,
    event: event.value,
    project: textAt(row, 'project') ?? project,
    doubts: masked ? ['masked'] : [],
    ...(row.isContext === true ? { isContext: true } : {}),
  })
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function payloadOf(row: JsonObject, cwd: string): JsonObject | undefined {
  const session = { session_id: textAt(row, 'session') ?? 'replay' }
  if (typeof row.command === 'string') {
    const call = { tool_name: 'Bash', tool_input: { command: row.command } }
    return { ...session, cwd, hook_event_name: 'PreToolUse', ...call }
  }
  return isObject(row.event) ? { ...session, cwd, ...row.event } : undefined
}

/** Names that stand for others in a sample that may be published. */
export interface Anonymiser {
  rowOf(recorded: RecordedEvent): JsonObject
}

/** Folders, sessions and agents get invented names, and secrets are masked. What else a command says is kept. */
export function createAnonymiser(home: string, maskers: readonly Masker[]): Anonymiser {
  const sessions = new Map<string, string>()
  const agents = new Map<string, string>()
  const named = (table: Map<string, string>, prefix: string, name: string) => {
    const known = table.get(name) ?? `${prefix}${table.size + 1}`
    table.set(name, known)
    return known
  }
  return {
    rowOf({ at, event, project, isContext }) {
      const hide = (value: Json) => redactJson(placesHidden(value, project, home), maskers)
      const { agentId } = event
      const fields = writeClaudeJson({
        ...event,
        session: named(sessions, 's', event.session),
        ...(agentId === undefined ? {} : { agentId: named(agents, 'a', agentId) }),
      } as Event)
      const { transcript_path, ...payload } = fields
      // Only Codex's own decode knows which files a patch touches.
      const host = toolOf(event)?.name === 'apply_patch' ? 'codex' : 'claude-code'
      const row = { at: at.toISOString(), host, project: '/srv/project', event: payload }
      return { ...(hide(row) as JsonObject), ...(isContext === true ? { isContext } : {}) }
    },
  }
}

function placesHidden(value: Json, project: string, home: string): Json {
  const text = JSON.stringify(value)
    .replaceAll(JSON.stringify(project).slice(1, -1), '/srv/project')
    .replaceAll(JSON.stringify(home).slice(1, -1), '/home/dev')
  return JSON.parse(text) as Json
}
