import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import {
  type CallOutcome,
  firstWords,
  type TranscriptItem,
  type TranscriptReader,
} from '../../core/transcript.ts'
import { userFolder } from '../hook-entry.ts'
import { callItem, objectIn } from '../transcript-call.ts'

/**
 * Codex writes one file for a thread, `sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`; a sub-agent is a thread
 * of its own. The first line, `session_meta`, says which session the thread belongs to. A call is a `response_item` of the
 * kind `function_call`, `custom_tool_call` or, in older versions, `local_shell_call`; its outcome is a later `…_output`.
 */
export const transcript: TranscriptReader = {
  host: 'codex',
  format: 'jsonl',
  versions: { since: '0.166.0', recorded: '0.166.0' },
  roots: (where) => {
    const folder = userFolder(where, 'CODEX_HOME', '.codex')
    return [`${folder}/sessions`, `${folder}/archived_sessions`]
  },
  sessionAt: (path) => /(?:^|\/)rollout-([^/]+)\.jsonl$/.exec(path)?.[1]?.slice(-THREAD_LENGTH),
  sessionIn: (first) => (isObject(first.payload) ? threadOf(first.payload).session : undefined),
  hints: ['"function_call', '"custom_tool_call', '"local_shell_call', '"session_meta"', '"turn_context"'],
  // Seen with 0.166.0: what is typed into a running command reaches no hook.
  unreported: ['write_stdin'],
  open: () => {
    let thread: Thread = NO_THREAD
    return (line) => {
      const { type, payload } = line
      if (!isObject(payload)) return []
      if (type === 'session_meta') {
        thread = threadOf(payload)
        const version = textAt(payload, 'cli_version')
        return version === undefined ? [] : [{ kind: 'version', version }]
      }
      if (type === 'turn_context') {
        const cwd = textAt(payload, 'cwd')
        if (cwd !== undefined) thread = { ...thread, cwd }
        return []
      }
      return type === 'response_item' ? itemIn(payload, textAt(line, 'timestamp'), thread) : []
    }
  },
}

/** A thread's id, at the end of the name. */
const THREAD_LENGTH = 36

interface Thread {
  readonly session?: string
  readonly agentId?: string
  readonly agentType?: string
  readonly cwd?: string
}

const NO_THREAD: Thread = {}

/** A sub-agent's thread names its own id and its parent's session. */
function threadOf(meta: JsonObject): Thread {
  const id = textAt(meta, 'id')
  const session = textAt(meta, 'session_id') ?? textAt(meta, 'parent_thread_id') ?? id
  const cwd = textAt(meta, 'cwd')
  const isChild = id !== undefined && session !== id
  return {
    ...(session === undefined ? {} : { session }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(isChild ? { agentId: id, agentType: roleIn(meta.source) ?? 'default' } : {}),
  }
}

function roleIn(source: Json | undefined): string | undefined {
  const subagent = isObject(source) ? source.subagent : undefined
  const spawn = isObject(subagent) ? subagent.thread_spawn : undefined
  return isObject(spawn) ? textAt(spawn, 'agent_role') : undefined
}

function itemIn(item: JsonObject, at: string | undefined, thread: Thread): readonly TranscriptItem[] {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
      return [callIn(item, at, thread)]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return outcomeIn(item)
    default:
      return []
  }
}

function callIn(item: JsonObject, at: string | undefined, thread: Thread): TranscriptItem {
  const tool = toolOf(item)
  const folder = tool?.workdir?.startsWith('/') === true ? tool.workdir : thread.cwd
  const { session, agentId, agentType } = thread
  return callItem({
    useId: textAt(item, 'call_id'),
    name: tool?.name,
    input: tool?.input,
    session,
    cwd: folder,
    at,
    agentId,
    agentType,
  })
}

interface HookTool {
  readonly name: string
  readonly input: JsonObject
  readonly workdir?: string | undefined
}

/** The tool as a hook is told of it: commands are `Bash`, a patch is one text, an MCP tool has its server's name. */
function toolOf(item: JsonObject): HookTool | undefined {
  if (item.type === 'local_shell_call') {
    const action = isObject(item.action) ? item.action : {}
    return shellTool(action.command, textAt(action, 'working_directory'))
  }
  const name = textAt(item, 'name')
  if (name === undefined) return undefined
  if (item.type === 'custom_tool_call') {
    return typeof item.input === 'string' ? { name, input: { command: item.input } } : undefined
  }
  const input = objectIn(item.arguments)
  if (input === undefined) return undefined
  if (SHELL_TOOLS.has(name)) return shellTool(input.cmd ?? input.command, textAt(input, 'workdir'))
  if (name === 'apply_patch') return { name, input: { command: input.input ?? input.command ?? '' } }
  if (name === 'spawn_agent') return { name, input }
  const space = textAt(item, 'namespace')
  if (space === undefined) return { name, input }
  return { name: space.startsWith('mcp__') ? `${space}__${name}` : `${space}${name}`, input }
}

const SHELL_TOOLS: ReadonlySet<string> = new Set(['exec_command', 'shell', 'shell_command'])
const SHELLS = /^(?:\S*\/)?(?:ba|z|da)?sh$/

/** A list of words is quoted, so that it is read as the same words again. */
function shellTool(command: Json | undefined, workdir: string | undefined): HookTool | undefined {
  if (typeof command === 'string') return { name: 'Bash', input: { command }, workdir }
  if (!Array.isArray(command) || command.length === 0) return undefined
  const words: readonly Json[] = command
  if (!words.every((word) => typeof word === 'string')) return undefined
  const [shell = '', option = '', line] = words
  const isLine = words.length === 3 && SHELLS.test(shell) && /^-l?c$/.test(option)
  const text = isLine && line !== undefined ? line : words.map(quoted).join(' ')
  return { name: 'Bash', input: { command: text }, workdir }
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function outcomeIn(item: JsonObject): readonly TranscriptItem[] {
  const useId = textAt(item, 'call_id')
  if (useId === undefined) return []
  return [{ kind: 'outcome', useId, ...outcomeOf(item.output) }]
}

function outcomeOf(output: Json | undefined): Omit<CallOutcome, 'useId'> {
  const text = typeof output === 'string' ? output : isObject(output) ? (textAt(output, 'content') ?? '') : ''
  if (HOOK_REFUSED.test(text)) return { outcome: 'refused', by: 'hook', note: firstWords(text) }
  if (/^exec command rejected by user/.test(text)) return { outcome: 'refused', by: 'person' }
  if (text.startsWith('unsupported call: ')) return { outcome: 'refused', by: 'host' }
  // Of a long output only the start, which Codex itself writes, says how the command ended.
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(text.slice(0, OWN_WORDS_MAX))?.[1]
  return code === undefined || code === '0'
    ? { outcome: 'ran' }
    : { outcome: 'failed', note: `exit code ${code}` }
}

const HOOK_REFUSED = /^(?:Command|Tool call) blocked by PreToolUse hook/
const OWN_WORDS_MAX = 200
