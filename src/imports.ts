import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { ImportEntry, Layer } from './config.ts'
import type { Problem } from './errors.ts'
import type { Rank } from './hook.ts'
import { SOURCES, type SourceId } from './sources/index.ts'
import { type Find, SOURCE_MAX_BYTES } from './sources/source.ts'
import type { Home } from './world/home.ts'
import { contentHash, isBelow, readTrust } from './world/trust.ts'

/** A file that may hold configuration. */
export interface Place {
  readonly path: string
  readonly rank: Rank
  /** Somebody named it: then it has to be there. */
  readonly named?: boolean
  /** Our own format when missing, or the one the file is evidently written in. */
  readonly source?: SourceId
  /** Folder relative paths in the file start from; the project when missing. */
  readonly root?: string
  /** The host that runs these entries itself. */
  readonly exceptHost?: string
}

export interface FoundImports {
  readonly places: readonly Place[]
  /** Files that say where others are, and folders in which a new file would be one more. */
  readonly signposts: readonly string[]
  readonly problems: readonly Problem[]
}

/**
 * More skills than anybody has in a folder; one full of files must not stall every change of the configuration, nor
 * leave less for the other folders.
 */
const FILES_MAX = 2_000

/** The files that trusted layers import, strongest rank first. A file nobody vouched for imports nothing. */
export async function findImports(
  layers: readonly Layer[],
  { home, project, taken = [] }: ImportsWhere,
): Promise<FoundImports> {
  const isTaken = takenBy(taken)
  const trust = readTrust(home.trust)
  const places = new Map<string, Place>()
  const signposts: string[] = []
  const problems: Problem[] = []
  const read = (path: string) => {
    signposts.push(path)
    const text = readSmall(path)
    // What a stranger's settings say does not count either.
    const isForeign = project !== home.user && isBelow(path, join(project, '.claude'))
    return text !== undefined && isForeign && trust.get(path) !== contentHash(text) ? undefined : text
  }
  for (const layer of layers.filter(({ trusted }) => trusted)) {
    for (const entry of layer.imports ?? []) {
      const source = sourceNamed(entry.source)
      const finds = source === undefined ? [] : await findsOf(entry, source, layer, { home, project }, read)
      if (source === undefined || finds === undefined) problems.push(wrongImport(entry, source))
      for (const find of finds ?? []) {
        const { files, folders } = filesOf(find)
        signposts.push(...folders)
        if (files.length > FILES_MAX) problems.push(tooMany(find.folder, files.length))
        for (const path of files.slice(0, FILES_MAX)) {
          if (isTaken(path)) problems.push(alreadyRead(entry, path))
          else if (!places.has(path))
            places.set(path, { ...placeOf(find), path, ...named(source), ...isNamed(entry) })
        }
      }
    }
  }
  return { places: [...places.values()], signposts, problems }
}

export interface ImportsWhere {
  readonly home: Home
  readonly project: string
  /** Files that count by themselves: no import may say what they are. */
  readonly taken?: readonly string[]
}

