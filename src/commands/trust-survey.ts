import { lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { configPlaces, isOwn, parseConfig, rootOf } from '../compile.ts'
import type { HookEntry, Layer } from '../config.ts'
import { bad, describeProblem, HoldpointError, type Result } from '../errors.ts'
import { findImports, type Place } from '../imports.ts'
import { isProjectCode } from '../plan.ts'
import { SOURCE_MAX_BYTES } from '../sources/source.ts'
import type { Home } from '../world/home.ts'
import { contentHash, MISSING, programFiles } from '../world/trust.ts'

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
  /** Undefined: there is no such file; it is pinned as missing. */
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
  for (const place of configPlaces(where)) {
    const layer = await readLayer(place, where, files)
    if (layer?.ok) read.push({ place, layer: layer.value, imported: false })
    // What a person keeps for themselves is not what they are asked about here.
    else if (layer !== undefined && !isOwn(place, where.project)) throw new HoldpointError(layer.problem)
  }
  const imports = await findImports(
    read.map(({ layer }) => layer),
    where,
  )
  for (const place of imports.places) {
    const layer = await readLayer(place, where, files)
    if (layer?.ok) read.push({ place, layer: layer.value, imported: true })
    else if (layer !== undefined) broken.push(describeProblem(layer.problem))
  }
  const codeForbidden = read.some(
    ({ layer }) => layer.rank === 'managed' && layer.settings.projectCode === 'forbidden',
  )
  const configs = read
    .filter(({ place }) => !isOwn(place, where.project))
    .map(({ place, layer, imported }) => ({
      path: place.path,
      layer,
      imported,
      hooks: layer.hooks.map((entry) => hookIn(entry, layer, codeForbidden, files)),
    }))
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

function hookIn(
  entry: HookEntry,
  layer: Layer,
  codeForbidden: boolean,
  files: Map<string, SurveyedFile>,
): SurveyedHook {
  const own = programFiles(entry)
  for (const path of own ?? []) if (!files.has(path)) files.set(path, lookAt(path))
  return { entry, files: own, forbidden: codeForbidden && isProjectCode(entry, layer.rank) }
}

/** A file as it is now. Its own path is what is pinned; through a link, to what the link leads to. */
function lookAt(path: string): SurveyedFile {
  const link = linkTarget(path)
  const linkTo = link === undefined ? {} : { linkTo: link }
  try {
    const content = readFileSync(path)
    return { pin: contentHash(content), content, ...linkTo }
  } catch {
    return { pin: MISSING, content: undefined, ...linkTo }
  }
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
