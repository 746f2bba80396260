import { readFileSync, statSync } from 'node:fs'
import type { Layer } from './config.ts'
import { isOwn, rootOf } from './config-places.ts'
import { bad, good, type Result } from './errors.ts'
import { formatOf, type Place } from './imports.ts'
import { SOURCES, type SourceId } from './sources/index.ts'
import { SOURCE_MAX_BYTES, type Source, type SourceFile } from './sources/source.ts'
import type { strangersBudget } from './strangers-budget.ts'
import type { LastGood } from './world/plan-cache.ts'
import { contentHash, type TrustedFiles } from './world/trust.ts'

/** One file of configuration to what it says. Undefined: there is no such file, and nobody named it. */
export async function readLayer(
  place: Place,
  trust: TrustedFiles,
  project: string,
  budget: ReturnType<typeof strangersBudget>,
): Promise<Result<LastGood> | undefined> {
  const text = readConfig(place.path)
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
  if (!layer.ok) return layer
  const kept = isStranger ? budget.withoutCode(layer.value) : layer.value
  return good({ layer: notOn(place.exceptHost, kept), hash })
}

/** By all that makes it what it is, so that no file can stand in for another, whoever imports it. */
export function keyOf({ path, rank, source }: Place): string {
  return `${rank} ${source ?? 'guessed'} ${path}`
}

function isTrusted(place: Place, hash: string, trust: TrustedFiles, project: string): boolean {
  return isOwn(place, project) || trust.get(place.path) === hash
}

/** Trust that was taken back is gone, also while the file is broken. */
export function asTrustedNow(
  { layer, hash }: LastGood,
  place: Place,
  trust: TrustedFiles,
  project: string,
): LastGood {
  return { layer: { ...layer, trusted: isTrusted(place, hash, trust, project) }, hash }
}

/** The host named runs these entries itself. */
function notOn(exceptHost: string | undefined, layer: Layer): Layer {
  if (exceptHost === undefined) return layer
  const hooks = layer.hooks.map((entry) =>
    entry.isOurs === true ? entry : { ...entry, match: { ...entry.match, exceptHost } },
  )
  return { ...layer, hooks }
}

/** In the format named, or in the one the file is evidently written in. */
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

/** A file's text; undefined: there is none. */
export function readConfig(path: string): Result<string> | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined) return undefined
    if (!info.isFile()) return bad('CONFIG_UNREADABLE', 'This is not a regular file.', { file: path })
    if (info.size > SOURCE_MAX_BYTES) {
      return bad('CONFIG_TOO_LARGE', `The file has ${info.size} bytes.`, { file: path })
    }
    return good(readFileSync(path, 'utf8'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOTDIR' || code === 'ENOENT') return undefined
    const why = error instanceof Error ? error.message : String(error)
    return bad('CONFIG_UNREADABLE', `The file cannot be read: ${why}`, { file: path })
  }
}
