import { type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { callItem, objectIn, partAt, timeOf } from '../transcript-call.ts'

/**
 * CodeBuddy Code writes one file for a session, `projects/<folder>/<session>.jsonl`, and one for each sub-agent in
 * `projects/<folder>/<session>/subagents/`, named after the agent. A call is a `function_call`, its outcome a
 * `function_call_result`.
 */
export const transcript: TranscriptReader = {
  host: 'codebuddy',
  format: 'jsonl',
  versions: { since: '2.117.0', recorded: '2.117.0', named: 'nothing' },
  roots: ({ home }) => [`${home}/.codebuddy/projects`],
  sessionAt: (path) => placeOf(path)?.session,
  hints: ['"function_call"', '"function_call_result"'],
  subagentFolders: (path) => [`${path.replace(/\.jsonl$/, '')}/subagents`],
  open: (path) => {
    const { session, agentId } = placeOf(path) ?? {}
    return (line) => {
      if (line.type === 'function_call_result') return outcomeIn(line)
      if (line.type !== 'function_call') return []
      return [
        callItem({
          useId: textAt(line, 'callId'),
          name: textAt(line, 'name'),
          input: objectIn(line.arguments),
          // The lines of a sub-agent name a session that its hooks are not told.
          session: session ?? textAt(line, 'sessionId'),
          cwd: textAt(line, 'cwd'),
          at: timeOf(line.timestamp),
          agentId,
          agentType: agentId === undefined ? undefined : textAt(partAt(line, 'providerData'), 'agent'),
        }),
      ]
    }
  },
}

interface Place {
  readonly session?: string | undefined
  readonly agentId?: string | undefined
}

function placeOf(path: string): Place | undefined {
  const [, session, agentId] = /(?:^|\/)([^/]+)\/subagents\/([^/]+)\.jsonl$/.exec(path) ?? []
  if (session !== undefined) return { session, agentId }
  const own = /(?:^|\/)([^/]+)\.jsonl$/.exec(path)?.[1]
  return own === undefined ? undefined : { session: own }
}

function outcomeIn(line: JsonObject): readonly TranscriptItem[] {
  const useId = textAt(line, 'callId')
  if (useId === undefined) return []
  return [{ kind: 'outcome', useId, ...outcomeOf(partAt(partAt(line, 'providerData'), 'toolResult')) }]
}

function outcomeOf(result: JsonObject): Omit<CallOutcome, 'useId'> {
  const { exitCode } = partAt(result, 'rawResponse')
  if (typeof exitCode === 'number' && exitCode !== 0)
    return { outcome: 'failed', note: `exit code ${exitCode}` }
  const error = textAt(result, 'error')
  // What a hook refused looks like any other error.
  return error === undefined ? { outcome: 'ran' } : { outcome: 'unclear', note: firstWords(error) }
}
