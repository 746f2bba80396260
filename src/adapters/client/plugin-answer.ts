import type { Reply } from '../../core/decision.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'

/** What a plugin does with a call. `notices` are for the user, `context` is for the model. */
export type PluginAnswer =
  | {
      readonly kind: 'deny' | 'ask'
      readonly reason: string
      readonly input?: JsonObject
      readonly notices: string
    }
  | {
      readonly kind: 'pass'
      /** The new input of the call, which replaces the old one. */
      readonly input?: JsonObject
      readonly context?: string
      /** The new output of the tool. */
      readonly output?: Json
      readonly notices: string
    }

/** A reply in the dialect of plugins: `{ decision, reason, input, context, output }`, or exit 2 with a text. */
export function readPluginReply(
  { stdout, stderr, exitCode }: Reply,
  onFailure: 'deny' | 'pass',
): PluginAnswer {
  const notices = stderr.trim()
  if (exitCode === 2)
    return { kind: 'deny', reason: notices === '' ? 'Stopped by Holdpoint.' : notices, notices: '' }
  if (exitCode === 0 && stdout.trim() === '') return { kind: 'pass', notices }
  const body = exitCode === 0 ? parsed(stdout) : undefined
  const { decision, reason, input, context, output } = body ?? {}
  const said = typeof reason === 'string' && reason.trim() !== '' ? reason : 'Stopped by Holdpoint.'
  const changed = isObject(input) ? { input } : {}
  if (decision === 'deny') return { kind: 'deny', reason: said, notices }
  if (decision === 'ask') return { kind: 'ask', reason: said, ...changed, notices }
  const isWhole = input === undefined || isObject(input)
  if (body === undefined || decision !== undefined || !isWhole) return unreadable(onFailure, notices)
  return {
    kind: 'pass',
    ...changed,
    ...(typeof context === 'string' ? { context } : {}),
    ...(output === undefined ? {} : { output }),
    notices,
  }
}

function unreadable(onFailure: 'deny' | 'pass', notices: string): PluginAnswer {
  const reason = 'holdpoint: the answer could not be read, so this was stopped. Tell the user.'
  return onFailure === 'deny' ? { kind: 'deny', reason, notices } : { kind: 'pass', notices }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
