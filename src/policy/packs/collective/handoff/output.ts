import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import { isObject, type Json, textAt } from '../../../../core/json.ts'

const TRANSCRIPT_MAX_BYTES = 16 * 1024 * 1024
const TEXT_CHARACTERS_MAX = 1_000_000

/**
 * The last message of an agent: the host's field for it, otherwise the result of the call that started the agent,
 * otherwise the end of its transcript. Undefined if none of these has text.
 */
export async function lastMessageOf(event: Event, facts: Facts): Promise<string | undefined> {
  const said = 'lastMessage' in event ? event.lastMessage : undefined
  const result = event.kind === 'PostToolUse' ? textIn(event.output) : ''
  const text = said ?? (result === '' ? await lastInTranscript(event, facts) : result)
  return text === undefined || text.trim() === '' ? undefined : text.slice(-TEXT_CHARACTERS_MAX)
}

/** A string, a list of blocks, or an object that contains one of these. */
function textIn(output: Json): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output))
    return output
      .map(textIn)
      .filter((text) => text !== '')
      .join('\n')
  if (!isObject(output)) return ''
  return textAt(output, 'text') ?? textIn(output.content ?? output.result ?? output.output ?? '')
}

async function lastInTranscript(event: Event, facts: Facts): Promise<string | undefined> {
  const path = transcriptOf(event)
  const transcript = path === undefined ? undefined : await facts.readText(path, TRANSCRIPT_MAX_BYTES)
  const lines = transcript?.split('\n') ?? []
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const text = assistantText(lines[at] ?? '')
    if (text !== '') return text
  }
  return undefined
}

/** At the end of a sub-agent only its own transcript counts. The other transcript belongs to its parent. */
function transcriptOf(event: Event): string | undefined {
  if (event.kind === 'SubagentStop') return event.agentTranscriptPath
  return event.kind === 'Stop' ? event.transcriptPath : undefined
}

function assistantText(line: string): string {
  if (!line.includes('assistant')) return ''
  let entry: Json
  try {
    entry = JSON.parse(line)
  } catch {
    return ''
  }
  if (!isObject(entry)) return ''
  const message = isObject(entry.message ?? null) ? entry.message : entry
  if (!isObject(message) || (message.role !== 'assistant' && entry.type !== 'assistant')) return ''
  const { content } = message
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? content : []
  return blocks
    .flatMap((block) => (isObject(block) && block.type === 'text' ? [textAt(block, 'text') ?? ''] : []))
    .join('\n')
}
