import type { Context, Decision, Finding } from '../decision.ts'
import { isObject, type Json } from '../json.ts'
import type { Execution, Injection, MassGenResult, Strategy } from './massgen-result.ts'

/** The decision of all hooks of one event, in MassGen's format. */
export function aggregateResult(decision: Decision, executions: readonly Execution[] = []): MassGenResult {
  const word = decision.effect === 'deny' || decision.effect === 'ask' ? decision.effect : 'allow'
  return {
    allowed: word !== 'deny',
    decision: word,
    reason: word === 'allow' ? null : reasonOf(decision),
    updated_input: word === 'deny' ? null : (decision.rewrite ?? null),
    inject: injectionOf(decision.context),
    hook_errors: [
      ...decision.failed.map(({ hook, failure }) => `${hook}: ${failure.failure}: ${failure.message}`),
      ...decision.findings.flatMap(errorsIn),
    ],
    executions,
  }
}

/** Every reason on its own line: if several hooks ask, the user must see all of them. Never empty. */
function reasonOf({ effect, reasons, because }: Decision): string {
  const text = reasons.map((reason) => reason.text).join('\n')
  return text === '' ? `${effect === 'deny' ? 'Denied' : 'Questioned'} by ${because.join(', ')}.` : text
}

/** One text for readers that take one, and all texts grouped by how they should be delivered. */
export function injectionOf(context: readonly Context[]): Injection | null {
  const own = context.filter(({ to, text }) => to === 'self' && text !== '')
  if (own.length === 0) return null
  const texts = (strategy: Strategy) =>
    own.filter((each) => (each.strategy ?? 'tool_result') === strategy).map(({ text }) => text)
  const [results, messages] = [texts('tool_result'), texts('user_message')]
  const content = own.map(({ text }) => text).join('\n')
  const strategy = results.length > 0 ? 'tool_result' : 'user_message'
  if (own.length === 1) return { content, strategy }
  return {
    content,
    strategy,
    by_strategy: {
      ...(results.length === 0 ? {} : { tool_result: results }),
      ...(messages.length === 0 ? {} : { user_message: messages }),
    },
  }
}

/** Errors that a hook reports although it answered. */
export function errorDetail(errors: readonly string[]): { readonly detail?: Json } {
  return errors.length === 0 ? {} : { detail: { hook_errors: errors } }
}

function errorsIn({ hook, detail }: Finding): readonly string[] {
  const errors = isObject(detail) ? detail.hook_errors : undefined
  return Array.isArray(errors) ? errors.map((error) => `${hook}: ${String(error)}`) : []
}
