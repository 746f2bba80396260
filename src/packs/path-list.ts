import { isInside, type PathForm } from '../shell/paths.ts'
import { mayMatchName } from '../shell/patterns.ts'
import { exactForm, type Form, hasUnknown, isWhollyUnknown } from '../shell/words.ts'

/** Is a path a secret? `maybe` where a wide pattern or something unknown in it could make it one. */
export type Match = 'yes' | 'maybe' | 'no'

/**
 * A list of paths. `~/x` is in somebody's home folder, `/x` at the root, anything else stands anywhere; `*` is any part
 * of a name, and `/**` at the end is a folder with everything in it. Capitals do not matter.
 */
export interface PathList {
  readonly exact: RegExp
  readonly entries: readonly Entry[]
  /** Names of which a path on the list has one, at its end or, for what is below a folder, anywhere. */
  readonly names: ReadonlySet<string>
  readonly patterns: RegExp | undefined
  readonly folders: RegExp | undefined
}

interface Entry {
  readonly parts: readonly Name[]
  readonly below: boolean
}

interface Name {
  readonly text: string
  /** Where it has a `*`. */
  readonly pattern: RegExp | undefined
  /** A name that is on the list by it, and one of the same ending that is not. */
  readonly sample: string
  readonly other: string
}

export function pathList(...patterns: readonly string[]): PathList {
  const entries = patterns.map((pattern): Entry => {
    const parts = pattern
      .toLowerCase()
      .replace(/^[~/]+|\/\*\*$/g, '')
      .split('/')
      .map(nameOf)
    return { parts, below: pattern.endsWith('/**') }
  })
  const sources = patterns.map((pattern) => {
    const anchor = /^[~/]/.test(pattern) ? '^' : '(?:^|/)'
    return `${anchor}${globSource(pattern.replace(/\/\*\*$/, ''))}${pattern.endsWith('/**') ? '(?:/|$)' : '$'}`
  })
  const ends = entries.filter((entry) => !entry.below).map(({ parts }) => parts.at(-1)?.text ?? '')
  const open = ends.filter((name) => name.includes('*')).map(globSource)
  const above = entries
    .filter((entry) => entry.below)
    .map(({ parts }) => globSource(parts.findLast((part) => part.pattern === undefined)?.text ?? ''))
  return {
    exact: new RegExp(sources.join('|'), 'i'),
    entries,
    names: new Set(ends.filter((name) => !name.includes('*'))),
    patterns: open.length === 0 ? undefined : new RegExp(`^(?:${open.join('|')})$`),
    folders: above.length === 0 ? undefined : new RegExp(`(?:^|/)(?:${above.join('|')})(?:/|$)`, 'i'),
  }
}

function nameOf(text: string): Name {
  const last = /\.[^.]*$/.exec(text.slice(1))?.[0] ?? ''
  const ending = text === `*${last}` ? '.k9' : last
  const pattern = text.includes('*') ? new RegExp(`^${globSource(text)}$`, 'i') : undefined
  return { text, pattern, sample: text.replaceAll('*', 'x'), other: `zq7${ending}` }
}

function globSource(pattern: string): string {
  return pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
}

/** Is the path on the list? `maybe` where something unknown in it could make it one. */
export function isListed(path: PathForm, home: string, list: PathList): Match {
  if (path.text !== undefined)
    return mayBeOn(list, path.text) && list.exact.test(fromHome(path.text, home)) ? 'yes' : 'no'
  const atHome = isAtHome(path, home)
  const found = list.entries.some((entry) => mayHold(path.parts, entry, atHome))
  if (!found) return 'no'
  return path.parts.some(hasUnknown) ? 'maybe' : 'yes'
}

/** What is known of it ends at the home folder or above, where tools keep such files. */
function isAtHome({ anchored, parts }: PathForm, home: string): boolean {
  const open = parts.findIndex((part) => exactForm(part) === undefined)
  return anchored && isInside(home, `/${parts.slice(0, open).map(exactForm).join('/')}`)
}

const HOMES = /^\/(?:root|(?:home|users)\/[^/]+)(?=\/|$)/i

function fromHome(path: string, home: string): string {
  if (!path.startsWith('/')) return path
  return isInside(path, home) && home !== '/' ? `~${path.slice(home.length)}` : path.replace(HOMES, '~')
}

/** The long expression is run only on paths that have a name of the list: few do, and every path is asked about. */
function mayBeOn({ names, patterns, folders }: PathList, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return names.has(name) || patterns?.test(name) === true || folders?.test(path) === true
}

/** Names known in part may be those of the entry, if at least one of them is more than a pattern for anything. */
function mayHold(parts: readonly Form[], { parts: names, below }: Entry, atHome: boolean): boolean {
  const last = parts.length - names.length
  for (let start = below ? 0 : last; start >= 0 && start <= last; start += 1) {
    if (fitsAt(parts, start, names, atHome)) return true
  }
  return false
}

/** Names that speak of secrets in any folder; `config.json` and `*.pem` do so only in the folder of the tool. */
const TELLING = /credential|secret|token|passw|shadow|environ|history|key|firebase|kaggle|ngrok|oauth/

/** A pattern that the names of every project fit as well: `*config*`. */
function isOrdinary(part: Form): boolean {
  return exactForm(part) === undefined && ORDINARY.some((name) => mayMatchName(part, name))
}

const ORDINARY = [
  'config',
  'config.json',
  'config.yml',
  'app-config.json',
  'settings.json',
  'package.json',
  'index.ts',
]

/** From its end, where most fail. A file of which nothing is known is no file of the list. */
function fitsAt(parts: readonly Form[], start: number, names: readonly Name[], atHome: boolean): boolean {
  const end = names.length - 1
  const isMeant = end === 0 || TELLING.test(names[end]?.text ?? '')
  const isTelling = atHome || (isMeant && !isOrdinary(parts[start + end] ?? []))
  let isNamed = false
  for (let at = end; at >= 0; at -= 1) {
    const name = names[at]
    const fit = name === undefined ? 'no' : matchOf(parts[start + at] ?? [], name)
    if (fit === 'no' || (fit === 'anything' && start + at === parts.length - 1)) return false
    isNamed ||= fit === 'named' && (isTelling || at < end)
  }
  return isNamed
}

/** `anything`: a pattern that no more means this name than any other, such as `*` or `*.txt`. */
function matchOf(part: Form, { text: name, pattern, sample, other }: Name): 'named' | 'anything' | 'no' {
  const text = exactForm(part)
  if (text !== undefined) {
    const isNamed = pattern === undefined ? text.toLowerCase() === name : pattern.test(text)
    return isNamed ? 'named' : 'no'
  }
  if (name === '*' || isWhollyUnknown(part)) return 'anything'
  if (!mayMatchName(part, sample)) return 'no'
  if (mayMatchName(part, 'zq7') || mayMatchName(part, 'zq7.k9') || mayMatchName(part, other))
    return 'anything'
  return 'named'
}
