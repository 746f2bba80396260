import type { Context, Decision, Finding } from '../decision.ts'
import { isObject, type Json } from '../json.ts'
import type { Execution, HookResult, Injection, Strategy } from './result-fields.ts'

/** What all hooks of one event decided, in MassGen's words. */
export function resultOf(decision: Decision, executions: readonly Execution[] = []): HookResult {
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

/** Every reason, a line each: of several asks the person must see all. Never empty. */
function reasonOf({ effect, reasons, because }: Decision): string {
  const text = reasons.map((reason) => reason.text).join('\n')
  return text === '' ? `${effect === 'deny' ? 'Denied' : 'Questioned'} by ${because.join(', ')}.` : text
}

/** One text for whoever reads one, and beside it every text by the way it should be delivered. */
function injectionOf(context: readonly Context[]): Injection | null {
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

/** What a hook that did answer says went wrong inside it. */
export function errorDetail(errors: readonly string[]): { readonly detail?: Json } {
  return errors.length === 0 ? {} : { detail: { hook_errors: errors } }
}

function errorsIn({ hook, detail }: Finding): readonly string[] {
  const errors = isObject(detail) ? detail.hook_errors : undefined
  return Array.isArray(errors) ? errors.map((error) => `${hook}: ${String(error)}`) : []
}
