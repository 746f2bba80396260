import { type JsonObject, textAt } from '../../core/json.ts'
import type { TranscriptItem, TranscriptReader } from '../../core/transcript.ts'
import { userFolder } from '../hook-entry.ts'
import { type MadeBy, messageItems, outcomeOf } from '../pi-messages.ts'
import { callItem, objectIn, partAt } from '../transcript-call.ts'

/** Sessions that people began, with those of the sub-agents below them. A sub-agent knows only the key of its parent. */
const FAMILY = `
WITH RECURSIVE family(session_id, session_key, root) AS (
  SELECT session_id, session_key, session_id FROM session_windows WHERE spawned_by IS NULL
  UNION
  SELECT child.session_id, child.session_key, family.root
  FROM session_windows child
  JOIN session_nodes node ON node.session_key = child.spawned_by
  JOIN family ON family.session_id = node.current_session_id
)`

/** OpenClaw has a database for each of its agents, `agents/<agent>/agent/openclaw-agent.sqlite`, with the lines of Pi. */
export const transcript: TranscriptReader = {
  host: 'openclaw',
  format: {
    sessions: `${FAMILY}
SELECT root AS session, SUM(COALESCE(LENGTH(event_json), event_utf8_bytes, 0)) AS bytes, MAX(created_at) AS changed
FROM family JOIN transcript_events USING (session_id) GROUP BY root`,
    lines: `${FAMILY}
SELECT event_json AS line, event_zstd AS line_zstd, session_id, session_key, root
FROM family JOIN transcript_events USING (session_id) WHERE root = ? ORDER BY created_at, session_id, seq`,
  },
  versions: { since: '2026.9.6', recorded: '2026.9.6', named: { format: '4' } },
  roots: (where) => [`${userFolder(where, 'OPENCLAW_STATE_DIR', '.openclaw')}/agents`],
  sessionAt: (path) => /(?:^|\/)([^/]+)\/agent\/openclaw-agent\.sqlite$/.exec(path)?.[1],
  sessionIn: (first) => textAt(first, 'root'),
  hints: [''],
  open: () => {
    /** The folder of each session. */
    const folders = new Map<string, string>()
    return (row) => {
      const line = objectIn(row.line)
      if (line === undefined) return [{ kind: 'unreadable', why: 'a line is compressed or damaged' }]
      const own = textAt(row, 'session_id') ?? ''
      if (line.type === 'session') {
        const cwd = textAt(line, 'cwd')
        if (cwd !== undefined) folders.set(own, cwd)
        const { version } = line
        return typeof version === 'number' ? [{ kind: 'version', version: `${version}` }] : []
      }
      const by = madeBy(row, folders.get(own))
      return [...messageItems(line, by), ...nestedItems(line, by)]
    }
  },
}

function madeBy(row: JsonObject, cwd: string | undefined): MadeBy {
  const key = textAt(row, 'session_key') ?? ''
  const base = { session: textAt(row, 'root'), cwd, event: 'before_tool_call' }
  if (!key.includes(':subagent:')) return base
  return { ...base, agentId: key, agentType: /^agent:([^:]+)/.exec(key)?.[1] }
}

/** A tool that was called through `tool_call` has a line of its own, with its result. */
function nestedItems(line: JsonObject, by: MadeBy): readonly TranscriptItem[] {
  const message = partAt(line, 'message')
  if (message.customType !== 'openclaw.nested-tool.v1') return []
  const details = partAt(message, 'details')
  const useId = textAt(details, 'toolCallId')
  const [name, at] = [textAt(details, 'toolName'), textAt(line, 'timestamp')]
  const call = callItem({ ...by, useId, name, input: details.input, at })
  if (useId === undefined || call.kind !== 'call') return [call]
  const outcome = outcomeOf({ ...partAt(details, 'result'), isError: details.isError ?? null })
  return [call, { kind: 'outcome', useId, ...outcome }]
}
