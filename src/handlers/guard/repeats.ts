import type { Patch } from '../../decision.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../json.ts'
import type { Caught } from '../../packs/guard.ts'

/**
 * What was denied in this session, as guard and effect: the same act tried by another route is known again. Kept per
 * agent, like everything hooks remember.
 */
const KEY = 'holdpoint/note/denied'
const KEPT = 50

/** One denial: what it was about, and which text it was about it. */
interface Denial {
  readonly about: string
  readonly text: string
}

/** Was this act denied before, in another spelling? `text` tells spellings apart. */
export function deniedBefore(
  memory: JsonObject | undefined,
  guard: string,
  caught: Caught,
  text: string,
): boolean {
  const about = aboutOf(guard, caught)
  return denials(memory).some((denial) => denial.text !== text && mayBeSame(about, denial.about))
}

/** To be remembered when the call is denied. Nothing where nothing can be: that alone must not be a failure. */
export function denialPatch(
  memory: JsonObject | undefined,
  guard: string,
  caught: Caught,
  text: string,
): readonly Patch[] {
  if (memory === undefined || caught.unsure !== undefined) return []
  const about = aboutOf(guard, caught)
  const known = denials(memory).some((denial) => denial.about === about && denial.text === text)
  return known ? [] : [{ op: 'push', key: KEY, value: { about, text }, keep: KEPT }]
}

/** The guard, and the path it was about, else the act, else what it said. */
function aboutOf(guard: string, { caught, detail }: Caught): string {
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

/** What is not known of a path (`‹$X›`, `*`) may be what was denied. */
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
