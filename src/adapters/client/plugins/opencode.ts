import type { EventKind } from '../../../core/event.ts'
import type { PluginAnswer } from '../client.ts'
import { changeInPlace, judgedText } from './change-in-place.ts'
import { CHANGED_MEANWHILE, createForResult, createJudge, outputText, told } from './judge.ts'
import { createLineage, type Identity, type SessionFacts } from './lineage.ts'
import { noteLoaded, type PluginSettings } from './loaded.ts'

/** The context that the agent passes to a plugin; only the fields that are used here. */
interface OpenCodeContext {
  readonly directory?: string
  readonly client?: {
    readonly session?: { get?(request: object): Promise<{ readonly data?: SessionFacts }> }
    readonly tui?: { showToast?(request: object): Promise<unknown> }
  }
}

interface ToolAt {
  readonly tool: string
  readonly sessionID: string
  readonly callID: string
  readonly args?: unknown
}

interface TextPart {
  readonly type: string
  text?: string
}

/** The hooks of OpenCode and Kilo. A throw is how they deny; nothing else here throws. */
export function opencode(settings: PluginSettings, context: OpenCodeContext) {
  const ask = createJudge(settings)
  const forResult = createForResult()
  const cwd = context.directory ?? process.cwd()
  const lineage = createLineage(async (id) => (await context.client?.session?.get?.({ path: { id } }))?.data)
  const begun = new Set<string>()
  noteLoaded(settings)

  const judge = (event: EventKind, name: string, who: Identity, fields: object): Promise<PluginAnswer> =>
    ask({ event, name, cwd, fields: { ...who, ...fields } }, tell)
  const tell = (message: string) => {
    const told = context.client?.tui?.showToast?.({
      body: { title: 'Holdpoint', message, variant: 'warning' },
    })
    told?.catch(() => {})
  }
  const begin = async (session: string, who: Identity): Promise<readonly string[]> => {
    if (begun.has(session)) return []
    begun.add(session)
    const verdict =
      who.agent_id === undefined
        ? await judge('SessionStart', 'session.start', who, { source: 'startup' })
        : await judge('SubagentStart', 'subagent.start', who, {})
    return told(verdict)
  }

  return {
    'chat.message': async ({ sessionID }: { sessionID: string }, { parts }: { parts: TextPart[] }) => {
      const who = await lineage.identityOf(sessionID)
      const texts = [...(await begin(sessionID, who))]
      const spoken = parts.filter((part) => part.type === 'text')
      if (who.agent_id === undefined) {
        const prompt = spoken.map(({ text }) => text ?? '').join('\n')
        const verdict = await judge('UserPromptSubmit', 'chat.message', who, { prompt })
        if (verdict.kind !== 'pass') {
          tell(verdict.reason)
          throw new Error(verdict.reason)
        }
        texts.push(...told(verdict))
      }
      const last = spoken.at(-1)
      if (last !== undefined && texts.length > 0) last.text = [last.text ?? '', ...texts].join('\n\n')
    },

    'tool.execute.before': async (
      { tool, sessionID, callID }: ToolAt,
      output: { args: Record<string, unknown> },
    ) => {
      const args = output.args ?? {}
      const given = judgedText(args)
      const who = await lineage.identityOf(sessionID)
      const call = { tool_name: tool, tool_input: JSON.parse(given), tool_use_id: callID }
      const verdict = await judge('PreToolUse', 'tool.execute.before', who, call)
      if (verdict.kind !== 'pass') throw new Error(verdict.reason)
      if (judgedText(output.args ?? {}) !== given) throw new Error(CHANGED_MEANWHILE)
      if (verdict.input !== undefined) changeInPlace(output.args, verdict.input)
      forResult.keep(callID, verdict)
    },

    'tool.execute.after': async ({ tool, sessionID, callID, args }: ToolAt, output: ToolResult) => {
      try {
        const who = await lineage.identityOf(sessionID)
        const call = { tool_name: tool, tool_input: args ?? {}, tool_use_id: callID }
        const response = { output: output.output ?? '', ...exitOf(output) }
        const verdict = await judge('PostToolUse', 'tool.execute.after', who, {
          ...call,
          tool_response: response,
        })
        const texts = [...forResult.take(callID), ...told(verdict)]
        const changed =
          verdict.kind === 'pass' && verdict.output !== undefined ? [outputText(verdict.output)] : []
        if (texts.length + changed.length > 0)
          output.output = [changed[0] ?? output.output ?? '', ...texts].join('\n\n')
      } catch {
        // The tool has run; a throw here would only hide its result.
      }
    },

    event: async ({ event }: { event: AgentEvent }) => {
      try {
        const { sessionID, info } = event.properties ?? {}
        const isWhole = info?.parentID === undefined || info.agent !== undefined
        if (event.type === 'session.created' && info?.id !== undefined && isWhole)
          lineage.learn(info.id, info)
        if (event.type !== 'session.idle' || sessionID === undefined) return
        const who = await lineage.identityOf(sessionID)
        const [kind, name] =
          who.agent_id === undefined ? ['Stop', 'session.idle'] : ['SubagentStop', 'subagent.idle']
        await judge(kind as EventKind, name as string, who, { stop_hook_active: false })
      } catch {
        // Only seen, never stopped.
      }
    },
  }
}

interface ToolResult {
  output?: string
  readonly metadata?: { readonly exit?: unknown }
}

interface AgentEvent {
  readonly type: string
  readonly properties?: {
    readonly sessionID?: string
    readonly info?: SessionFacts & { readonly id?: string }
  }
}

function exitOf({ metadata }: ToolResult): object {
  return typeof metadata?.exit === 'number' ? { exit_code: metadata.exit } : {}
}
