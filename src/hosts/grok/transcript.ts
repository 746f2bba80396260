import { type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { userFolder } from '../hook-entry.ts'
import { callItem, partAt, partsAt, timeOf } from '../transcript-call.ts'

/**
 * Grok Build writes `sessions/<folder>/<session>/updates.jsonl`, where the folder is encoded as in a URL. A sub-agent has a
 * session, and a file, of its own, which does not say that it is one. A call is a `tool_call`, its outcome the
 * `tool_call_update` with a status.
 */
export const transcript: TranscriptReader = {
  host: 'grok',
  format: 'jsonl',
  versions: { since: '1.0.41', recorded: '1.0.41', named: 'nothing' },
  roots: (where) => [`${userFolder(where, 'GROK_HOME', '.grok')}/sessions`],
  sessionAt: (path) => PLACE.exec(path)?.[2],
  hints: ['"tool_call"', '"tool_call_update"'],
  open: (path) => {
    const [, folder, session] = PLACE.exec(path) ?? []
    const cwd = folderOf(folder)
    return (line) => {
      const params = partAt(line, 'params')
      const update = partAt(params, 'update')
      if (update.sessionUpdate === 'tool_call_update') return outcomeIn(update)
      if (update.sessionUpdate !== 'tool_call') return []
      const tool = partAt(partAt(update, '_meta'), 'x.ai/tool')
      return [
        callItem({
          useId: textAt(update, 'toolCallId'),
          name: textAt(tool, 'name') ?? textAt(update, 'title'),
          input: update.rawInput,
          session: textAt(params, 'sessionId') ?? session,
          cwd,
          at: timeOf(partAt(params, '_meta').agentTimestampMs),
        }),
      ]
    }
  },
}

const PLACE = /(?:^|\/)([^/]+)\/([^/]+)\/updates\.jsonl$/

/** A name that cannot be decoded is not a folder of Grok's. */
function folderOf(name: string | undefined): string | undefined {
  try {
    const folder = decodeURIComponent(name ?? '')
    return folder.startsWith('/') ? folder : undefined
  } catch {
    return undefined
  }
}

function outcomeIn(update: JsonObject): readonly TranscriptItem[] {
  const useId = textAt(update, 'toolCallId')
  if (useId === undefined || (update.status !== 'completed' && update.status !== 'failed')) return []
  return [{ kind: 'outcome', useId, ...outcomeOf(update) }]
}

function outcomeOf(update: JsonObject): Omit<CallOutcome, 'useId'> {
  const text =
    partsAt(update, 'content').map((part) => textAt(partAt(part, 'content'), 'text') ?? '')[0] ?? ''
  if (text.startsWith('Hook denied: ')) return { outcome: 'refused', by: 'hook', note: firstWords(text) }
  const { exit_code: code } = partAt(update, 'rawOutput')
  if (typeof code === 'number' && code !== 0) return { outcome: 'failed', note: `exit code ${code}` }
  return update.status === 'completed' ? { outcome: 'ran' } : { outcome: 'unclear', note: firstWords(text) }
}
