import type { Guard, GuardMatch } from '../../core/guard.ts'
import type { Hook, Origin } from '../../core/hook.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Act } from './act.ts'

/** For the agent: what, why, what to do instead. Short, because a model reads it and then continues. */
export function reasonFor(guard: Guard, caught: GuardMatch, isRepeat: boolean): string {
  return `${questionFor(guard, caught, isRepeat)} Instead: ${guard.instead} Do not work around this by rewriting the command.`
}

/** For the person who is asked: what and why. What the agent should do instead is not for this dialog. */
export function questionFor(guard: Guard, caught: GuardMatch, isRepeat: boolean): string {
  const fragment = caught.fragment === undefined ? '' : ` (\`${shorten(caught.fragment)}\`)`
  const what =
    caught.unsure === undefined
      ? `${guard.title}: this ${caught.caught}${fragment}.`
      : `${guard.title}: this ${caught.caught}${fragment}. This is possible but not certain: ${caught.unsure}.`
  const again = isRepeat ? ` ${REPEATED}` : ''
  return `${what}${again} ${guard.why}`
}

const REPEATED = 'The same act was blocked before in this session, written in another way.'

/** For the user: what `explain` and the journal show about one block. */
export function detailOf(
  hook: Hook,
  caught: GuardMatch,
  act: Act | undefined,
  isRepeat: boolean,
): JsonObject {
  const detail: Record<string, Json> = {
    ...caught.detail,
    does: caught.caught,
    configured: placeOf(hook.origin),
    layer: hook.rank,
  }
  if (caught.fragment !== undefined) detail.fragment = caught.fragment
  if (caught.unsure !== undefined) detail.unknown = caught.unsure
  if (isRepeat) detail.repeat = true
  if (act !== undefined) Object.assign(detail, { code: act.code, act: act.id, call: act.call })
  return detail
}

function placeOf({ file, line }: Origin): string {
  return line === undefined ? file : `${file}:${line}`
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
