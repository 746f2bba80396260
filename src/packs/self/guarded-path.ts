import { isObject, type JsonObject, textAt } from '../../json.ts'
import { isInside, type PathForm } from '../../shell/paths.ts'
import { mayMatchName } from '../../shell/patterns.ts'
import { exactForm, type Form, hasUnknown, isWhollyUnknown } from '../../shell/words.ts'
import { PLACES, type Place, type Whose } from './places.ts'

/** What keeps the guard in place: the agents' hook configuration and Holdpoint's own files. */
export interface Guarded {
  /** Files our entries were written to, and how many each must hold. */
  readonly installs: ReadonlyMap<string, number>
  /** Holdpoint's own folder. */
  readonly home: string
}

/** The plan puts these into the pack's options, because a guard cannot look for them. */
export function guardedFrom(options: JsonObject, userHome: string): Guarded {
  const list = Array.isArray(options.installs) ? options.installs : []
  const installs = list.filter(isObject).flatMap((each): readonly [string, number][] => {
    const file = textAt(each, 'file')
    return file === undefined ? [] : [[file, typeof each.entries === 'number' ? each.entries : 1]]
  })
  return { installs: new Map(installs), home: textAt(options, 'home') ?? `${userHome}/.config/holdpoint` }
}

export type Match = 'yes' | 'maybe' | 'no'

/** Is this one of them, or, where all of it goes, a folder that holds one? */
export function matchGuarded(
  path: PathForm,
  whose: Whose,
  guarded: Guarded,
  whole: boolean,
  lost = false,
): Match {
  if (isKnownPlace(path, whose, guarded, whole)) return 'yes'
  let best: Match = 'no'
  for (const place of PLACES[whose]) {
    if (place.loss === true && !lost) continue
    const match = matchPlace(path, place, whole)
    if (match === 'yes') return 'yes'
    if (match === 'maybe') best = 'maybe'
  }
  return best
}

function isKnownPlace(path: PathForm, whose: Whose, { installs, home }: Guarded, whole: boolean): boolean {
  const names = path.parts.map(exactForm)
  if (!path.anchored || names.includes(undefined)) return false
  const written = `/${names.join('/')}`
  const held = whose === 'own' ? [home] : [...installs.keys()]
  return held.some((each) => isInside(written, each) || (whole && isInside(each, written)))
}

/** Where in the path the place may begin; anywhere, or only at the root. */
function matchPlace(path: PathForm, place: Place, whole: boolean): Match {
  const starts = place.rooted ? (path.anchored ? [0] : []) : path.parts.map((_, at) => at)
  let best: Match = 'no'
  for (const start of starts) {
    const match = matchFrom(path.parts.slice(start), place, whole)
    if (match === 'yes') return 'yes'
    if (match === 'maybe') best = 'maybe'
  }
  return best
}

function matchFrom(parts: readonly Form[], place: Place, whole: boolean): Match {
  let sure = true
  for (const [at, name] of place.names.entries()) {
    const part = parts[at]
    if (part === undefined) return whole && at >= place.least ? 'yes' : 'no'
    if (name === '**') return 'yes'
    const match = matchName(part, name, at === 0)
    if (match === 'no' || (at > 0 && place.names[0] === 'bin' && saysNothing(part))) return 'no'
    sure &&= match === 'yes'
  }
  return parts.length > place.names.length ? 'no' : sure ? 'yes' : 'maybe'
}

/** A folder of which nothing is known could be any: where a place begins, only a name will do. */
function matchName(part: Form, name: string, isFirst: boolean): Match {
  const text = exactForm(part)
  if (text !== undefined) return name === '*' || text.toLowerCase() === name ? 'yes' : 'no'
  if (isWhollyUnknown(part)) return isFirst ? 'no' : 'maybe'
  if (isFirst && hasUnknown(part) && knownLetters(part) < LETTERS_LEAST) return 'no'
  return name === '*' || mayMatchName(part, name) ? 'yes' : 'no'
}

/** `bin/*` is in every project; whoever means our program in it says more of its name. */
function saysNothing(part: Form): boolean {
  return exactForm(part) === undefined && knownLetters(part) < LETTERS_LEAST
}

/** `.‹x›` may be anything; `.cla‹x›` is hardly an accident. */
const LETTERS_LEAST = 3

function knownLetters(part: Form): number {
  return part.reduce((sum, piece) => sum + (piece.kind === 'text' ? piece.text.length : 0), 0)
}
