import type { MassGenEvent } from '../../core/formats/massgen-event.ts'
import type { Callable } from '../../core/handler.ts'
import type { JsonObject } from '../../core/json.ts'
import { spellEvent } from '../../handlers/spelling.ts'
import { FunctionHook, type HookCallable, type Returned } from './function-hook.ts'

/**
 * Runs a hook of the program for the engine. Each hook gets its own copy of the event, so that its changes do
 * not affect the next hook.
 */
export function callableOf(hook: FunctionHook | HookCallable): Callable {
  return (event, call) => {
    const spelled = spellEvent(event, call.actor, 'massgen', call.facts.now())
    const own = JSON.parse(JSON.stringify(spelled)) as MassGenEvent
    return ask(hook, own, event.raw)
  }
}

function ask(
  hook: FunctionHook | HookCallable,
  event: MassGenEvent,
  raw: JsonObject,
): Returned | Promise<Returned> {
  if (!(hook instanceof FunctionHook)) return hook(event)
  return hook.execute(event.tool_name, argumentsOf(event.tool_input, raw.arguments), { ...raw, ...event })
}

/** The arguments as text. Arguments that are not JSON reach older hooks as the model wrote them. */
function argumentsOf(input: JsonObject, written: unknown): string {
  const isAsWritten = input.raw === written && Object.keys(input).length === 1
  return isAsWritten && typeof written === 'string' ? written : JSON.stringify(input)
}
