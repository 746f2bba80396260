import { type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { userFolder } from '../hook-entry.ts'
import { callItem, partAt, partsAt } from '../transcript-call.ts'

/**
 * Qwen Code writes one file for a session, `projects/<folder>/chats/<session>.jsonl`, and one for each sub-agent in
 * `projects/<folder>/subagents/<session>/`. A call is a `functionCall` of an assistant line, its outcome the
 * `functionResponse` of a later line.
 */
export const transcript: TranscriptReader = {
  host: 'qwen',
  format: 'jsonl',
  versions: { since: '0.24.4', recorded: '0.24.4' },
  roots: (where) => [`${userFolder(where, 'QWEN_HOME', '.qwen')}/projects`],
  sessionAt: (path) =>
    /(?:^|\/)chats\/([^/]+)\.jsonl$/.exec(path)?.[1] ??
    /(?:^|\/)subagents\/([^/]+)\/[^/]+\.jsonl$/.exec(path)?.[1],
  hints: ['"functionCall"', '"functionResponse"'],
  // Seen with 0.24.4: a payload names the call by an id of its own.
  untold: ['call id'],
  subagentFolders: (path, session) => [path.replace(/chats\/[^/]*$/, `subagents/${session}`)],
  open: () => {
    let version: string | undefined
    return (line) => {
      const items = itemsIn(line)
      const said = textAt(line, 'version')
      if (said === undefined || said === version) return items
      version = said
      return [{ kind: 'version', version: said }, ...items]
    }
  },
}

function itemsIn(line: JsonObject): readonly TranscriptItem[] {
  const parts = partsAt(partAt(line, 'message'), 'parts')
  if (line.type === 'assistant')
    return parts.flatMap((part) =>
      'functionCall' in part ? [callIn(partAt(part, 'functionCall'), line)] : [],
    )
  if (line.type !== 'tool_result') return []
  return parts.flatMap((part) => outcomeIn(partAt(part, 'functionResponse'), line))
}

function callIn(call: JsonObject, line: JsonObject): TranscriptItem {
  return callItem({
    useId: textAt(call, 'id'),
    name: textAt(call, 'name'),
    input: call.args,
    session: textAt(line, 'sessionId'),
    cwd: textAt(line, 'cwd'),
    at: textAt(line, 'timestamp'),
    agentId: textAt(line, 'agentId'),
    agentType: textAt(line, 'agentName'),
  })
}

function outcomeIn(response: JsonObject, line: JsonObject): readonly TranscriptItem[] {
  const useId = textAt(response, 'id')
  if (useId === undefined) return []
  return [
    { kind: 'outcome', useId, ...outcomeOf(partAt(response, 'response'), partAt(line, 'toolCallResult')) },
  ]
}

function outcomeOf(response: JsonObject, result: JsonObject): Omit<CallOutcome, 'useId'> {
  const text = textAt(response, 'error')
  if (result.executionStatus === 'not_started')
    return { outcome: 'refused', ...(text === undefined ? {} : { note: firstWords(text) }) }
  if (text === undefined) return { outcome: 'ran' }
  // A shell says what it ran. In the file of a sub-agent, nothing else tells a failure from a refusal.
  const code = /^Exit Code: (\d+)$/m.exec(text)?.[1]
  if (text.startsWith('Command: ') && code !== undefined)
    return { outcome: 'failed', note: `exit code ${code}` }
  if (result.executionStatus === 'error') return { outcome: 'failed', note: firstWords(text) }
  return { outcome: 'unclear', note: firstWords(text) }
}
