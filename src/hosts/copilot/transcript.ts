import { type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { userFolder } from '../hook-entry.ts'
import { callItem, partAt } from '../transcript-call.ts'

/**
 * Copilot CLI writes one file for a session, `session-state/<session>/events.jsonl`, with the lines of its sub-agents in it. A
 * call is a `tool.execution_start`, its outcome the `tool.execution_complete` with the same id. The folder is in `session.start`.
 */
export const transcript: TranscriptReader = {
  host: 'copilot',
  format: 'jsonl',
  versions: { since: '1.0.102', recorded: '1.0.102' },
  roots: (where) => [`${userFolder(where, 'COPILOT_HOME', '.copilot')}/session-state`],
  sessionAt: (path) => /(?:^|\/)([^/]+)\/events\.jsonl$/.exec(path)?.[1],
  hints: ['"tool.execution_', '"session.start"', '"session.resume"', '"subagent.started"'],
  // Seen with 1.0.102: a payload names no call.
  untold: ['call id'],
  open: (path) => {
    const session = transcript.sessionAt(path)
    const types = new Map<string, string>()
    let cwd: string | undefined
    return (line) => {
      const data = partAt(line, 'data')
      switch (line.type) {
        case 'session.start':
        case 'session.resume': {
          cwd = textAt(partAt(data, 'context'), 'cwd') ?? cwd
          const version = textAt(data, 'copilotVersion')
          return version === undefined ? [] : [{ kind: 'version', version }]
        }
        case 'subagent.started': {
          const [id, type] = [textAt(line, 'agentId'), textAt(data, 'agentName')]
          if (id !== undefined && type !== undefined && types.size < AGENTS_MAX) types.set(id, type)
          return []
        }
        case 'tool.execution_start': {
          const agentId = textAt(line, 'agentId')
          return [
            callItem({
              useId: textAt(data, 'toolCallId'),
              name: textAt(data, 'toolName'),
              input: data.arguments,
              session,
              cwd,
              at: textAt(line, 'timestamp'),
              agentId,
              agentType: agentId === undefined ? undefined : types.get(agentId),
              event: 'preToolUse',
            }),
          ]
        }
        case 'tool.execution_complete':
          return outcomeIn(data)
        default:
          return []
      }
    }
  },
}

/** More than one session starts. */
const AGENTS_MAX = 10_000

function outcomeIn(data: JsonObject): readonly TranscriptItem[] {
  const useId = textAt(data, 'toolCallId')
  return useId === undefined ? [] : [{ kind: 'outcome', useId, ...outcomeOf(data) }]
}

function outcomeOf(data: JsonObject): Omit<CallOutcome, 'useId'> {
  const error = partAt(data, 'error')
  const text = textAt(error, 'message') ?? ''
  if (data.success !== true && error.code === 'denied') {
    const by = text.startsWith('Denied by preToolUse hook') ? ({ by: 'hook' } as const) : {}
    return { outcome: 'refused', ...by, note: firstWords(text) }
  }
  const { exitCode } = partAt(data, 'shellExecution')
  if (typeof exitCode === 'number' && exitCode !== 0)
    return { outcome: 'failed', note: `exit code ${exitCode}` }
  return data.success === true ? { outcome: 'ran' } : { outcome: 'unclear', note: firstWords(text) }
}
