import type { Hook, Origin } from '../../hook.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { Caught, Guard } from '../../packs/guard.ts'
import type { Act } from './act.ts'

/** For the agent: what, why, what to do instead. Short, because it is read by a model that then goes on. */
export function reasonFor(guard: Guard, caught: Caught, isRepeat: boolean): string {
  const fragment = caught.fragment === undefined ? '' : ` (\`${shorten(caught.fragment)}\`)`
  const what =
    caught.unsure === undefined
      ? `${guard.title}: this ${caught.caught}${fragment}.`
      : `${guard.title}: this ${caught.caught}${fragment}, and that cannot be ruled out: ${caught.unsure}.`
  const again = isRepeat ? ` ${REPEATED}` : ''
  return `${what}${again} ${guard.why} Instead: ${guard.instead} Do not retry it in another spelling.`
}

const REPEATED = 'It was stopped before in this session: it is the same act in another spelling.'

/** For the person: what `explain` and the journal show of one stop. */
export function detailOf(hook: Hook, caught: Caught, act: Act | undefined, isRepeat: boolean): JsonObject {
  const optional: Readonly<Record<string, Json | undefined>> = {
    fragment: caught.fragment,
    unknown: caught.unsure,
    repeat: isRepeat ? true : undefined,
    code: act?.code,
    act: act?.id,
  }
  const known = Object.entries(optional).filter((entry): entry is [string, Json] => entry[1] !== undefined)
  return {
    ...caught.detail,
    does: caught.caught,
    configured: placeOf(hook.origin),
    layer: hook.rank,
    ...Object.fromEntries(known),
  }
}

/** The line a person is told beside a stop; the agent cannot use it. */
export function allowNotice(act: Act): string {
  return `If you want exactly this to run, type in a terminal of your own: holdpoint allow ${act.code}`
}

function placeOf({ file, line }: Origin): string {
  return line === undefined ? file : `${file}:${line}`
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
