import type { EventKind } from '../../../core/event.ts'
import type { PluginAnswer } from '../client.ts'
import { changeInPlace, judgedText } from './change-in-place.ts'
import { CHANGED_MEANWHILE, createForResult, createJudge, outputText, told } from './judge.ts'
import { noteLoaded, type PluginSettings } from './loaded.ts'

/** The API that Pi passes to an extension; only the parts that are used here. */
interface Pi {
  on(event: string, handler: (event: PiEvent, context: PiContext) => unknown): unknown
}

interface PiContext {
  readonly cwd?: string
  readonly hasUI?: boolean
  readonly sessionManager?: { getSessionId?(): string }
  readonly ui?: {
    confirm?(title: string, text: string): Promise<boolean>
    notify?(text: string, kind: string): void
  }
}

interface PiEvent {
  readonly text?: string
  readonly reason?: string
  readonly toolName?: string
  readonly toolCallId?: string
  readonly input?: Record<string, unknown>
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
  readonly isError?: boolean
}

/** The handlers of Pi. A throw in `tool_call` blocks there; the others never throw. */
export function pi(settings: PluginSettings, api: Pi): void {
  const ask = createJudge(settings)
  const forResult = createForResult()
  /** What the model shall read with the next prompt. */
  const atPrompt: string[] = []
  let held = false
  noteLoaded(settings)

  const judge = (
    event: EventKind,
    name: string,
    context: PiContext,
    fields: object,
  ): Promise<PluginAnswer> => {
    const session_id = context.sessionManager?.getSessionId?.() ?? `pi-${process.pid}`
    const who = { session_id, has_ui: context.hasUI === true }
    const cwd = context.cwd ?? process.cwd()
    const tell = (notices: string) => context.ui?.notify?.(notices, 'warning')
    return ask({ event, name, cwd, fields: { ...who, ...fields } }, tell)
  }

  api.on('session_start', async ({ reason }, context) => {
    atPrompt.push(
      ...told(await judge('SessionStart', 'session_start', context, { source: reason ?? 'startup' })),
    )
  })
  api.on('session_shutdown', async ({ reason }, context) => {
    await judge('SessionEnd', 'session_shutdown', context, { reason: reason ?? 'other' })
  })
  api.on('input', async ({ text }, context) => {
    held = false
    const answer = await judge('UserPromptSubmit', 'input', context, { prompt: text ?? '' })
    if (answer.kind !== 'pass') {
      context.ui?.notify?.(answer.reason, 'error')
      return { action: 'handled' }
    }
    atPrompt.push(...told(answer))
    return undefined
  })
  api.on('before_agent_start', () => {
    const content = atPrompt.splice(0).join('\n\n')
    return content === '' ? undefined : { message: { customType: 'holdpoint', content, display: true } }
  })
  api.on('tool_call', async ({ toolName, toolCallId = '', input = {} }, context) => {
    const given = judgedText(input)
    const call = { tool_name: toolName, tool_input: JSON.parse(given), tool_use_id: toolCallId }
    const answer = await judge('PreToolUse', 'tool_call', context, call)
    if (answer.kind === 'deny' || (answer.kind === 'ask' && !(await isConfirmed(answer.reason, context))))
      return { block: true, reason: answer.reason }
    if (judgedText(input) !== given) return { block: true, reason: CHANGED_MEANWHILE }
    if (answer.input !== undefined) changeInPlace(input, answer.input)
    forResult.keep(toolCallId, answer)
    return undefined
  })
  api.on('tool_result', async ({ toolName, toolCallId = '', input, content = [], isError }, context) => {
    const output = content.map(({ text }) => text ?? '').join('\n')
    const call = { tool_name: toolName, tool_input: input ?? {}, tool_use_id: toolCallId }
    const response = { output, is_error: isError === true }
    const answer = await judge('PostToolUse', 'tool_result', context, { ...call, tool_response: response })
    const texts = [...forResult.take(toolCallId), ...told(answer)].map((text) => ({ type: 'text', text }))
    const isNew = answer.kind === 'pass' && answer.output !== undefined
    if (texts.length === 0 && !isNew) return undefined
    return { content: [...(isNew ? [{ type: 'text', text: outputText(answer.output) }] : content), ...texts] }
  })
  api.on('agent_before_settle', async (_event, context) => {
    const answer = await judge('Stop', 'agent_before_settle', context, { stop_hook_active: held })
    held = answer.kind !== 'pass'
    if (answer.kind === 'pass') return undefined
    const message = { type: 'custom_message', customType: 'holdpoint', content: answer.reason, display: true }
    return { continue: true, entries: [message] }
  })
}

async function isConfirmed(reason: string, { hasUI, ui }: PiContext): Promise<boolean> {
  return hasUI === true && (await ui?.confirm?.('Holdpoint', reason)) === true
}
