import type { EventKind } from '../../../core/event.ts'
import type { PluginAnswer } from '../client.ts'
import { judgedText } from './change-in-place.ts'
import { CHANGED_MEANWHILE, createForResult, createJudge, outputText, told } from './judge.ts'
import { createLineage, type Identity } from './lineage.ts'
import { noteLoaded, type PluginSettings } from './loaded.ts'
import { once } from './once.ts'

/** What OpenClaw says of the agent at an event; only the fields that are used here. */
interface OpenClawContext {
  readonly agentId?: string
  /** Stays the same for an agent and its channel: `agent:main:main`, `agent:main:subagent:…`. */
  readonly sessionKey?: string
  /** A new one after every reset. */
  readonly sessionId?: string
  readonly runId?: string
  readonly workspaceDir?: string
}

interface ToolCallEvent {
  readonly toolName?: string
  /** Tools of different kinds share names: `exec` runs JavaScript if this is `code_mode_exec`. */
  readonly toolKind?: string
  readonly toolCallId?: string
  readonly params?: Record<string, unknown>
}

interface ToolResultEvent {
  readonly toolName?: string
  readonly toolCallId?: string
  readonly args?: Record<string, unknown>
  readonly cwd?: string
  readonly isError?: boolean
  readonly result?: { readonly content?: readonly Content[]; readonly details?: unknown }
}

interface Content {
  readonly type: string
  readonly text?: string
}

/** OpenClaw shows no more of it. */
const DESCRIPTION_MAX = 512
const RUNS_MAX = 1_000

/**
 * The hooks of OpenClaw, by their names. A throw or a timeout in one of them before a call blocks there too. OpenClaw
 * loads a plugin several times, and asks one copy before a call and another one after it: all have the same hooks.
 */
export function openclaw(settings: PluginSettings): ReturnType<typeof createHooks> {
  return once(`openclaw ${settings.home}`, () => createHooks(settings))
}

