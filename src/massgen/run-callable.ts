import { andThen } from '../and-then.ts'
import type { Answer, Context } from '../decision.ts'
import { HoldpointError } from '../errors.ts'
import type { Callable } from '../handlers/handler.ts'
import { spellEvent } from '../handlers/spelling.ts'
import type { JsonObject } from '../json.ts'
import { errorDetail } from './aggregate.ts'
import type { HookEvent } from './event-fields.ts'
import { FunctionHook, type HookCallable, type Returned } from './function-hook.ts'
import { type HookResult, type Injection, readHookResult, type Strategy } from './result-fields.ts'

/**
 * A hook of the program as the engine calls it. Each hook gets a copy of the event of its own: what it does to it, the
 * next hook does not see. What it throws or answers wrongly is its failure.
 */
export function callableOf(hook: FunctionHook | HookCallable): Callable {
  return (event, call) => {
    const spelled = spellEvent(event, call.actor, 'massgen', call.facts.now())
    const own = JSON.parse(JSON.stringify(spelled)) as HookEvent
    return andThen(promised(ask(hook, own, event.raw)), answerOf)
  }
}

function ask(
  hook: FunctionHook | HookCallable,
  event: HookEvent,
  raw: JsonObject,
): Returned | Promise<Returned> {
  if (!(hook instanceof FunctionHook)) return hook(event)
  return hook.execute(event.tool_name, argumentsOf(event.tool_input, raw.arguments), { ...raw, ...event })
}

/** The arguments as text. What a model wrote that is no JSON reaches older hooks as it was written. */
function argumentsOf(input: JsonObject, written: unknown): string {
  const isAsWritten = input.raw === written && Object.keys(input).length === 1
  return isAsWritten && typeof written === 'string' ? written : JSON.stringify(input)
}

/** Promises of other libraries count too. */
function promised(returned: Returned | Promise<Returned>): Returned | Promise<Returned> {
  const isThenable = typeof returned === 'object' && returned !== null && 'then' in returned
  return isThenable ? Promise.resolve(returned as Promise<Returned>) : (returned as Returned)
}

function answerOf(returned: Returned): Answer | null {
  const read = readHookResult(returned)
  if (!read.ok) throw new HoldpointError(read.problem)
  return toAnswer(read.value)
}

function toAnswer({
  decision,
  reason,
  updated_input: rewrite,
  inject,
  hook_errors,
}: HookResult): Answer | null {
  const answer: Answer = {
    effect: decision === 'allow' ? 'pass' : decision,
    ...(reason === null || decision === 'allow' ? {} : { reason }),
    ...(rewrite === null ? {} : { rewrite }),
    ...(inject === null ? {} : { context: textsOf(inject) }),
    ...errorDetail(hook_errors),
  }
  return answer.effect === 'pass' && Object.keys(answer).length === 1 ? null : answer
}

/** A hook may hand on what other hooks injected, each text in its own way. */
function textsOf({
  content,
  strategy,
  by_strategy: groups = { [strategy]: [content] },
}: Injection): readonly Context[] {
  return STRATEGIES.flatMap((each) =>
    (groups[each] ?? []).map((text): Context => ({ text, to: 'self', strategy: each })),
  )
}

const STRATEGIES: readonly Strategy[] = ['tool_result', 'user_message']
