import type { Patch } from '../../core/decision.ts'
import type { GuardMatch } from '../../core/guard.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'

/**
 * What was denied in this session, as guard and effect, so that the same act in another form is recognised. Kept for
 * each agent, like all memory of hooks.
 */
const KEY = 'holdpoint/note/denied'
const KEPT = 50

/** One denial: its subject, and the text of the call. */
interface Denial {
  readonly about: string
  readonly text: string
}

/** Whether this act was denied before in another form. `text` distinguishes the forms. */
export function deniedBefore(
  memory: JsonObject | undefined,
  guard: string,
  caught: GuardMatch,
  text: string,
): boolean {
  const about = aboutOf(guard, caught)
  return denials(memory).some((denial) => denial.text !== text && mayBeSame(about, denial.about))
}

/** What to remember if the call is denied. Nothing if there is no memory: that alone must not be a failure. */
export function denialPatch(
  memory: JsonObject | undefined,
  guard: string,
  caught: GuardMatch,
  text: string,
): readonly Patch[] {
  if (memory === undefined || caught.unsure !== undefined) return []
  const about = aboutOf(guard, caught)
  const known = denials(memory).some((denial) => denial.about === about && denial.text === text)
  return known ? [] : [{ op: 'push', key: KEY, value: { about, text }, keep: KEPT }]
}

/** The guard, and the path, otherwise the act, otherwise its text. */
function aboutOf(guard: string, { caught, detail }: GuardMatch): string {
  return `${guard} ${textIn(detail, 'path') ?? textIn(detail, 'effect') ?? caught}`
}

function textIn(detail: JsonObject | undefined, key: string): string | undefined {
  return detail === undefined ? undefined : textAt(detail, key)
}

function denials(memory: JsonObject | undefined): readonly Denial[] {
  const list: Json | undefined = memory?.[KEY]
  if (!Array.isArray(list)) return []
  return list.filter(isObject).flatMap((each) => {
    const [about, text] = [textAt(each, 'about'), textAt(each, 'text')]
    return about === undefined || text === undefined ? [] : [{ about, text }]
  })
}

/** An unknown part of a path (`‹$X›`, `*`) may be what was denied. */
function mayBeSame(about: string, denied: string): boolean {
  const [start = '', ...rest] = about.split(/‹[^›]*›|\*+/)
  if (rest.length === 0) return start === denied
  let at = denied.startsWith(start) ? start.length : -1
  for (const part of rest) {
    if (at < 0) return false
    const found = denied.indexOf(part, at)
    at = found < 0 ? -1 : found + part.length
  }
  const last = rest.at(-1) ?? ''
  return at >= 0 && (last === '' || denied.endsWith(last))
}
