import { type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { callItem, partAt, timeOf } from '../transcript-call.ts'

/**
 * Kimi Code writes one file for each agent of a session, `sessions/<folder>/<session>/agents/<agent>/wire.jsonl`. A call is a
 * `tool.call` of the loop, its outcome a `tool.result`. The end of the file repeats the conversation as messages, which are
 * not read.
 */
export const transcript: TranscriptReader = {
  host: 'kimi',
  format: 'jsonl',
  versions: { since: '2.1.0', recorded: '2.1.0', named: { format: '1.5' } },
  roots: ({ home }) => [`${home}/.kimi-code/sessions`],
  sessionAt: (path) => PLACE.exec(path)?.[1],
  hints: ['"tool.call"', '"tool.result"', '"metadata"', '"profile.bind"'],
  // Seen with 2.1.0: a payload does not name the sub-agent.
  untold: ['agent'],
  open: (path) => {
    const [, session, agent] = PLACE.exec(path) ?? []
    let [cwd, type] = [undefined as string | undefined, undefined as string | undefined]
    return (line) => {
      if (line.type === 'metadata') {
        const version = textAt(line, 'protocol_version')
        return version === undefined ? [] : [{ kind: 'version', version }]
      }
      if (line.type === 'profile.bind') {
        cwd = textAt(partAt(line, 'environmentDisclosure'), 'cwd') ?? cwd
        type = textAt(line, 'profileName') ?? type
        return []
      }
      const event = partAt(line, 'event')
      if (event.type === 'tool.result') return outcomeIn(event)
      if (event.type !== 'tool.call') return []
      const isMain = agent === 'main'
      return [
        callItem({
          useId: textAt(event, 'toolCallId'),
          name: textAt(event, 'name'),
          input: event.args,
          session,
          cwd: textAt(partAt(event, 'display'), 'cwd') ?? cwd,
          at: timeOf(line.time),
          agentId: isMain ? undefined : agent,
          agentType: isMain ? undefined : type,
        }),
      ]
    }
  },
}

const PLACE = /(?:^|\/)([^/]+)\/agents\/([^/]+)\/wire\.jsonl$/

function outcomeIn(event: JsonObject): readonly TranscriptItem[] {
  const useId = textAt(event, 'toolCallId')
  return useId === undefined ? [] : [{ kind: 'outcome', useId, ...outcomeOf(partAt(event, 'result')) }]
}

function outcomeOf(result: JsonObject): Omit<CallOutcome, 'useId'> {
  if (result.isError !== true) return { outcome: 'ran' }
  const text = textAt(result, 'output') ?? ''
  const code = /^Command failed with exit code: (\d+)\.$/m.exec(text.slice(-TAIL))?.[1]
  if (code !== undefined) return { outcome: 'failed', note: `exit code ${code}` }
  // What a hook refused looks like any other error.
  return { outcome: 'unclear', note: firstWords(text) }
}

/** Kimi Code's own line comes after what the command printed. */
const TAIL = 200
