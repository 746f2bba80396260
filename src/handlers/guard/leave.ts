import { actorKey } from '../../actor.ts'
import type { Answer } from '../../decision.ts'
import { toolOf } from '../../event.ts'
import type { Exception, Leave } from '../../exceptions.ts'
import { isObject } from '../../json.ts'
import type { Guard } from '../../packs/guard.ts'
import type { Call } from '../handler.ts'
import type { Act } from './act.ts'

/** What a person excepted or paused, applied to one call. */
export function isPaused({ pausedUntilMs }: Leave, { facts }: Call): boolean {
  return pausedUntilMs > 0 && facts.now().getTime() < pausedUntilMs
}

/** The exception that is for exactly this act, now. */
export function exceptionFor(act: Act, { exceptions }: Leave, call: Call): Exception | undefined {
  const nowMs = call.facts.now().getTime()
  return exceptions.find((exception) => {
    const { act: excepted, untilMs, once } = exception
    if (excepted !== act.id || (untilMs !== undefined && nowMs >= untilMs)) return false
    if (once === undefined) return true
    const isTheirs = once.session === call.event.session && once.agent === actorKey(call.event.agentId)
    return isTheirs && useOf(exception, call) !== 'used'
  })
}

/** Some hosts deliver one event twice: that is one use. Without memory nobody can tell whether it was used. */
function useOf({ code }: Exception, { event, facts, memory }: Call): 'unused' | 'again' | 'used' {
  if (memory === undefined) return 'used'
  const use = memory[usedKey(code)]
  if (use === undefined) return 'unused'
  if (!isObject(use) || typeof use.atMs !== 'number' || use.call !== (toolOf(event)?.useId ?? ''))
    return 'used'
  return facts.now().getTime() - use.atMs <= SECOND_DELIVERY_MS ? 'again' : 'used'
}

const SECOND_DELIVERY_MS = 2_000

function usedKey(code: string): string {
  return `holdpoint/note/allowed/${code}`
}

export function letThrough(guard: Guard, exception: Exception, call: Call): Answer {
  const { code, once } = exception
  const how = once === undefined ? '' : ', this once'
  const value = { call: toolOf(call.event)?.useId ?? '', atMs: call.facts.now().getTime() }
  const isFirst = once !== undefined && useOf(exception, call) === 'unused'
  return {
    effect: 'pass',
    guard: guard.id,
    notices: [`${guard.title}: let through${how} by your exception ${code} (${guard.id}).`],
    detail: { exception: code },
    ...(isFirst ? { remember: [{ op: 'set', key: usedKey(code), value }] } : {}),
  }
}
