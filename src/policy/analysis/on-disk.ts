import type { Facts } from '../../core/facts.ts'
import { wordList } from '../../core/word-list.ts'
import { isInside, type PathForm, resolveForm } from '../../shell/words/paths.ts'
import { exactForm, type Form } from '../../shell/words/words.ts'

type Place = Pick<Facts, 'platform' | 'home' | 'project' | 'cwd'>

/**
 * Whether names that differ only in capitals are one file there. Both systems can be told to keep them apart, and nearly
 * nobody does: a guard that takes two files for one asks once too often, the other way round it misses one.
 */
export function foldsCase({ platform }: Pick<Facts, 'platform'>): boolean {
  return platform === 'darwin' || platform === 'win32'
}

/**
 * The path as the file system most likely has it, where it folds capitals: `/ETC/hosts` is `/etc/hosts`, `~/documents` is
 * `~/Documents`, and on a Mac `/private/etc` is `/etc`. What is not known to have capitals gets none: guards compare with
 * it next to the path as written, never instead.
 */
export function onDisk(path: string, place: Place): string {
  if (!foldsCase(place) || !path.startsWith('/')) return path
  const plain = plainOf(path, place)
  const own = [place.project, place.cwd, place.home].find(
    (folder) => folder.length > 1 && isInside(plain, plainOf(folder, place)),
  )
  if (own === undefined) return plain.split('/').map(capitals).join('/')
  return `${own}${plain.slice(plainOf(own, place).length).split('/').map(capitals).join('/')}`
}

/** The same for a path that ends in a pattern: a shell compares that with names exactly, the folders before it not. */
export function onDiskForm(path: PathForm, place: Place): PathForm | undefined {
  if (!path.anchored || !foldsCase(place)) return undefined
  const open = path.parts.findIndex((part) => exactForm(part) === undefined)
  const certain = (open < 0 ? path.parts : path.parts.slice(0, open)).map((part) => exactForm(part) ?? '')
  const written = `/${certain.join('/')}`
  const found = onDisk(written, place)
  if (found === written) return undefined
  const rest: readonly Form[] = open < 0 ? [] : path.parts.slice(open).flatMap((part) => [SLASH, part])
  return resolveForm([{ kind: 'text', text: found }, ...rest.flat()], { cwd: '/', home: place.home })
}

const SLASH: Form = [{ kind: 'text', text: '/' }]

/** Other ways to the same folder on every Mac: links, the volume where they lie, and the name of the first volume. */
const DETOURS: readonly RegExp[] = [
  /^\/volumes\/macintosh hd(?=\/|$)/,
  /^\/system\/volumes\/data(?=\/(?:applications|library|opt|private|users|usr|volumes)(?:\/|$))/,
  /^\/private(?=\/(?:etc|var|tmp)(?:\/|$))/,
]

function plainOf(path: string, { platform }: Place): string {
  const folded = foldedText(path)
  if (platform !== 'darwin') return folded
  return DETOURS.reduce((found, detour) => found.replace(detour, ''), folded) || '/'
}

/** There and back, so that a letter with two small forms (`ſ`) is one. */
function foldedText(path: string): string {
  return /^[ -~]*$/.test(path) ? path.toLowerCase() : path.normalize('NFC').toUpperCase().toLowerCase()
}

function capitals(name: string): string {
  return WITH_CAPITALS.get(name) ?? name
}

/** Names with capitals among the paths that guards know. */
const WITH_CAPITALS: ReadonlyMap<string, string> = new Map(
  wordList(`
    System Library Users Applications Volumes Network Desktop Documents Downloads Movies Music Pictures Public Videos
    LaunchAgents LaunchDaemons StartupItems Keychains Messages Cookies Containers Safari Preferences Caches Logs
    Developer Xcode DerivedData Pods PowerShell Cellar Homebrew .Trash .Rprofile .Renviron .DS_Store Trash
    ConsoleHost_history.txt Thumbs.db CLAUDE.md AGENTS.md GEMINI.md
  `).map((name) => [name.toLowerCase(), name]),
)
