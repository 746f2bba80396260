import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { callItem } from '../transcript-call.ts'
import { configFolder } from './places.ts'

/**
 * Claude Code writes one file for a session, `projects/<folder>/<session>.jsonl`, and since 2.1 one for each sub-agent in
 * `projects/<folder>/<session>/subagents/`. Before, the lines of a sub-agent were in the file of the session, marked
 * `isSidechain`. A call is a `tool_use` block of an assistant line; its outcome is a `tool_result` block of a later user line.
 */
export const transcript: TranscriptReader = {
  host: 'claude-code',
  format: 'jsonl',
  versions: { since: '2.1.138', recorded: '2.1.325' },
  roots: (where) => [`${configFolder(where)}/projects`],
  sessionAt(path) {
    if (!path.endsWith('.jsonl')) return undefined
    const [folder = '', second = ''] = path.split('/')
    const name = second === '' ? folder : second
    return name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : name
  },
  hints: ['"tool_use"', '"tool_result"'],
  subagentFolders: (path) => [`${path.replace(/\.jsonl$/, '')}/subagents`],
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
  const { type, message } = line
  // A prompt or an answer of another kind may quote a call.
  if ((type !== 'assistant' && type !== 'user') || !isObject(message)) return []
  const blocks: readonly Json[] = Array.isArray(message.content) ? message.content : []
  return blocks.flatMap((block) => {
    if (!isObject(block)) return []
    if (type === 'assistant') return block.type === 'tool_use' ? [callIn(block, line)] : []
    return block.type === 'tool_result' ? outcomeIn(block, line) : []
  })
}

function callIn(block: JsonObject, line: JsonObject): TranscriptItem {
  return callItem({
    useId: textAt(block, 'id'),
    name: textAt(block, 'name'),
    input: block.input,
    session: textAt(line, 'sessionId'),
    cwd: textAt(line, 'cwd'),
    at: textAt(line, 'timestamp'),
    agentId: agentOf(line),
    agentType: textAt(line, 'attributionAgent'),
  })
}

/** Older versions say only that it is a sub-agent, not which. */
function agentOf(line: JsonObject): string | undefined {
  return textAt(line, 'agentId') ?? (line.isSidechain === true ? 'sub-agent' : undefined)
}

function outcomeIn(block: JsonObject, line: JsonObject): readonly TranscriptItem[] {
  const useId = textAt(block, 'tool_use_id')
  if (useId === undefined) return []
  return [{ kind: 'outcome', useId, ...outcomeOf(block, line) }]
}

function outcomeOf(block: JsonObject, line: JsonObject): Omit<CallOutcome, 'useId'> {
  if (block.is_error !== true) return { outcome: 'ran' }
  const text = typeof block.content === 'string' ? block.content : ''
  const note = firstWords(text)
  const { permissionDecision: permission } = line
  if (isObject(permission) && permission.decision === 'reject') {
    return { outcome: 'refused', by: refusedBy(permission), note }
  }
  // Versions that do not write down who decided say it in words.
  if (text.startsWith(PERSON_REFUSED)) return { outcome: 'refused', by: 'person', note }
  if (HOOK_REFUSED.test(text)) return { outcome: 'refused', by: 'hook', note }
  return { outcome: 'failed', note }
}

const PERSON_REFUSED = "The user doesn't want to proceed with this tool use"
const HOOK_REFUSED = /^PreToolUse:\S+ (?:hook error|\[)/

function refusedBy({ source, reasonCode }: JsonObject): 'hook' | 'person' | 'host' {
  if (source === 'hook' || reasonCode === 'hook:PreToolUse') return 'hook'
  return typeof source === 'string' && source.startsWith('user') ? 'person' : 'host'
}