/** By name, and by what a link leads to. */
function takenBy(taken: readonly string[]): (path: string) => boolean {
  const known = new Set([...taken, ...taken.map(realPath)])
  return (path) => known.has(path) || (known.size > 0 && known.has(realPath(path)))
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

function isNamed({ file }: ImportEntry): Pick<Place, 'named'> {
  return file === undefined ? {} : { named: true }
}

function alreadyRead({ origin }: ImportEntry, path: string): Problem {
  const message = `${path} counts by itself and cannot be imported; the import was left out.`
  return { code: 'CONFIG_VALUE', message, ...placeIn(origin) }
}

function tooMany(folder: string, count: number): Problem {
  const message = `Of ${count} files only the first ${FILES_MAX} were read.`
  const fix = 'Move files that are no skills, agents or commands elsewhere.'
  return { code: 'CONFIG_TOO_LARGE', severity: 'warning', message, fix, file: folder }
}

function sourceNamed(name: string): SourceId | undefined {
  return Object.hasOwn(SOURCES, name) ? (name as SourceId) : undefined
}

function named(source: SourceId | undefined): Pick<Place, 'source'> {
  return source === undefined ? {} : { source }
}

function placeOf({ rank, root, exceptHost }: Find): Omit<Place, 'path'> {
  return { rank, root, ...(exceptHost === undefined ? {} : { exceptHost }) }
}

/** Undefined: the format has no places of its own, and no file was named. */
async function findsOf(
  entry: ImportEntry,
  id: SourceId,
  layer: Layer,
  { home, project }: { readonly home: Home; readonly project: string },
  read: (path: string) => string | undefined,
): Promise<readonly Find[] | undefined> {
  const { source } = await SOURCES[id]()
  if (entry.file === undefined) return source.finds?.({ project, home: home.user }, read)
  const base = layer.rank === 'user' || layer.rank === 'managed' ? home.folder : project
  const path = isAbsolute(entry.file) ? entry.file : resolve(base, entry.file)
  const at = path.lastIndexOf('/')
  return [{ folder: path.slice(0, at), name: path.slice(at + 1), rank: layer.rank, root: base }]
}

function wrongImport({ source, origin }: ImportEntry, known: SourceId | undefined): Problem {
  const message =
    known === undefined
      ? `There is no format \`${source}\`. Formats: ${Object.keys(SOURCES).join(', ')}.`
      : `\`${source}\` has no usual place: name the file.`
  return { code: 'CONFIG_VALUE', message, ...placeIn(origin) }
}

function placeIn({ file, line, column, key }: ImportEntry['origin']): Pick<Problem, 'file'> {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(key === undefined ? {} : { key }),
  }
}

/** A listed folder is watched too, because a new file there is one more. */
/** The files, and every folder that was looked into: a file that is added there later counts too. */
function filesOf({ folder, name }: Find): {
  readonly files: readonly string[]
  readonly folders: readonly string[]
} {
  if (name.startsWith('**/')) return filesBelow(folder, name.slice('**/*'.length))
  const [first = '', below] = name.split('/')
  if (!first.startsWith('*')) return { files: [join(folder, name)], folders: [] }
  const names = namesIn(folder).filter((each) => each.endsWith(first.slice(1)))
  const files = names.map((each) => (below === undefined ? join(folder, each) : join(folder, each, below)))
  return { files, folders: [folder] }
}

/** Deeper, or in more folders, nobody sorts agents. */
const DEPTH_MAX = 5
const FOLDERS_MAX = 50

function filesBelow(top: string, ending: string): ReturnType<typeof filesOf> {
  const files: string[] = []
  const folders: string[] = [top]
  for (const folder of folders) {
    for (const entry of entriesIn(folder)) {
      const path = join(folder, entry.name)
      const isDeeper = folder.split('/').length - top.split('/').length < DEPTH_MAX
      if (entry.isDirectory() && isDeeper && folders.length < FOLDERS_MAX) folders.push(path)
      else if (entry.name.endsWith(ending)) files.push(path)
    }
  }
  return { files, folders }
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function namesIn(folder: string): readonly string[] {
  return entriesIn(folder).map(({ name }) => name)
}

function readSmall(path: string): string | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    return info?.isFile() === true && info.size <= SOURCE_MAX_BYTES ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

/** Which format a file is written in, where nobody says: by its name, then by what only one format has. */
export function formatOf(path: string, text: string): SourceId {
  const has = (id: string) => sourceNamed(id)
  if (path.endsWith('.json')) return has('claude-settings') ?? 'holdpoint-yaml'
  if (path.endsWith('.md')) return has('frontmatter') ?? 'holdpoint-yaml'
  const isMassgen =
    !/^version\s*:/m.test(text) && /(?:^|[\s{,])["']?(?:handler|agents|backend)["']?\s*:/m.test(text)
  return (isMassgen ? has('massgen-yaml') : undefined) ?? 'holdpoint-yaml'
}
