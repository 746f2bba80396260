import { type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { userFolder } from '../hook-entry.ts'
import { callItem, objectIn, partAt, partsAt, timeOf } from '../transcript-call.ts'

/**
 * Cline has a folder for a session, `data/sessions/<session>`: one object with all messages of the main agent, and one
 * for each of its sub-agents. The folder that it worked in is only in a third file, which is read before each of them.
 */
export const transcript: TranscriptReader = {
  host: 'cline',
  format: 'json',
  versions: { since: '3.0.65', recorded: '3.0.65' },
  roots: (where) => [`${userFolder(where, 'CLINE_DIR', '.cline')}/data/sessions`],
  sessionAt: (path) => /(?:^|\/)([^/]+)\/[^/]+\.messages\.json$/.exec(path)?.[1],
  preface: (path) => {
    const session = transcript.sessionAt(path)
    return session === undefined ? undefined : `${session}.json`
  },
  hints: ['"messages"', '"cwd"'],
  open: (path) => {
    let cwd: string | undefined
    return (value) => {
      if (!Array.isArray(value.messages)) {
        cwd = textAt(value, 'cwd') ?? textAt(value, 'workspace_root') ?? cwd
        return []
      }
      const origin = partAt(value, 'origin')
      const version = textAt(origin, 'version')
      const agentId = textAt(origin, 'subagent')
      const by = {
        session: transcript.sessionAt(path),
        cwd,
        ...(agentId === undefined ? {} : { agentId, agentType: textAt(value, 'agent') ?? 'subagent' }),
      }
      return [
        ...(version === undefined ? [] : [{ kind: 'version', version } as const]),
        ...partsAt(value, 'messages').flatMap((message) => itemsIn(message, by)),
      ]
    }
  },
}

interface MadeBy {
  readonly session: string | undefined
  readonly cwd: string | undefined
  readonly agentId?: string
  readonly agentType?: string
}

function itemsIn(message: JsonObject, by: MadeBy): readonly TranscriptItem[] {
  return partsAt(message, 'content').flatMap((part): TranscriptItem[] => {
    if (part.type === 'tool_use') {
      const [useId, name, at] = [textAt(part, 'id'), textAt(part, 'name'), timeOf(message.ts)]
      return [callItem({ ...by, useId, name, input: part.input, at, event: 'beforeTool' })]
    }
    const useId = part.type === 'tool_result' ? textAt(part, 'tool_use_id') : undefined
    return useId === undefined ? [] : [{ kind: 'outcome', useId, ...outcomeOf(part) }]
  })
}

/** A call that was skipped has an error alone; one that ran has a result for each of its parts. */
function outcomeOf(part: JsonObject): Omit<CallOutcome, 'useId'> {
  const { content } = part
  const only = objectIn(content)
  const error = only === undefined ? undefined : textAt(only, 'error')
  if (error !== undefined || part.is_error === true) {
    return { outcome: 'unclear', note: firstWords(error ?? String(content)) }
  }
  const failed = partsAt(part, 'content').find(({ success }) => success === false)
  if (failed === undefined) return { outcome: 'ran' }
  return { outcome: 'failed', note: firstWords(textAt(failed, 'error') ?? '') }
}
