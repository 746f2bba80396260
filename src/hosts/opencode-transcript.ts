import { type JsonObject, textAt } from '../core/json.ts'
import { type CallOutcome, firstWords, type TranscriptReader } from '../core/transcript.ts'
import { userFolder } from './hook-entry.ts'
import { callItem, objectIn, partAt, timeOf } from './transcript-call.ts'

/** Sessions that people began, with those of the sub-agents below them. */
const FAMILY = `
WITH RECURSIVE family(id, root) AS (
  SELECT id, id FROM session WHERE parent_id IS NULL
  UNION
  SELECT child.id, family.root FROM session child JOIN family ON child.parent_id = family.id
)`

/** OpenCode, and Kilo, which is made from it, have one database, with a row for each part of a message. */
export function openCodeTranscript(host: string, version: string): TranscriptReader {
  return {
    host,
    format: {
      sessions: `${FAMILY}
SELECT root AS session, SUM(LENGTH(part.data)) AS bytes, MAX(part.time_updated) AS changed
FROM family JOIN part ON part.session_id = family.id GROUP BY root`,
      lines: `${FAMILY}
SELECT part.data AS part, part.time_created AS at, session.id AS session, session.agent AS agent,
  session.directory AS cwd, session.version AS version, root
FROM family JOIN session ON session.id = family.id JOIN part ON part.session_id = family.id
WHERE root = ? AND part.data LIKE '%"tool"%' ORDER BY part.time_created, part.id`,
    },
    versions: { since: version, recorded: version },
    roots: (where) => [`${userFolder(where, 'XDG_DATA_HOME', '.local/share')}/${host}`],
    sessionAt: (path) => (path === `${host}.db` ? host : undefined),
    sessionIn: (first) => textAt(first, 'root'),
    hints: [''],
    open: () => {
      let named: string | undefined
      return (row) => {
        const part = objectIn(row.part)
        if (part === undefined) return [{ kind: 'unreadable', why: 'a part is damaged' }]
        if (part.type !== 'tool') return []
        const by = textAt(row, 'version')
        const isNew = by !== undefined && by !== named
        named = by
        return [...(isNew ? [{ kind: 'version', version: by } as const] : []), ...callIn(part, row)]
      }
    },
  }
}

function callIn(part: JsonObject, row: JsonObject) {
  const [session, root] = [textAt(row, 'session'), textAt(row, 'root')]
  const useId = textAt(part, 'callID')
  const state = partAt(part, 'state')
  const call = callItem({
    useId,
    name: textAt(part, 'tool'),
    input: state.input,
    session: root,
    cwd: textAt(row, 'cwd'),
    at: timeOf(row.at),
    ...(session === root ? {} : { agentId: session, agentType: textAt(row, 'agent') }),
    event: 'tool.execute.before',
  })
  const outcome = outcomeOf(state)
  return useId === undefined || outcome === undefined
    ? [call]
    : [call, { kind: 'outcome' as const, useId, ...outcome }]
}

/** A plugin denies by throwing: its text is an error like any other. */
function outcomeOf(state: JsonObject): Omit<CallOutcome, 'useId'> | undefined {
  if (state.status === 'error') return { outcome: 'unclear', note: firstWords(textAt(state, 'error') ?? '') }
  if (state.status !== 'completed') return undefined
  const { exit } = partAt(state, 'metadata')
  return typeof exit === 'number' && exit !== 0
    ? { outcome: 'failed', note: `exit code ${exit}` }
    : { outcome: 'ran' }
}
