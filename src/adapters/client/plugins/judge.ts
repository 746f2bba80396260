import { deadlinesOf } from '../../../core/deadlines.ts'
import type { EventKind } from '../../../core/event.ts'
import { createClient, type PluginAnswer } from '../client.ts'
import type { PluginSettings } from './loaded.ts'

/** An event of a plugin: its kind, the agent's own name for it, and what is known of it. */
export interface PluginEvent {
  readonly event: EventKind
  readonly name: string
  readonly cwd: string
  readonly fields: object
  /** Where the agent waits less than Holdpoint would ask for. */
  readonly deadlineMs?: number
}

/** Asks Holdpoint about an event. `tell` shows the user what hooks want shown. Never rejects. */
export function createJudge(
  settings: PluginSettings,
): (event: PluginEvent, tell: (notices: string) => void) => Promise<PluginAnswer> {
  const client = createClient(settings)
  return async ({ event, name, cwd, fields, deadlineMs = Number.POSITIVE_INFINITY }, tell) => {
    const payload = { hook_event_name: name, cwd, ...fields }
    const atMostMs = Math.min(deadlinesOf(event).clientMs, deadlineMs)
    const answer = await client.judge({ event, payload, cwd, deadlineMs: atMostMs })
    try {
      if (answer.notices !== '') tell(answer.notices)
    } catch {
      // The answer counts, whether or not the agent could show the notice.
    }
    return answer
  }
}

/** The context for the model. A denial after the call is included: the result cannot be undone. */
export function told(answer: PluginAnswer): readonly string[] {
  const text = answer.kind === 'pass' ? answer.context : answer.reason
  return text === undefined ? [] : [text]
}

/** An output that a hook wrote, as text. */
export function outputText(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

export const CHANGED_MEANWHILE =
  'Holdpoint: the call was changed while it was checked, so it was stopped. Tell the user.'

const CALLS_MAX = 1_000

/** What the model shall read with the result of a call, kept until there is a result. */
export interface ForResult {
  keep(call: string, answer: PluginAnswer): void
  take(call: string): readonly string[]
}

export function createForResult(): ForResult {
  const waiting = new Map<string, string>()
  return {
    keep(call, answer) {
      if (answer.kind !== 'pass' || answer.context === undefined) return
      if (waiting.size >= CALLS_MAX) waiting.clear()
      waiting.set(call, answer.context)
    },
    take(call) {
      const text = waiting.get(call)
      waiting.delete(call)
      return text === undefined ? [] : [text]
    },
  }
}
