import { lazily } from '../../core/lazily.ts'
import { wordList } from '../../core/word-list.ts'
import { isSearch } from '../../shell/words/found.ts'
import { isInside, type PathForm } from '../../shell/words/paths.ts'
import { mayMatchName } from '../../shell/words/patterns.ts'
import { exactForm, type Form, hasUnknown, isWhollyUnknown } from '../../shell/words/words.ts'

/** Whether a path is a secret. `maybe` if a wide pattern or an unknown part could make it one. */
export type PathMatch = 'yes' | 'maybe' | 'no'

/**
 * A list of paths. `~/x` is in any home folder, `/x` is at the root, and any other path matches anywhere. `*` is any
 * part of a name, and `/**` at the end means a folder with everything in it. Upper and lower case are equal.
 */
export interface PathList {
  /** Made when a path may be on the list: few paths are. */
  readonly exact: () => RegExp
  readonly entries: () => readonly Entry[]
  /** Every path on the list has one of these names at its end, or one that fits these patterns, or one of the folders. */
  readonly names: ReadonlySet<string>
  readonly patterns: readonly string[]
  readonly folders: ReadonlySet<string>
}

interface Entry {
  readonly parts: readonly Name[]
  readonly below: boolean
}

interface Name {
  readonly text: string
  /** Entries with a `*`. */
  readonly pattern: RegExp | undefined
  /** A name that the entry matches, and a name with the same extension that it does not match. */
  readonly sample: string
  readonly other: string
}

export function pathList(patterns: readonly string[]): PathList {
  const [names, open, folders] = [new Set<string>(), [] as string[], new Set<string>()]
  for (const pattern of patterns) {
    const parts = namesIn(pattern)
    const last = parts.at(-1) ?? ''
    const folder = parts.findLast((name) => !name.includes('*'))
    if (!isBelow(pattern) && !last.includes('*')) names.add(last)
    else if (folder === undefined) open.push(last)
    else folders.add(folder)
  }
  return {
    exact: lazily(() => new RegExp(patterns.map(sourceOf).join('|'), 'i')),
    entries: lazily(() =>
      patterns.map((pattern) => ({ parts: namesIn(pattern).map(nameOf), below: isBelow(pattern) })),
    ),
    names,
    patterns: open,
    folders,
  }
}

function isBelow(pattern: string): boolean {
  return pattern.endsWith('/**')
}

function namesIn(pattern: string): readonly string[] {
  return pattern
    .toLowerCase()
    .replace(/^[~/]+|\/\*\*$/g, '')
    .split('/')
}

function sourceOf(pattern: string): string {
  const anchor = /^[~/]/.test(pattern) ? '^' : '(?:^|/)'
  return `${anchor}${globSource(pattern.replace(/\/\*\*$/, ''))}${isBelow(pattern) ? '(?:/|$)' : '$'}`
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

/** Whether the path is on the list. `maybe` if an unknown part could make it match. */
export function isListed(path: PathForm, home: string, list: PathList): PathMatch {
  if (path.text !== undefined)
    return mayBeOn(list, path.text) && list.exact().test(fromHome(path.text, home)) ? 'yes' : 'no'
  const atHome = isAtHome(path, home)
  if (isWholeSearch(path, home, list)) return 'yes'
  const found = list.entries().some((entry) => mayHold(path.parts, entry, atHome))
  if (!found) return 'no'
  return path.parts.some(hasUnknown) ? 'maybe' : 'yes'
}

/**
 * Everything that `find ROOT` lists, or `ROOT/*`: the root itself is among it, and all that is in it. Only folders of a
 * tool in a home folder count, so that a search in the home folder or a project is no alarm.
 */
function isWholeSearch({ anchored, parts }: PathForm, home: string, list: PathList): boolean {
  const last = parts.at(-1)
  const known = parts.slice(0, -1).map(exactForm)
  if (!anchored || last === undefined || known.length === 0 || known.includes(undefined)) return false
  const isAll =
    last.every(isSearch) ||
    (exactForm(last) === undefined && mayMatchName(last, 'zq7') && mayMatchName(last, 'zq7.k9'))
  if (!isAll) return false
  const root = fromHome(`/${known.join('/')}`, home)
  if (last.every(isSearch) && mayBeOn(list, root) && list.exact().test(root)) return true
  const folder = /^~\/(\.[^/]+(?:\/[^/]+)*)$/.exec(root)?.[1]?.toLowerCase()
  if (folder === undefined) return false
  return list.entries().some(({ parts: names, below }) => {
    const above = names
      .slice(0, -1)
      .map(({ text }) => text)
      .join('/')
    const name = names.at(-1)?.sample ?? ''
    return !below && above === folder && (last.every(isSearch) || mayMatchName(last, name))
  })
}

/** The known part ends at the home folder or above it, where tools keep such files. */
function isAtHome({ anchored, parts }: PathForm, home: string): boolean {
  const open = parts.findIndex((part) => exactForm(part) === undefined)
  return anchored && isInside(home, `/${parts.slice(0, open).map(exactForm).join('/')}`)
}

const HOMES = /^\/(?:root|(?:home|users)\/[^/]+)(?=\/|$)/i

function fromHome(path: string, home: string): string {
  if (!path.startsWith('/')) return path
  return isInside(path, home) && home !== '/' ? `~${path.slice(home.length)}` : path.replace(HOMES, '~')
}

type Names = Pick<PathList, 'names' | 'patterns' | 'folders'>

/** The long expression runs only on paths that contain a name of the list. Few do, and every path is checked. */
function mayBeOn(list: Names, path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.at(-1) ?? ''
  return (
    list.names.has(name) ||
    (list.folders.size > 0 && parts.some((part) => list.folders.has(part))) ||
    patternOf(list)?.test(name) === true
  )
}

function patternOf(list: Names): RegExp | undefined {
  const known = PATTERNS.get(list)
  if (known !== undefined || list.patterns.length === 0) return known
  const pattern = new RegExp(`^(?:${list.patterns.map(globSource).join('|')})$`)
  PATTERNS.set(list, pattern)
  return pattern
}

const PATTERNS = new WeakMap<Names, RegExp>()

/** All that may be on one of the lists, to ask once. */
export function unionOf(lists: readonly PathList[]): (path: string) => boolean {
  const union = lazily(
    (): Names => ({
      names: new Set(lists.flatMap(({ names }) => [...names])),
      patterns: lists.flatMap(({ patterns }) => patterns),
      folders: new Set(lists.flatMap(({ folders }) => [...folders])),
    }),
  )
  return (path) => mayBeOn(union(), path)
}

/** Partly known names may match the entry, if at least one of them is more than a general pattern. */
function mayHold(parts: readonly Form[], { parts: names, below }: Entry, atHome: boolean): boolean {
  const last = parts.length - names.length
  for (let start = below ? 0 : last; start >= 0 && start <= last; start += 1) {
    if (fitsAt(parts, start, names, atHome)) return true
  }
  return false
}

/** Names that mean secrets in any folder. `config.json` and `*.pem` do so only in the folder of their tool. */
const TELLING = /credential|secret|token|passw|shadow|environ|history|key|firebase|kaggle|ngrok|oauth/

/** A pattern that also matches ordinary names in every project: `*config*`. */
function isOrdinary(part: Form): boolean {
  return exactForm(part) === undefined && ORDINARY.some((name) => mayMatchName(part, name))
}

const ORDINARY = wordList('config config.json config.yml app-config.json settings.json package.json index.ts')

/** Compared from the end, where most paths differ. A completely unknown file does not match. */
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

/** `anything`: a pattern that fits any name as well as this one, such as `*` or `*.txt`. */
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
