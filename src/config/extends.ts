import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Problem } from '../core/errors.ts'
import { isObject, textAt } from '../core/json.ts'
import type { ExtendEntry, Layer } from '../core/layer.ts'
import { isFile } from '../system/file-kind.ts'
import { readManifest } from '../system/own-packages.ts'
import { isBelow } from '../system/regular-file.ts'
import type { ConfigFile } from './imports.ts'
import { type ConfigScope, rootOf } from './places.ts'
import { withoutValues } from './sources/without-values.ts'

/** Far more than policies need, and few enough to read at every change. */
const DEPTH_MAX = 5
const FILES_MAX = 50
/** The configuration of a package, unless its package.json names another file. */
const CONFIG_NAME = 'holdpoint.yaml'

/** A configuration file that was read. */
export interface ExtendingFile {
  readonly place: ConfigFile
  readonly layer: Layer
}

export interface FollowedExtends {
  readonly places: readonly ConfigFile[]
  /** Files that decide which ones these are. */
  readonly watchedPaths: readonly string[]
  readonly problems: readonly Problem[]
  /** Files that should count and are not read, because there are too many. */
  readonly unread: readonly { readonly place: ConfigFile; readonly problem: Problem }[]
}

/**
 * The configurations that these extend, and those that they extend in turn, at the rank of the first. A file that is
 * not trusted can extend files of its project: they are as untrusted as it is. `read` takes one file into the plan.
 */
export async function followExtends(
  start: readonly ExtendingFile[],
  { project, quotes = true }: Pick<ConfigScope, 'project'> & { readonly quotes?: boolean },
  read: (place: ConfigFile) => Promise<Layer | undefined>,
): Promise<FollowedExtends> {
  const places: ConfigFile[] = []
  const watchedPaths: string[] = []
  const problems: Problem[] = []
  const unread: { readonly place: ConfigFile; readonly problem: Problem }[] = []
  const seen = new Set(start.map(({ place }) => place.path))

  const follow = async ({ place, layer }: ExtendingFile, chain: readonly string[]): Promise<void> => {
    const root = place.root ?? rootOf(place, project)
    const isQuoted = quotes || layer.trusted
    const shown = (problem: Problem) => (isQuoted ? problem : withoutValues(problem))
    for (const entry of layer.extends ?? []) {
      const target = targetOf(entry.name, root)
      watchedPaths.push(...target.watched)
      const wrong = mistakeAt(entry, target.path, chain, { layer, project })
      if (wrong !== undefined) problems.push(shown(wrong))
      if (wrong !== undefined || seen.has(target.path)) continue
      seen.add(target.path)
      const tooMany = limitAt(entry, chain.length, places.length)
      const next: ConfigFile = {
        path: target.path,
        rank: place.rank,
        named: true,
        source: 'holdpoint-yaml',
        root: target.root,
        namedBy: { ...entry, isQuoted },
      }
      if (tooMany !== undefined) {
        unread.push({ place: next, problem: shown(tooMany) })
        continue
      }
      places.push(next)
      const found = await read(next)
      if (found !== undefined) await follow({ place: next, layer: found }, [...chain, target.path])
    }
  }
  for (const file of start) await follow(file, [file.place.path])
  return { places, watchedPaths, problems, unread }
}

function mistakeAt(
  { name, origin }: ExtendEntry,
  path: string,
  chain: readonly string[],
  { layer, project }: { readonly layer: Layer; readonly project: string },
): Problem | undefined {
  if (chain.includes(path)) {
    const message = `These files extend each other: ${[...chain, path].join(' → ')}.`
    return { code: 'CONFIG_VALUE', message, ...origin, fix: 'Remove one of them.' }
  }
  if (layer.trusted || isBelow(path, project)) return undefined
  const message = `\`${name}\` is outside of the project, and this file is not trusted, so it is not read.`
  return { code: 'HOOK_UNTRUSTED', severity: 'warning', message, ...origin }
}

/** What is not read might have denied something, so this is like a file that cannot be read. */
function limitAt({ name, origin }: ExtendEntry, depth: number, count: number): Problem | undefined {
  const limit =
    depth > DEPTH_MAX
      ? `at most ${DEPTH_MAX} files may extend one another`
      : count >= FILES_MAX
        ? `at most ${FILES_MAX} files are extended`
        : undefined
  if (limit === undefined) return undefined
  const fix = 'Write these configurations into fewer files.'
  return { code: 'CONFIG_TOO_LARGE', message: `\`${name}\` is not read: ${limit}.`, ...origin, fix }
}

/** The configuration file that a name stands for, whether it exists or not, and the folder that its own paths start from. */
function targetOf(
  name: string,
  root: string,
): { readonly path: string; readonly root: string; readonly watched: readonly string[] } {
  if (isAbsolute(name) || /^\.{1,2}\//.test(name) || /\.ya?ml$/.test(name))
    return { path: resolve(root, name), root, watched: [] }
  const watched: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', name)
    const manifest = join(home, 'package.json')
    watched.push(manifest)
    if (isFile(manifest)) return { path: resolve(home, configIn(manifest)), root: home, watched }
    if (dirname(folder) === folder) break
  }
  const home = join(root, 'node_modules', name)
  return { path: join(home, CONFIG_NAME), root: home, watched: watched.slice(0, 1) }
}

/** `"holdpoint": "./policy.yaml"` in package.json. */
function configIn(manifest: string): string {
  const json = readManifest(manifest)
  const named = isObject(json) ? textAt(json, 'holdpoint') : undefined
  return named === undefined || isAbsolute(named) || named.split('/').includes('..') ? CONFIG_NAME : named
}
