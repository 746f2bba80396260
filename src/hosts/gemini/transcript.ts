import { type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { callItem, partAt, partsAt } from '../transcript-call.ts'

/**
 * Gemini CLI writes one file for a session, `tmp/<project>/chats/session-<time>-<id>.jsonl`, and one for each sub-agent in
 * `tmp/<project>/chats/<session>/`. A message is written again whenever something is added to it, so each call, and how it
 * ended, counts once. The folder of a session is only in the text that opens it.
 */
export const transcript: TranscriptReader = {
  host: 'gemini',
  format: 'jsonl',
  versions: { since: '0.61.0', recorded: '0.61.0', named: 'nothing' },
  roots: ({ env, home }) => [`${env.GEMINI_CLI_HOME || home}/.gemini/tmp`],
  sessionAt: (path) =>
    /(?:^|\/)chats\/([^/]+)\/[^/]+\.jsonl$/.exec(path)?.[1] ??
    /(?:^|\/)chats\/(session-[^/]+)\.jsonl$/.exec(path)?.[1],
  sessionIn: (first) => (first.kind === 'main' ? textAt(first, 'sessionId') : undefined),
  hints: ['"toolCalls"', '"sessionId"', '<session_context>'],
  // Seen with 0.61.0: a payload names neither the call nor the sub-agent.
  untold: ['call id', 'agent'],
  subagentFolders: (path, session) => [path.replace(/[^/]*$/, session)],
  open: (path) => {
    let [session, cwd] = [transcript.sessionAt(path), undefined as string | undefined]
    let agentId: string | undefined
    let message: string | undefined
    let [called, ended] = [new Set<string>(), new Set<string>()]
    const fresh = (seen: Set<string>, id: string | undefined) =>
      id === undefined || (!seen.has(id) && seen.add(id).size > 0)
    return (line) => {
      if ('kind' in line && 'sessionId' in line) {
        const id = textAt(line, 'sessionId')
        if (line.kind === 'main') session = id ?? session
        else agentId = id
        cwd = firstText(line.directories) ?? cwd
        return []
      }
      cwd ??= folderIn(line)
      if (line.type !== 'gemini') return []
      if (textAt(line, 'id') !== message) {
        message = textAt(line, 'id')
        ;[called, ended] = [new Set(), new Set()]
      }
      return partsAt(line, 'toolCalls').flatMap((call): readonly TranscriptItem[] => {
        const useId = textAt(call, 'id')
        const item = callItem({
          useId,
          name: textAt(call, 'name'),
          input: call.args,
          session,
          cwd,
          at: textAt(line, 'timestamp'),
          agentId,
          event: 'BeforeTool',
        })
        const outcome = useId === undefined ? undefined : outcomeOf(call)
        return [
          ...(fresh(called, useId) ? [item] : []),
          ...(useId === undefined || outcome === undefined || !fresh(ended, useId)
            ? []
            : [{ kind: 'outcome' as const, useId, ...outcome }]),
        ]
      })
    }
  },
}

/** The text that opens a session is set by the second line. */
function folderIn(line: JsonObject): string | undefined {
  const texts = partsAt(partAt(line, '$set'), 'messages')
    .slice(0, 2)
    .flatMap((message) => partsAt(message, 'content'))
  for (const part of texts) {
    const text = (textAt(part, 'text') ?? '').slice(0, CONTEXT_MAX)
    const found = text.startsWith('<session_context>') ? WORKSPACE.exec(text)?.[1] : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const WORKSPACE = /^- \*\*Workspace Directories:\*\*\n +- (\/.*)$/m
const CONTEXT_MAX = 10_000

function firstText(list: JsonObject[string] | undefined): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(list) ? list : []
  return typeof first === 'string' && first.startsWith('/') ? first : undefined
}

/** Undefined: it has not ended. */
function outcomeOf(call: JsonObject): Omit<CallOutcome, 'useId'> | undefined {
  const [result = {}] = partsAt(call, 'result')
  const response = partAt(partAt(result, 'functionResponse'), 'response')
  const text = textAt(response, 'error') ?? ''
  switch (call.status) {
    case 'success': {
      const code = /^Exit Code: (\d+)$/m.exec((textAt(response, 'output') ?? '').slice(-TAIL))?.[1]
      return code === undefined ? { outcome: 'ran' } : { outcome: 'failed', note: `exit code ${code}` }
    }
    case 'error':
      if (text.startsWith('Tool execution blocked: '))
        return { outcome: 'refused', by: 'hook', note: firstWords(text) }
      return { outcome: 'unclear', note: firstWords(text) }
    case 'cancelled':
      return { outcome: 'refused', by: 'person' }
    default:
      return undefined
  }
}

/** The lines that Gemini CLI adds come after what the command printed. */
const TAIL = 200
