import type { EventKind } from '../../../core/event.ts'
import type { PluginAnswer } from '../client.ts'
import { judgedText } from './change-in-place.ts'
import { inTime } from './in-time.ts'
import { CHANGED_MEANWHILE, createForResult, createJudge, outputText, told } from './judge.ts'
import { noteLoaded, type PluginSettings } from './loaded.ts'

/** What Cline passes to the `setup` of a plugin; only the fields that are used here. */
export interface ClineContext {
  readonly session?: { readonly sessionId?: string }
  readonly workspaceInfo?: { readonly rootPath?: string }
  readonly logger?: { log?(text: string): void }
}

/** The agent at a moment: the one of the session, or one that it spawned. */
interface Snapshot {
  readonly agentId?: string
  readonly parentAgentId?: string | null
  readonly agentRole?: string
  readonly messages?: readonly Message[]
}

interface Message {
  readonly role: string
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
}

interface AtRun {
  readonly snapshot?: Snapshot
}

interface AtTool extends AtRun {
  readonly toolCall?: { readonly toolName?: string; readonly toolCallId?: string }
  readonly input?: unknown
}

interface AfterTool extends AtTool {
  readonly result?: { readonly output?: unknown; readonly isError?: boolean }
}

/** Cline gives up after three seconds, and ends the run then. */
const DEADLINE_MS = 2_400

/** The hooks of Cline. `skip` denies a call, and the run goes on. A throw ends the run: that is how a prompt is denied. */
export function cline(settings: PluginSettings, context: ClineContext) {
  const ask = createJudge(settings)
  const forResult = createForResult()
  const cwd = context.workspaceInfo?.rootPath ?? process.cwd()
  const session_id = context.session?.sessionId ?? `cline-${process.pid}`
  /** Agents whose first run has begun. */
  const begun = new Set<string>()
  const denied = new Set<string>()
  noteLoaded(settings)

  const judge = (
    event: EventKind,
    name: string,
    { snapshot }: AtRun,
    fields: object,
    startedAt = performance.now(),
  ): Promise<PluginAnswer> => {
    const leftMs = DEADLINE_MS - (performance.now() - startedAt)
    const judged = { event, name, cwd, fields: { session_id, ...agentOf(snapshot), ...fields } }
    return ask({ ...judged, deadlineMs: leftMs }, (notices) => context.logger?.log?.(notices))
  }
  // Asked before anybody waits, because it may have to start the daemon.
  const started = judge('SessionStart', 'sessionStart', {}, { source: 'startup' })

  return {
    async beforeRun(run: AtRun) {
      const startedAt = performance.now()
      const { snapshot = {} } = run
      if (isSpawned(snapshot)) {
        if (begun.has(snapshot.agentId ?? '')) return undefined
        begun.add(snapshot.agentId ?? '')
        return withContext(told(await judge('SubagentStart', 'subagentStart', run, {}, startedAt)))
      }
      const prompt = promptIn(snapshot.messages)
      await inTime(started, DEADLINE_MS / 2)
      const answer = await judge('UserPromptSubmit', 'beforeRun', run, { prompt }, startedAt)
      if (answer.kind !== 'pass') throw new Error(answer.reason)
      const isFirst = begun.size === 0
      begun.add(snapshot.agentId ?? '')
      return withContext([...(isFirst ? told(await started) : []), ...told(answer)])
    },

    async beforeTool(call: AtTool) {
      const { toolName, toolCallId = '' } = call.toolCall ?? {}
      const given = judgedText(call.input ?? {})
      const fields = { tool_name: toolName, tool_input: JSON.parse(given), tool_use_id: toolCallId }
      const answer = await judge('PreToolUse', 'beforeTool', call, fields)
      if (answer.kind !== 'pass' || judgedText(call.input ?? {}) !== given) {
        denied.add(toolCallId)
        return { skip: true, reason: answer.kind === 'pass' ? CHANGED_MEANWHILE : answer.reason }
      }
      forResult.keep(toolCallId, answer)
      return answer.input === undefined ? undefined : { input: answer.input }
    },

    async afterTool(call: AfterTool) {
      const { toolName, toolCallId = '' } = call.toolCall ?? {}
      if (denied.delete(toolCallId)) return undefined
      const { output, isError } = call.result ?? {}
      const fields = { tool_name: toolName, tool_input: call.input ?? {}, tool_use_id: toolCallId }
      const response = { output: output ?? '', is_error: isError === true }
      const answer = await judge('PostToolUse', 'afterTool', call, { ...fields, tool_response: response })
      const changed = answer.kind === 'pass' ? answer.output : undefined
      const result = changed === undefined ? {} : { result: { ...call.result, output: outputText(changed) } }
      return { ...result, ...withContext([...forResult.take(toolCallId), ...told(answer)]) }
    },

    async afterRun(run: AtRun) {
      const [event, name] = isSpawned(run.snapshot ?? {})
        ? (['SubagentStop', 'subagentStop'] as const)
        : (['Stop', 'afterRun'] as const)
      await judge(event, name, run, { stop_hook_active: false })
    },
  }
}

/** Spawned agents share the session; each says which agent has spawned it. */
function isSpawned({ parentAgentId }: Snapshot): boolean {
  return typeof parentAgentId === 'string' && parentAgentId !== ''
}

function agentOf(snapshot: Snapshot = {}): object {
  if (!isSpawned(snapshot)) return {}
  return { agent_id: snapshot.agentId, agent_type: snapshot.agentRole ?? 'subagent' }
}

function withContext(texts: readonly string[]): { readonly appendContext?: string } {
  return texts.length === 0 ? {} : { appendContext: texts.join('\n\n') }
}

/** What the user wrote last, without the marks that Cline puts around it. */
function promptIn(messages: readonly Message[] = []): string {
  const last = messages.findLast(({ role }) => role === 'user')
  const texts = (last?.content ?? []).map(({ text }) => text ?? '')
  return texts
    .join('\n')
    .replace(/^<user_input[^>]*>/, '')
    .replace(/<\/user_input>$/, '')
}
