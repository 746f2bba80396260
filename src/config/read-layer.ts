import { bad, good, type Problem, type Result } from '../core/errors.ts'
import type { EventKind } from '../core/event.ts'
import { FAILURE_PRESETS } from '../core/failure-presets.ts'
import type { Layer } from '../core/layer.ts'
import type { LastGood } from '../system/plan-cache.ts'
import { isBelow, isLink, isPlainFile, readRegularFile, staysInside } from '../system/regular-file.ts'
import { contentHash } from '../system/trust.ts'
import type { TrustedFiles } from '../system/trust-file.ts'
import { type ConfigFile, formatOf } from './imports.ts'
import { isOwn, rootOf } from './places.ts'
import { SOURCES, type SourceId } from './sources/index.ts'
import { SOURCE_MAX_BYTES, type Source, type SourceFile } from './sources/source.ts'
import { withoutValues } from './sources/without-values.ts'
import type { untrustedLimits } from './untrusted-limits.ts'

/**
 * Reads one configuration file. `quotes`: a user asked what is wrong in it, so its text may be shown. Undefined: the file
 * does not exist, and was not named explicitly.
 */
export async function readLayer(
  place: ConfigFile,
  trust: TrustedFiles,
  project: string,
  budget: ReturnType<typeof untrustedLimits>,
  quotes = false,
): Promise<Result<LastGood> | undefined> {
  if (leadsOut(place, trust, project)) {
    const message = 'This is a link out of the project, so it was not read.'
    const fix = 'Replace the link by the file itself, or run `holdpoint trust` if you want the link.'
    return bad('CONFIG_UNREADABLE', message, { file: place.path, fix })
  }
  const text = readConfig(place.path)
  if (text === undefined && place.namedBy !== undefined) return notThere(place.path, place.namedBy)
  if (text === undefined) {
    return place.named ? bad('CONFIG_UNREADABLE', 'There is no such file.', { file: place.path }) : undefined
  }
  if (!text.ok) return text
  const hash = contentHash(text.value)
  const trusted = isTrusted(place, hash, trust, project)
  const { path, rank, root = rootOf(place, project) } = place
  const isStranger = rank === 'frontmatter' && !trusted
  if (isStranger && !budget.takesText(path, text.value)) return undefined
  const layer = await parseConfig(text.value, { path, rank, trusted, root }, place.source)
  const mayQuote = trusted || (quotes && isPlainFile(path))
  if (!layer.ok) return mayQuote ? layer : { ok: false, problem: withoutValues(layer.problem) }
  const said = mayQuote
    ? layer.value
    : { ...layer.value, problems: layer.value.problems.map((problem) => withoutValues(problem)) }
  const kept = isStranger ? budget.withoutCode(said) : said
  return good({ layer: asClosed(place.closed, notOn(place.exceptHost, kept)), hash })
}

/** Says who wanted the file: people look for a package by its name. */
export function notThere(
  path: string,
  { name, origin, isQuoted }: NonNullable<ConfigFile['namedBy']>,
): Result<never> {
  const message = `This file extends \`${name}\`, and there is no ${path}.`
  const fix = 'Install the package, or correct its name.'
  const problem: Problem = { code: 'CONFIG_UNREADABLE', message, ...origin, fix }
  return { ok: false, problem: isQuoted ? problem : withoutValues(problem) }
}

/**
 * A repository must not make Holdpoint read files outside of it, even if a file of the user names a file of the
 * repository. A path that the user trusted may be a link to anywhere.
 */
function leadsOut(place: ConfigFile, trust: TrustedFiles, project: string): boolean {
  if (isOwn(place, project) && place.named !== true) return false
  if (trust.has(place.path) || !isBelow(place.path, project)) return false
  return !staysInside(place.path, project)
}

/**
 * With `closed`, a hook that cannot answer stops the call, also a hook that is not trusted yet. Agents can still end.
 */
function asClosed(closed: boolean | undefined, layer: Layer): Layer {
  if (closed !== true) return layer
  const hooks = layer.hooks.map((entry) =>
    entry.on.some(isEnd) ? entry : { ...entry, onFailure: FAILURE_PRESETS.mux },
  )
  return { ...layer, hooks }
}

function isEnd(kind: EventKind): boolean {
  return kind === 'Stop' || kind === 'SubagentStop' || kind === 'TaskCompleted' || kind === 'TeammateIdle'
}

/** Includes rank, format and path, so that one file cannot replace another, whichever file imports it. */
export function layerKey({ path, rank, source, closed }: ConfigFile): string {
  return `${rank} ${source ?? 'guessed'}${closed === true ? ' closed' : ''} ${path}`
}

function isTrusted(place: ConfigFile, hash: string, trust: TrustedFiles, project: string): boolean {
  return isOwn(place, project) || trust.get(place.path) === hash
}

/** Revoked trust is also revoked while the file is broken. */
export function asTrustedNow(
  { layer, hash }: LastGood,
  place: ConfigFile,
  trust: TrustedFiles,
  project: string,
): LastGood {
  return { layer: { ...layer, trusted: isTrusted(place, hash, trust, project) }, hash }
}

/** The named host runs these entries itself. */
function notOn(exceptHost: string | undefined, layer: Layer): Layer {
  if (exceptHost === undefined) return layer
  const hooks = layer.hooks.map((entry) =>
    entry.isOurs === true ? entry : { ...entry, match: { ...entry.match, exceptHost } },
  )
  return { ...layer, hooks }
}

/** In the named format, or in the one that the file is clearly written in. */
export async function parseConfig(
  text: string,
  file: SourceFile,
  format: SourceId = formatOf(file.path, text),
): Promise<Result<Layer>> {
  return (await SOURCES[format]()).source.parse(text, file)
}

/** The format of our own files. */
export async function ownSource(): Promise<Source> {
  return (await SOURCES['holdpoint-yaml']()).source
}

/** The text of a file; undefined if it does not exist. Only regular files are read, so that no read blocks. */
export function readConfig(path: string): Result<string> | undefined {
  const read = readRegularFile(path, SOURCE_MAX_BYTES)
  switch (read.kind) {
    case 'read':
      return good(read.content.toString('utf8'))
    case 'missing':
      // A policy that the user keeps elsewhere, and that is unavailable now, is not the same as no policy.
      return isLink(path)
        ? bad('CONFIG_UNREADABLE', 'This is a link, and there is no file where it leads.', { file: path })
        : undefined
    case 'special':
      return bad('CONFIG_UNREADABLE', 'This is not a regular file.', { file: path })
    case 'too-large':
      return bad('CONFIG_TOO_LARGE', `The file has ${read.sizeBytes} bytes.`, { file: path })
    default:
      return bad('CONFIG_UNREADABLE', `The file cannot be read (${read.code}).`, { file: path })
  }
}
