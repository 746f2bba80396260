import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { followExtends } from '../config/extends.ts'
import { type ConfigFile, findImports } from '../config/imports.ts'
import { packPrograms } from '../config/packs-of-others.ts'
import { configPlaces, isOwn, rootOf } from '../config/places.ts'
import { notThere, parseConfig } from '../config/read-layer.ts'
import { SOURCE_MAX_BYTES } from '../config/sources/source.ts'
import { filesToPin, unclearCommands } from '../config/trust-pins.ts'
import { bad, describeProblem, HoldpointError, type Result } from '../core/errors.ts'
import type { HookEntry, Layer } from '../core/layer.ts'
import { isProjectCode } from '../handlers/plan.ts'
import type { Home } from '../system/home.ts'
import { readPinned } from '../system/trust.ts'

/** Everything that would be trusted here, read once: what is shown is what gets pinned. */
export interface Survey {
  readonly configs: readonly SurveyedConfig[]
  /** Every file to pin, configuration and programs, by path. */
  readonly files: ReadonlyMap<string, SurveyedFile>
  /** Configuration files that cannot be read; they stay untrusted. */
  readonly broken: readonly string[]
  /** Managed policy allows no project code to run. */
  readonly codeForbidden: boolean
}

export interface SurveyedConfig {
  readonly path: string
  readonly layer: Layer
  /** True if another file imports it. */
  readonly imported: boolean
  readonly hooks: readonly SurveyedHook[]
}

export interface SurveyedHook {
  readonly entry: HookEntry
  /** Undefined: Holdpoint cannot tell what it would start, so it does not run. */
  readonly files: readonly string[] | undefined
  /** Commands of a contract for which the same holds; its other commands run. */
  readonly unclear: readonly string[]
  readonly forbidden: boolean
}

export interface SurveyedFile {
  readonly pin: string
  /** Undefined: the file does not exist and is pinned as missing, or it is a file that cannot be trusted. */
  readonly content: Buffer | undefined
  /** The target, if it is a symbolic link. */
  readonly linkTo?: string
}

export interface SurveyWhere {
  readonly home: Home
  readonly project: string
  readonly config?: string
}

export async function survey(where: SurveyWhere): Promise<Survey> {
  const files = new Map<string, SurveyedFile>()
  const read: { readonly place: ConfigFile; readonly layer: Layer; readonly imported: boolean }[] = []
  const broken: string[] = []
  const places = configPlaces(where)
  for (const place of places) {
    const layer = await readLayer(place, where, files)
    if (layer?.ok) read.push({ place, layer: layer.value, imported: false })
    // The user's own files need no trust.
    else if (layer !== undefined && !isOwn(place, where.project)) throw new HoldpointError(layer.problem)
  }
  const extended = await followExtends([...read], where, async (place) => {
    const layer = await readLayer(place, where, files)
    if (layer?.ok === false) broken.push(describeProblem(layer.problem))
    if (!layer?.ok) return undefined
    read.push({ place, layer: layer.value, imported: true })
    return layer.value
  })
  const unread = extended.unread.map(({ problem }) => problem)
  broken.push(...[...extended.problems, ...unread].map(describeProblem))
  const imports = await findImports(
    read.map(({ layer }) => layer),
    { ...where, taken: [...places, ...extended.places].map(({ path }) => path) },
  )
  for (const place of imports.places) {
    const layer = await readLayer(place, where, files)
    if (layer?.ok) read.push({ place, layer: layer.value, imported: true })
    else if (layer !== undefined) broken.push(describeProblem(layer.problem))
  }
  const codeForbidden = read.some(
    ({ layer }) => layer.rank === 'managed' && layer.settings.projectCode === 'forbidden',
  )
  const configs = read.flatMap(({ place, layer, imported }): readonly SurveyedConfig[] => {
    const hooks = [...layer.hooks, ...packPrograms(layer)].map((entry) =>
      hookIn(entry, layer, codeForbidden, where),
    )
    if (!isOwn(place, where.project)) return [{ path: place.path, layer, imported, hooks }]
    // Of the user's own file, only the project's programs that it starts need trust.
    const reaching = hooks.filter((hook) => hook.files !== undefined && hook.files.length > 0)
    const own = { ...layer, packs: [], hooks: [], imports: [], settings: {}, problems: [] }
    return reaching.length === 0 ? [] : [{ path: place.path, layer: own, imported, hooks: reaching }]
  })
  for (const path of configs.flatMap(({ hooks }) => hooks.flatMap((hook) => hook.files ?? [])))
    if (!files.has(path)) files.set(path, inspectFile(path))
  return { configs, files, broken: [...broken, ...imports.problems.map(describeProblem)], codeForbidden }
}

/** The layer as it would be once trusted. Undefined: the file does not exist. */
async function readLayer(
  place: ConfigFile,
  where: SurveyWhere,
  files: Map<string, SurveyedFile>,
): Promise<Result<Layer> | undefined> {
  const { path, rank, root = rootOf(place, where.project) } = place
  const info = statOf(path)
  const unreadable = (message: string) => bad('CONFIG_UNREADABLE', message, { file: path })
  if (info === undefined && place.namedBy !== undefined) return notThere(path, place.namedBy)
  if (info === undefined) return place.named === true ? unreadable('This file does not exist.') : undefined
  if (!info.isFile()) return unreadable('This is not a regular file.')
  if (info.size > SOURCE_MAX_BYTES)
    return bad('CONFIG_TOO_LARGE', `The file has ${info.size} bytes.`, { file: path })
  const file = inspectFile(path)
  if (file.content === undefined) return unreadable('The file cannot be read.')
  const text = file.content.toString('utf8')
  const parsed = await parseConfig(text, { path, rank, trusted: true, root }, place.source)
  if (parsed.ok && !isOwn(place, where.project)) files.set(path, file)
  return parsed
}

function hookIn(entry: HookEntry, layer: Layer, codeForbidden: boolean, where: SurveyWhere): SurveyedHook {
  const files = filesToPin(entry, layer, where)
  const unclear = unclearCommands(entry, layer, where)
  return { entry, files, unclear, forbidden: codeForbidden && isProjectCode(entry, layer.rank) }
}

/** A file as it is now. Its own path is pinned; for a link, the content that the link leads to. */
function inspectFile(path: string): SurveyedFile {
  const link = linkTarget(path)
  const linkTo = link === undefined ? {} : { linkTo: link }
  const { pin, content } = readPinned(path)
  return { pin, content, ...linkTo }
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
