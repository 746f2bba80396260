import { type JsonObject, textAt } from '../core/json.ts'
import { type CallOutcome, firstWords, type TranscriptItem } from '../core/transcript.ts'
import { type CallParts, callItem, partAt, partsAt } from './transcript-call.ts'

/** Where a call was made, and by whom. */
export type MadeBy = Omit<CallParts, 'useId' | 'name' | 'input' | 'at'>

/** The calls and outcomes in a line of Pi, and of OpenClaw, which is made from it. */
export function messageItems(line: JsonObject, by: MadeBy): readonly TranscriptItem[] {
  if (line.type !== 'message') return []
  const message = partAt(line, 'message')
  if (message.role === 'toolResult') return outcomeIn(message)
  if (message.role !== 'assistant') return []
  return partsAt(message, 'content')
    .filter(({ type }) => type === 'toolCall')
    .map((call) =>
      callItem({
        ...by,
        useId: textAt(call, 'id'),
        name: textAt(call, 'name'),
        input: call.arguments,
        at: textAt(line, 'timestamp'),
      }),
    )
}

function outcomeIn(message: JsonObject): readonly TranscriptItem[] {
  const useId = textAt(message, 'toolCallId')
  return useId === undefined ? [] : [{ kind: 'outcome', useId, ...outcomeOf(message) }]
}

/** Of a result: a call that a plugin blocked ends with the plugin's text, like one that failed. */
export function outcomeOf(result: JsonObject): Omit<CallOutcome, 'useId'> {
  const text = partsAt(result, 'content')
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n')
  const { exitCode } = partAt(result, 'details')
  if (typeof exitCode === 'number' && exitCode !== 0)
    return { outcome: 'failed', note: `exit code ${exitCode}` }
  const [, exit] = /Command exited with code (\d+)\s*$/.exec(text) ?? []
  if (exit !== undefined) return { outcome: 'failed', note: `exit code ${exit}` }
  return result.isError === true ? { outcome: 'unclear', note: firstWords(text) } : { outcome: 'ran' }
}