function createHooks(settings: PluginSettings) {
  const ask = createJudge(settings)
  const forResult = createForResult()
  const lineage = createLineage(async () => undefined)
  /** The last session of a key, and the folder of its agent. */
  const sessions = new Map<string, { id: string; cwd?: string }>()
  const begun = new Set<string>()
  const held = new Set<string>()
  const denied = new Set<string>()
  /** What was decided about the prompt of a run, which is told of twice. */
  const prompts = new Map<string, PluginAnswer>()
  noteLoaded(settings)

  const see = ({ sessionKey = '', sessionId, workspaceDir }: OpenClawContext) => {
    if (sessionId === undefined) return
    if (sessions.size >= RUNS_MAX) sessions.clear()
    const cwd = workspaceDir ?? sessions.get(sessionKey)?.cwd
    sessions.set(sessionKey, { id: sessionId, ...(cwd === undefined ? {} : { cwd }) })
  }
  const identityOf = async (context: OpenClawContext): Promise<Identity> => {
    const { sessionKey = '', agentId } = context
    const { session_id: root, agent_id } = await lineage.identityOf(sessionKey)
    const session_id = sessions.get(root)?.id ?? context.sessionId ?? root
    if (agent_id === undefined && !isSubagent(context)) return { session_id }
    return { session_id, agent_id: sessionKey, agent_type: agentId ?? 'subagent' }
  }
  const judge = async (
    event: EventKind,
    name: string,
    context: OpenClawContext,
    fields: object,
  ): Promise<PluginAnswer> => {
    see(context)
    const cwd = context.workspaceDir ?? sessions.get(context.sessionKey ?? '')?.cwd ?? process.cwd()
    return ask({ event, name, cwd, fields: { ...(await identityOf(context)), ...fields } }, () => {})
  }
  const begin = async (context: OpenClawContext): Promise<readonly string[]> => {
    const session = context.sessionId ?? context.sessionKey ?? ''
    if (begun.has(session)) return []
    remember(begun, session)
    return told(
      isSubagent(context)
        ? await judge('SubagentStart', 'subagent_start', context, {})
        : await judge('SessionStart', 'session_start', context, { source: 'startup' }),
    )
  }
  const judgePrompt = async (prompt: string, context: OpenClawContext): Promise<PluginAnswer> => {
    const run = context.runId ?? ''
    const known = prompts.get(run)
    if (known !== undefined && run !== '') return known
    const answer = await judge('UserPromptSubmit', 'before_agent_run', context, { prompt })
    if (prompts.size >= RUNS_MAX) prompts.clear()
    prompts.set(run, answer)
    return answer
  }

  return {
    /** Context can be added only here, before it is known whether the run is blocked. */
    async before_prompt_build({ prompt = '' }: { readonly prompt?: string }, context: OpenClawContext) {
      const texts = [...(await begin(context))]
      if (!isSubagent(context)) {
        const answer = await judgePrompt(prompt, context)
        if (answer.kind === 'pass') texts.push(...told(answer))
      }
      return texts.length === 0 ? undefined : { prependContext: texts.join('\n\n') }
    },

    async before_agent_run({ prompt = '' }: { readonly prompt?: string }, context: OpenClawContext) {
      if (isSubagent(context)) return undefined
      held.delete(context.sessionKey ?? '')
      const answer = await judgePrompt(prompt, context)
      if (answer.kind === 'pass') return undefined
      return { outcome: 'block', reason: answer.reason, message: answer.reason }
    },

    async before_tool_call(event: ToolCallEvent, context: OpenClawContext) {
      const { toolName, toolKind, toolCallId = '', params } = event
      const given = judgedText(params ?? {})
      const call = { tool_name: toolKind ?? toolName, tool_input: JSON.parse(given), tool_use_id: toolCallId }
      const answer = await judge('PreToolUse', 'before_tool_call', context, call)
      const isChanged = judgedText(params ?? {}) !== given
      if (answer.kind === 'deny' || isChanged) {
        remember(denied, toolCallId)
        return { block: true, blockReason: answer.kind === 'deny' ? answer.reason : CHANGED_MEANWHILE }
      }
      forResult.keep(toolCallId, answer)
      const changed = answer.input === undefined ? {} : { params: answer.input }
      return answer.kind === 'ask' ? { ...changed, requireApproval: approvalFor(answer.reason) } : changed
    },

    /** The middleware between the result of a tool and the model. */
    async tool_result(event: ToolResultEvent, context: OpenClawContext) {
      const { toolName, toolCallId = '', args, isError, result } = event
      if (denied.delete(toolCallId)) return undefined
      const content = result?.content ?? []
      const output = content.map(({ text }) => text ?? '').join('\n')
      const call = { tool_name: toolName, tool_input: args ?? {}, tool_use_id: toolCallId }
      const response = { output, is_error: isError === true }
      const answer = await judge('PostToolUse', 'tool_result', context, { ...call, tool_response: response })
      const texts = [...forResult.take(toolCallId), ...told(answer)].map(asContent)
      const isNew = answer.kind === 'pass' && answer.output !== undefined
      if (texts.length === 0 && !isNew) return undefined
      const now = isNew ? [asContent(outputText(answer.output))] : content
      return { result: { ...result, content: [...now, ...texts] } }
    },

    async before_agent_finalize(_event: object, context: OpenClawContext) {
      const key = context.sessionKey ?? ''
      const [event, name] = isSubagent(context)
        ? (['SubagentStop', 'subagent_finalize'] as const)
        : (['Stop', 'before_agent_finalize'] as const)
      const answer = await judge(event, name, context, { stop_hook_active: held.has(key) })
      if (answer.kind === 'pass') {
        held.delete(key)
        return undefined
      }
      remember(held, key)
      return { action: 'revise', reason: answer.reason }
    },

    async session_end({ reason }: { readonly reason?: string }, context: OpenClawContext) {
      if (isSubagent(context)) return
      await judge('SessionEnd', 'session_end', context, { reason: reason ?? 'other' })
    },

    async subagent_spawned(
      { childSessionKey, agentId }: { readonly childSessionKey?: string; readonly agentId?: string },
      { requesterSessionKey }: { readonly requesterSessionKey?: string },
    ) {
      if (childSessionKey === undefined || requesterSessionKey === undefined) return
      lineage.learn(childSessionKey, {
        parentID: requesterSessionKey,
        ...(agentId === undefined ? {} : { agent: agentId }),
      })
    },
  }
}

/** A gateway may run for months. */
function remember(set: Set<string>, key: string): void {
  if (set.size >= RUNS_MAX) set.clear()
  set.add(key)
}

function isSubagent({ sessionKey = '' }: OpenClawContext): boolean {
  return sessionKey.includes(':subagent:')
}

function approvalFor(reason: string): object {
  return {
    title: 'Holdpoint',
    description: reason.slice(0, DESCRIPTION_MAX),
    severity: 'warning',
    // A yes for ever would be a yes to calls that nobody has seen.
    allowedDecisions: ['allow-once', 'deny'],
  }
}

function asContent(text: string): Content {
  return { type: 'text', text }
}
