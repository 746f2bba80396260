import { type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { callItem, partAt, partsAt } from '../transcript-call.ts'

/**
 * Droid writes one file for a session, `sessions/<folder>/<session>.jsonl`. A sub-agent has a session of its own, whose first
 * line names the session that started it. A call is a `tool_use` block, its outcome a later `tool_result`; between them is
 * a line for each hook that was asked.
 */
export const transcript: TranscriptReader = {
  host: 'droid',
  format: 'jsonl',
  versions: { since: '0.225.2', recorded: '0.225.2', named: { format: '2' } },
  roots: ({ home }) => [`${home}/.factory/sessions`],
  sessionAt: (path) => /(?:^|\/)([^/]+)\.jsonl$/.exec(path)?.[1],
  hints: ['"tool_use"', '"tool_result"', '"session_start"', '"hookToolCallId"'],
  // Seen with 0.225.2: a payload names no call; a sub-agent looks like a session.
  untold: ['call id', 'agent'],
  open: () => {
    let start: JsonObject = {}
    const refused = new Set<string>()
    return (line) => {
      if (line.type === 'session_start') {
        start = line
        const { version } = line
        return typeof version === 'number' ? [{ kind: 'version', version: String(version) }] : []
      }
      const message = partAt(line, 'message')
      noteRefusal(message, refused)
      return partsAt(message, 'content').flatMap((block) => {
        if (block.type === 'tool_use' && message.role === 'assistant') return [callIn(block, line, start)]
        return block.type === 'tool_result' ? outcomeIn(block, refused) : []
      })
    }
  },
}

/** More than one message calls at once. */
const REFUSED_MAX = 1_000

function noteRefusal(message: JsonObject, refused: Set<string>): void {
  const id = textAt(message, 'hookToolCallId')
  if (id === undefined || message.hookEventName !== 'PreToolUse' || message.hookStatus !== 'error') return
  if (refused.size >= REFUSED_MAX) refused.clear()
  refused.add(id)
}

function callIn(block: JsonObject, line: JsonObject, start: JsonObject): TranscriptItem {
  const session = textAt(start, 'id')
  const isSubagent = textAt(start, 'callingSessionId') !== undefined
  return callItem({
    useId: textAt(block, 'id'),
    name: textAt(block, 'name'),
    input: block.input,
    session,
    cwd: textAt(start, 'cwd'),
    at: textAt(line, 'timestamp'),
    agentId: isSubagent ? session : undefined,
    agentType: isSubagent ? typeIn(start) : undefined,
  })
}

/** The title of a sub-agent's session begins with its type. */
function typeIn(start: JsonObject): string | undefined {
  return /^([\w-]+): /.exec(textAt(start, 'title') ?? '')?.[1]?.toLowerCase()
}

function outcomeIn(block: JsonObject, refused: Set<string>): readonly TranscriptItem[] {
  const useId = textAt(block, 'tool_use_id')
  if (useId === undefined) return []
  return [{ kind: 'outcome', useId, ...outcomeOf(block, refused.delete(useId)) }]
}

function outcomeOf(block: JsonObject, isRefused: boolean): Omit<CallOutcome, 'useId'> {
  if (block.is_error !== true) return { outcome: 'ran' }
  const text = textAt(block, 'content') ?? ''
  if (isRefused) return { outcome: 'refused', by: 'hook', note: firstWords(text) }
  const code = /^\[Process exited with code (\d+)\]$/m.exec(text.slice(-TAIL))?.[1]
  return code === undefined
    ? { outcome: 'unclear', note: firstWords(text) }
    : { outcome: 'failed', note: `exit code ${code}` }
}

/** Droid's own line comes after what the command printed. */
const TAIL = 200
