import { lstatSync, readlinkSync, statSync } from 'node:fs'
import type { HookEntry, Layer } from '../config.ts'
import { configPlaces, isOwn, rootOf } from '../config-places.ts'
import { bad, describeProblem, HoldpointError, type Result } from '../errors.ts'
import { findImports, type Place } from '../imports.ts'
import { filesToPin } from '../pins.ts'
import { isProjectCode } from '../plan.ts'
import { parseConfig } from '../read-layer.ts'
import { SOURCE_MAX_BYTES } from '../sources/source.ts'
import type { Home } from '../world/home.ts'
import { readPinned } from '../world/trust.ts'

/** Everything a person would vouch for here, read once: what is shown is what gets pinned. */
export interface Survey {
  readonly configs: readonly SurveyedConfig[]
  /** Every file to pin, configuration and programs, by its path. */
  readonly files: ReadonlyMap<string, SurveyedFile>
  /** Files that are to count and cannot be read; they stay untrusted. */
  readonly broken: readonly string[]
  /** Managed policy lets no code of a project run. */
  readonly codeForbidden: boolean
}

export interface SurveyedConfig {
  readonly path: string
  readonly layer: Layer
  /** True: another file imports it. */
  readonly imported: boolean
  readonly hooks: readonly SurveyedHook[]
}

export interface SurveyedHook {
  readonly entry: HookEntry
  /** Undefined: nobody can say what it would start, so it does not run. */
  readonly files: readonly string[] | undefined
  readonly forbidden: boolean
}

export interface SurveyedFile {
  readonly pin: string
  /** Undefined: there is no such file, and it is pinned as missing; or it is none that can be trusted. */
  readonly content: Buffer | undefined
  /** Where it points, when it is a symbolic link. */
  readonly linkTo?: string
}

export interface SurveyWhere {
  readonly home: Home
  readonly project: string
  readonly config?: string
}

export async function survey(where: SurveyWhere): Promise<Survey> {
  const files = new Map<string, SurveyedFile>()
  const read: { readonly place: Place; readonly layer: Layer; readonly imported: boolean }[] = []
  const broken: string[] = []
  const places = configPlaces(where)
  for (const place of places) {
    const layer = await readLayer(place, where, files)
    if (layer?.ok) read.push({ place, layer: layer.value, imported: false })
    // What a person keeps for themselves is not what they are asked about here.
    else if (layer !== undefined && !isOwn(place, where.project)) throw new HoldpointError(layer.problem)
  }
  const imports = await findImports(
    read.map(({ layer }) => layer),
    { ...where, taken: places.map(({ path }) => path) },
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
    const hooks = layer.hooks.map((entry) => hookIn(entry, layer, codeForbidden, where))
    if (!isOwn(place, where.project)) return [{ path: place.path, layer, imported, hooks }]
    // Of a person's own file, what it starts of the project is to be vouched for, and nothing else.
    const reaching = hooks.filter((hook) => hook.files !== undefined && hook.files.length > 0)
    const own = { ...layer, packs: [], hooks: [], imports: [], settings: {}, problems: [] }
    return reaching.length === 0 ? [] : [{ path: place.path, layer: own, imported, hooks: reaching }]
  })
  for (const path of configs.flatMap(({ hooks }) => hooks.flatMap((hook) => hook.files ?? [])))
    if (!files.has(path)) files.set(path, lookAt(path))
  return { configs, files, broken: [...broken, ...imports.problems.map(describeProblem)], codeForbidden }
}

/** The layer as it would be once trusted. Undefined: there is no such file. */
async function readLayer(
  place: Place,
  where: SurveyWhere,
  files: Map<string, SurveyedFile>,
): Promise<Result<Layer> | undefined> {
  const { path, rank, root = rootOf(place, where.project) } = place
  const info = statOf(path)
  const unreadable = (message: string) => bad('CONFIG_UNREADABLE', message, { file: path })
  if (info === undefined) return place.named === true ? unreadable('There is no such file.') : undefined
  if (!info.isFile()) return unreadable('This is not a regular file.')
  if (info.size > SOURCE_MAX_BYTES)
    return bad('CONFIG_TOO_LARGE', `The file has ${info.size} bytes.`, { file: path })
  const file = lookAt(path)
  if (file.content === undefined) return unreadable('The file cannot be read.')
  const text = file.content.toString('utf8')
  const parsed = await parseConfig(text, { path, rank, trusted: true, root }, place.source)
  if (parsed.ok && !isOwn(place, where.project)) files.set(path, file)
  return parsed
}

function hookIn(entry: HookEntry, layer: Layer, codeForbidden: boolean, where: SurveyWhere): SurveyedHook {
  const files = filesToPin(entry, layer, where)
  return { entry, files, forbidden: codeForbidden && isProjectCode(entry, layer.rank) }
}

/** A file as it is now. Its own path is what is pinned; through a link, to what the link leads to. */
function lookAt(path: string): SurveyedFile {
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
