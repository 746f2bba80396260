import { actorKey } from '../../core/actor.ts'
import type { Answer } from '../../core/decision.ts'
import { toolOf } from '../../core/event.ts'
import { type Exception, usedKey, type Waivers } from '../../core/exceptions.ts'
import type { Guard } from '../../core/guard.ts'
import type { HandlerCall } from '../../core/handler.ts'
import { isObject } from '../../core/json.ts'
import type { Act } from './act.ts'

/** Applies the exceptions and pauses of the user to one call. */
export function isPaused({ pausedUntilMs }: Waivers, { facts }: HandlerCall): boolean {
  return pausedUntilMs > 0 && facts.now().getTime() < pausedUntilMs
}

/** The exception for exactly this act, now. */
export function exceptionFor(act: Act, { exceptions }: Waivers, call: HandlerCall): Exception | undefined {
  if (exceptions.length === 0) return undefined
  const nowMs = call.facts.now().getTime()
  return exceptions.find((exception) => {
    const { act: excepted, untilMs, once } = exception
    if (excepted !== act.id || (untilMs !== undefined && nowMs >= untilMs)) return false
    if (once === undefined) return true
    const isTheirs = once.session === call.event.session && once.agent === actorKey(call.event.agentId)
    return isTheirs && useOf(exception, call) !== 'used'
  })
}

/** Some hosts deliver one event twice: that is one use. Without memory it is unknown whether it was used. */
function useOf({ code }: Exception, { event, facts, memory }: HandlerCall): 'unused' | 'again' | 'used' {
  if (memory === undefined) return 'used'
  const use = memory[usedKey(code)]
  if (use === undefined) return 'unused'
  if (!isObject(use) || typeof use.atMs !== 'number' || use.call !== (toolOf(event)?.useId ?? ''))
    return 'used'
  return facts.now().getTime() - use.atMs <= SECOND_DELIVERY_MS ? 'again' : 'used'
}

const SECOND_DELIVERY_MS = 2_000

export function letThrough(guard: Guard, exception: Exception, call: HandlerCall): Answer {
  const { code, once } = exception
  const how = once === undefined ? '' : ' once'
  const value = { call: toolOf(call.event)?.useId ?? '', atMs: call.facts.now().getTime() }
  const isFirst = once !== undefined && useOf(exception, call) === 'unused'
  return {
    effect: 'pass',
    guard: guard.id,
    notices: [`${guard.title}: allowed${how} by your exception ${code} (${guard.id}).`],
    detail: { exception: code },
    ...(isFirst ? { remember: [{ op: 'set', key: usedKey(code), value }] } : {}),
  }
}
