import { type Dirent, readdirSync, realpathSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { Problem } from '../core/errors.ts'
import type { Rank } from '../core/hook.ts'
import type { ExtendEntry, ImportEntry, Layer } from '../core/layer.ts'
import type { Home } from '../system/home.ts'
import { isBelow, readRegularText } from '../system/regular-file.ts'
import { contentHash } from '../system/trust.ts'
import { readTrust } from '../system/trust-file.ts'
import { SOURCES, type SourceId } from './sources/index.ts'
import { type Find, SOURCE_MAX_BYTES } from './sources/source.ts'

/** A file that may contain configuration. */
export interface ConfigFile {
  readonly path: string
  readonly rank: Rank
  /** Named explicitly, so it must exist. */
  readonly named?: boolean
  /** If missing: our own format, or the format that the file is clearly written in. */
  readonly source?: SourceId
  /** The folder that relative paths start from. If missing: the project. */
  readonly root?: string
  /** The host that runs these entries itself. */
  readonly exceptHost?: string
  /** A hook of the file that fails stops the call. */
  readonly closed?: boolean
  /** The entry of another file that extends this one. */
  readonly namedBy?: ExtendEntry & { readonly isQuoted: boolean }
}

export interface FoundImports {
  readonly places: readonly ConfigFile[]
  /** Files that name other files, and folders in which a new file would count. */
  readonly watchedPaths: readonly string[]
  readonly problems: readonly Problem[]
}

/**
 * More skills than any real folder has. A folder full of files must not slow down every change of the configuration,
 * or leave less room for the other folders.
 */
const FILES_MAX = 2_000

/** The files that trusted layers import, strongest rank first. An untrusted file imports nothing. */
export async function findImports(
  layers: readonly Layer[],
  { home, project, taken = [] }: ImportsWhere,
): Promise<FoundImports> {
  const isTaken = takenBy(taken)
  const trust = readTrust(home)
  const places = new Map<string, ConfigFile>()
  const links = new Map<string, string>()
  const watchedPaths: string[] = []
  const problems: Problem[] = []
  const read = (path: string) => {
    watchedPaths.push(path)
    const text = readSmall(path)
    // The settings of an untrusted file do not count either.
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
        watchedPaths.push(...folders)
        if (files.length > FILES_MAX) problems.push(tooMany(find.folder, files.length))
        for (const path of files.slice(0, FILES_MAX)) {
          const known = places.get(path)
          if (isTaken(path)) problems.push(alreadyRead(entry, path))
          else if (known !== undefined) places.set(path, { ...known, ...isClosed(entry) })
          else if (!isSecondName(path, find, links))
            places.set(path, {
              ...placeOf(find),
              path,
              ...named(source),
              ...isNamed(entry),
              ...isClosed(entry),
            })
        }
      }
    }
  }
  return { places: [...places.values()], watchedPaths, problems }
}

export interface ImportsWhere {
  readonly home: Home
  readonly project: string
  /** Files that are read without an import. No import may change how they are read. */
  readonly taken?: readonly string[]
}

/**
 * A skill whose folder is a link to another folder of skills counts once. Files of the project and of the user are trusted
 * in different ways, so only links within one of the two are followed. A link with another name is another skill.
 */
function isSecondName(path: string, { root }: Find, links: Map<string, string>): boolean {
  const key = [root, realPath(path), ...path.split('/').slice(-2)].join('\0')
  const first = links.get(key)
  links.set(key, first ?? path)
  return first !== undefined && first !== path
}

/** By name, and by the target of a link. */
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

function isNamed({ file }: ImportEntry): Pick<ConfigFile, 'named'> {
  return file === undefined ? {} : { named: true }
}

function isClosed({ closed }: ImportEntry): Pick<ConfigFile, 'closed'> {
  return closed === true ? { closed } : {}
}

function alreadyRead({ origin }: ImportEntry, path: string): Problem {
  const message = `${path} is read without an import, so this import was ignored.`
  return { code: 'CONFIG_VALUE', message, ...placeIn(origin) }
}

function tooMany(folder: string, count: number): Problem {
  const message = `Of ${count} files only the first ${FILES_MAX} were read.`
  const fix = 'Move files that are not skills, agents or commands to another folder.'
  return { code: 'CONFIG_TOO_LARGE', severity: 'warning', message, fix, file: folder }
}

function sourceNamed(name: string): SourceId | undefined {
  return Object.hasOwn(SOURCES, name) ? (name as SourceId) : undefined
}

function named(source: SourceId | undefined): Pick<ConfigFile, 'source'> {
  return source === undefined ? {} : { source }
}

function placeOf({ rank, root, exceptHost }: Find): Omit<ConfigFile, 'path'> {
  return { rank, root, ...(exceptHost === undefined ? {} : { exceptHost }) }
}

/** Undefined: the format has no usual location, and no file was named. */
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
      : `\`${source}\` has no usual location: name the file.`
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

/** The files, and every folder that was searched: a file that is added there later counts too. */
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

/** Agents are not sorted deeper, or into more folders, in practice. */
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
  return readRegularText(path, SOURCE_MAX_BYTES)
}

/** The format of a file if none is given: by its name, then by keys that only one format has. */
export function formatOf(path: string, text: string): SourceId {
  const has = (id: string) => sourceNamed(id)
  if (path.endsWith('.json')) return has('claude-settings') ?? 'holdpoint-yaml'
  if (path.endsWith('.md')) return has('frontmatter') ?? 'holdpoint-yaml'
  const isMassgen =
    !/^version\s*:/m.test(text) && /(?:^|[\s{,])["']?(?:handler|agents|backend)["']?\s*:/m.test(text)
  return (isMassgen ? has('massgen-yaml') : undefined) ?? 'holdpoint-yaml'
}
