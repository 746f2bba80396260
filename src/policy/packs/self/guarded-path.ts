import { isObject, type Json, type JsonObject, textAt } from '../../../core/json.ts'
import { isInside, type PathForm } from '../../../shell/words/paths.ts'
import { mayMatchName } from '../../../shell/words/patterns.ts'
import { exactForm, type Form, hasUnknown, isWhollyUnknown } from '../../../shell/words/words.ts'
import { installedFiles } from './installed.ts'
import { PROTECTED_FILES, type ProtectedFile, type Whose } from './places.ts'

/** Files that keep the guards active: the agents' hook configuration and Holdpoint's own files. */
export interface Guarded {
  /** Files that contain our hook entries. */
  readonly installs: readonly string[]
  /** Holdpoint's own folder. */
  readonly home: string
  /** The real paths of the same, and of the program that runs now. */
  readonly real: Readonly<Record<Whose, readonly string[]>>
  /** The Node that runs the hooks, and where other versions are found: `*` is the version. */
  readonly nodes: readonly string[]
}

/** The plan adds these to the options of the pack, because a guard cannot read files. */
export function guardedFrom(options: JsonObject, userHome: string): Guarded {
  if (last?.options !== options || last.userHome !== userHome)
    last = { options, userHome, guarded: readGuarded(options, userHome) }
  return last.guarded
}

/** All guards of the pack have the same options, and ask for each path. */
let last: { readonly options: JsonObject; readonly userHome: string; readonly guarded: Guarded } | undefined

function readGuarded(options: JsonObject, userHome: string): Guarded {
  const installs = (installedFiles(options) ?? []).map(({ file }) => file)
  const home = textAt(options, 'home') ?? `${userHome}/.config/holdpoint`
  const nodes = Array.isArray(options.nodes) ? options.nodes.filter((each) => typeof each === 'string') : []
  const real = isObject(options.real) ? options.real : {}
  return { installs, home, nodes, real: { own: textsIn(real.own), agent: textsIn(real.agent) } }
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

export type GuardedMatch = 'yes' | 'maybe' | 'no'

/** Whether the path is one of them. If a whole tree is changed: whether it contains one. */
export function matchGuarded(
  path: PathForm,
  whose: Whose,
  guarded: Guarded,
  whole: boolean,
  lost = false,
): GuardedMatch {
  if (isKnownPlace(path, whose, guarded, whole)) return 'yes'
  let best: GuardedMatch = whose === 'agent' && whole && mayBeInstalled(path, guarded) ? 'maybe' : 'no'
  for (let start = 0; start < path.parts.length; start += 1) {
    for (const place of placesFrom(path.parts[start] ?? [], whose)) {
      if ((place.rooted && (start > 0 || !path.anchored)) || (place.loss === true && !lost)) continue
      const match = matchFrom(path.parts, start, place, whole)
      if (match === 'yes') return 'yes'
      if (match === 'maybe') best = 'maybe'
    }
  }
  return best
}

/** The places that may begin with this part. There are hundreds, and most names begin none. */
function placesFrom(part: Form, whose: Whose): readonly ProtectedFile[] {
  const text = exactForm(part)
  return text === undefined ? PROTECTED_FILES[whose] : (BY_FIRST_NAME[whose].get(text.toLowerCase()) ?? NONE)
}

const NONE: readonly ProtectedFile[] = []

const BY_FIRST_NAME: Readonly<Record<Whose, ReadonlyMap<string, readonly ProtectedFile[]>>> = {
  agent: byFirstName(PROTECTED_FILES.agent),
  own: byFirstName(PROTECTED_FILES.own),
}

function byFirstName(places: readonly ProtectedFile[]): ReadonlyMap<string, readonly ProtectedFile[]> {
  const found = new Map<string, ProtectedFile[]>()
  for (const place of places) {
    const first = place.names[0] ?? ''
    const others = found.get(first)
    if (others === undefined) found.set(first, [place])
    else others.push(place)
  }
  return found
}

function isKnownPlace(path: PathForm, whose: Whose, guarded: Guarded, whole: boolean): boolean {
  const { installs, home, nodes, real } = guarded
  const { anchored, text: written } = path
  if (!anchored || written === undefined) return false
  const isHeld = (each: string) => isInside(written, each) || (whole && isInside(each, written))
  return (
    (whose === 'own' ? isHeld(home) : installs.some(isHeld)) ||
    real[whose].some(isHeld) ||
    (whose === 'own' && nodes.some((each) => isNode(written, each, whole)))
  )
}

/** `find . -name 'settings*.json'`: a name that fits an installed file, somewhere below a folder that contains it. */
function mayBeInstalled({ anchored, parts }: PathForm, { installs }: Guarded): boolean {
  const at = parts.findIndex((part) => exactForm(part) === undefined)
  const [last, before] = [parts.at(-1), parts.slice(0, at).map(exactForm)]
  if (!anchored || at < 0 || last === undefined || isWhollyUnknown(last)) return false
  const folder = `/${before.join('/')}`
  return installs.some((file) => {
    const name = file.slice(file.lastIndexOf('/') + 1)
    return isInside(file, folder) && mayMatchName(last, name)
  })
}

/** Another program in place of Node could answer as if it were Holdpoint. */
function isNode(written: string, node: string, whole: boolean): boolean {
  const [before = '', after] = node.split('*')
  if (after === undefined) return written === node || (whole && isInside(node, written))
  const isVersion = written.startsWith(before) && written.endsWith(after)
  return isVersion || (whole && isInside(before.slice(0, -1), written))
}

/** Whether the place is what the path names from this part on. */
function matchFrom(
  parts: readonly Form[],
  start: number,
  place: ProtectedFile,
  whole: boolean,
): GuardedMatch {
  let sure = true
  for (let at = 0; at < place.names.length; at += 1) {
    const [name = '', part] = [place.names[at], parts[start + at]]
    if (part === undefined) return whole && at >= place.least ? 'yes' : 'no'
    if (name === '**') return 'yes'
    const match = matchName(part, name, at === 0)
    if (match === 'no' || (at > 0 && place.names[0] === 'bin' && saysNothing(part))) return 'no'
    sure &&= match === 'yes'
  }
  return parts.length - start > place.names.length ? 'no' : sure ? 'yes' : 'maybe'
}

/** A completely unknown folder could be any folder, so the first name of a place must be known. */
function matchName(part: Form, name: string, isFirst: boolean): GuardedMatch {
  const text = exactForm(part)
  if (text !== undefined) return fits(text.toLowerCase(), name) ? 'yes' : 'no'
  if (isWhollyUnknown(part)) return isFirst ? 'no' : 'maybe'
  if (isFirst && hasUnknown(part) && knownLetters(part) < LETTERS_LEAST) return 'no'
  if (name.startsWith('*.')) return 'maybe'
  return name === '*' || mayMatchName(part, name) ? 'yes' : 'no'
}

function fits(text: string, name: string): boolean {
  return name === '*' || text === name || (name.startsWith('*.') && text.endsWith(name.slice(1)))
}

/** `bin/*` exists in every project, so more of our program's name must be known. */
function saysNothing(part: Form): boolean {
  return exactForm(part) === undefined && knownLetters(part) < LETTERS_LEAST
}

/** `.‹x›` may be anything. `.cla‹x›` is unlikely to be a coincidence. */
const LETTERS_LEAST = 3

function knownLetters(part: Form): number {
  return part.reduce((sum, piece) => sum + (piece.kind === 'text' ? piece.text.length : 0), 0)
}
