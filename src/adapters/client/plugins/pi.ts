import { deadlinesOf } from '../../../core/deadlines.ts'
import type { EventKind } from '../../../core/event.ts'
import { createClient, type PluginAnswer } from '../client.ts'
import { changeInPlace, judgedText } from './change-in-place.ts'
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

const CALLS_MAX = 1_000

/** The handlers of Pi. A throw in `tool_call` blocks there; the others never throw. */
export function pi(settings: PluginSettings, api: Pi): void {
  const client = createClient(settings)
  /** What the model shall read: with the result of a call, and with the next prompt. */
  const waiting = new Map<string, string>()
  const atPrompt: string[] = []
  let held = false
  noteLoaded(settings)

  const judge = async (
    event: EventKind,
    name: string,
    context: PiContext,
    fields: object,
  ): Promise<PluginAnswer> => {
    const cwd = context.cwd ?? process.cwd()
    const who = { session_id: context.sessionManager?.getSessionId?.() ?? `pi-${process.pid}` }
    const payload = { hook_event_name: name, ...who, cwd, has_ui: context.hasUI === true, ...fields }
    const answer = await client.judge({ event, payload, cwd, deadlineMs: deadlinesOf(event).clientMs })
    if (answer.notices !== '') context.ui?.notify?.(answer.notices, 'warning')
    return answer
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
    if (judgedText(input) !== given)
      return { block: true, reason: 'Holdpoint: the call was changed while it was checked. Tell the user.' }
    if (answer.input !== undefined) changeInPlace(input, answer.input)
    if (waiting.size >= CALLS_MAX) waiting.clear()
    if (answer.kind === 'pass' && answer.context !== undefined) waiting.set(toolCallId, answer.context)
    return undefined
  })
  api.on('tool_result', async ({ toolName, toolCallId = '', input, content = [], isError }, context) => {
    const output = content.map(({ text }) => text ?? '').join('\n')
    const call = { tool_name: toolName, tool_input: input ?? {}, tool_use_id: toolCallId }
    const response = { output, is_error: isError === true }
    const answer = await judge('PostToolUse', 'tool_result', context, { ...call, tool_response: response })
    const before = waiting.get(toolCallId)
    waiting.delete(toolCallId)
    const texts = [...(before === undefined ? [] : [before]), ...told(answer)].map((text) => ({
      type: 'text',
      text,
    }))
    const isNew = answer.kind === 'pass' && answer.output !== undefined
    if (texts.length === 0 && !isNew) return undefined
    return { content: [...(isNew ? [{ type: 'text', text: textOf(answer.output) }] : content), ...texts] }
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

/** The context for the model. A denial after the call is included: the result cannot be undone. */
function told(answer: PluginAnswer): readonly string[] {
  const text = answer.kind === 'pass' ? answer.context : answer.reason
  return text === undefined ? [] : [text]
}

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}
