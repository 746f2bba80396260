import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HookEntry, Layer, PackEntry } from './config.ts'
import { bad, good, type Problem, type Result } from './errors.ts'
import { type Leave, withLeave } from './exceptions.ts'
import { findImports, formatOf, type Place } from './imports.ts'
import type { JsonObject } from './json.ts'
import type { Pack } from './packs/guard.ts'
import { PACKS } from './packs/index.ts'
import { buildPlan, type Plan } from './plan.ts'
import { packsToAdd } from './skill-packs.ts'
import { SOURCES, type SourceId } from './sources/index.ts'
import { SOURCE_MAX_BYTES, type Source, type SourceFile } from './sources/source.ts'
import { strangersBudget } from './strangers-budget.ts'
import { exceptionsFile, readExceptions } from './world/exceptions.ts'
import type { Home } from './world/home.ts'
import { readInstalls } from './world/installs.ts'
import { pauseFile, readPause } from './world/pause.ts'
import type { LastGood } from './world/plan-cache.ts'
import {
  arePinned,
  contentHash,
  foreignFiles,
  isBelow,
  programFiles,
  readTrust,
  startedFiles,
  type TrustedFiles,
} from './world/trust.ts'

/**
 * Configuration files to a plan. The one place that composes sources and packs; kept out of the hook's own file
 * because it loads a YAML parser, and runs only when a configuration file has changed.
 */
export interface CompileOptions {
  readonly home: Home
  readonly project: string
  /** In place of the found configuration. */
  readonly config?: string
  /** Packs added by the caller. */
  readonly packs: readonly string[]
  /** Packs of the skills the caller names. */
  readonly skillPacks?: readonly string[]
  /** What each file said when it was last whole: stands in while it is broken. */
  readonly lastGood: Readonly<Record<string, LastGood>>
}

export interface Compiled {
  readonly plan: Plan
  /** Files that are broken as a whole. */
  readonly broken: readonly Problem[]
  /** True when every broken file has a last good layer in the plan; else there is no plan to rely on. */
  readonly complete: boolean
  readonly lastGood: Readonly<Record<string, LastGood>>
  /** Every file whose change asks for a new plan, whether it exists or not. */
  readonly inputs: readonly string[]
}

export async function compile(options: CompileOptions): Promise<Compiled> {
  const packs = await loadPacks()
  const trust = readTrust(options.home.trust)
  const places = configPlaces(options)
  const lastGood: Record<string, LastGood> = {}
  const budget = strangersBudget()
  // A pack that is asked for by name and does not exist must stop the caller, not leave it unguarded.
  const broken = options.packs.filter((pack) => !packs.has(pack)).map((pack) => unknownPack(pack, packs))
  let complete = broken.length === 0
  const take = async (place: Place) => {
    const read = await readLayer(place, trust, options.project, budget)
    if (read === undefined) return
    const key = keyOf(place)
    const earlier = Object.hasOwn(options.lastGood, key) ? options.lastGood[key] : undefined
    const now = read.ok ? read.value : earlier && asTrustedNow(earlier, place, trust, options.project)
    if (!read.ok) broken.push(read.problem)
    if (now !== undefined) lastGood[key] = now
    else if (place.rank !== 'frontmatter') complete = false
  }
  for (const place of places) await take(place)
  const ownLayers = Object.values(lastGood).map(({ layer }) => layer)
  const imported = await findImports(ownLayers, { ...options, taken: places.map(({ path }) => path) })
  broken.push(...imported.problems)
  for (const place of imported.places) await take(place)
  broken.push(...budget.problems())
  const layers = Object.values(lastGood).map(({ layer }) => withPins(layer, trust, options))
  const asked = options.packs.length > 0 || !layers.some((layer) => settlesPacks(layer, packs))
  const ofSkills = packsToAdd(options.skillPacks ?? [], packsOn(layers, options.packs))
  const wanted = [
    ...layers,
    ...(asked ? [callLayer(options.packs)] : []),
    ...(ofSkills.length === 0 ? [] : [callLayer(ofSkills)]),
  ]
  const leave = leaveGiven(wanted, options)
  const all = wanted.map((layer) => withLeaveGiven(withOwnPlaces(layer, options.home), leave))
  const plan = buildPlan(all, packs)
  const programs = layers
    .filter((layer) => layer.trusted)
    .flatMap((layer) => layer.hooks.flatMap((entry) => watchedFiles(entry, layer, options)))
  const inputs = [
    ...[...places, ...imported.places].map((place) => place.path),
    ...imported.signposts,
    options.home.trust,
    options.home.installs,
    exceptionsFile(options.home),
    pauseFile(options.home),
    ...programs,
  ]
  return { plan, broken, complete, lastGood, inputs: [...new Set(inputs)] }
}

/** Pack `self` guards Holdpoint's own files, which only this machine knows. */
function withOwnPlaces(layer: Layer, home: Home): Layer {
  const known = readInstalls(home.installs)
  const installs = known.map(({ file, entries }) => ({ file, entries }))
  const http = known.some((install) => install.http === true)
  const packs = layer.packs.map((entry) =>
    entry.pack === 'self'
      ? { ...entry, options: { ...entry.options, home: home.folder, installs, http } }
      : entry,
  )
  return { ...layer, packs }
}

/** What people have excepted here and paused, for each pack. What managed policy asks for, nobody lets off. */
function leaveGiven(layers: readonly Layer[], { home, project }: Where): (pack: string) => Leave {
  const exceptions = readExceptions(exceptionsFile(home)).filter((each) => each.project === project)
  const pause = readPause(pauseFile(home))
  const managed = new Set(
    layers
      .filter(({ rank }) => rank === 'managed')
      .flatMap(({ packs }) => packs.filter(({ off }) => off !== true).map(({ pack }) => pack)),
  )
  return (pack) => {
    if (managed.has(pack)) return { exceptions: [], pausedUntilMs: 0 }
    const isPaused = pause !== undefined && (pause.packs === 'all' || pause.packs.includes(pack))
    return {
      exceptions: exceptions.filter(({ guard }) => guard.startsWith(`${pack}/`)),
      pausedUntilMs: isPaused ? pause.untilMs : 0,
    }
  }
}

function withLeaveGiven(layer: Layer, leave: (pack: string) => Leave): Layer {
  const packs = layer.packs.map((entry) => ({
    ...entry,
    options: withLeave(entry.options, leave(entry.pack)),
  }))
  return { ...layer, packs }
}

/**
 * Whether a layer says which packs are wanted. A file nobody vouched for does not, nor does one that names only
 * packs that do not exist: both leave the defaults on.
 */
function settlesPacks(layer: Layer, packs: ReadonlyMap<string, Pack>): boolean {
  return layer.trusted && layer.packs.some((entry) => packs.has(entry.pack))
}

/** A stranger's file puts nothing in the place of anything. */
function packsOn(layers: readonly Layer[], asked: readonly string[]): ReadonlySet<string> {
  const trusted = layers.filter((layer) => layer.trusted).flatMap(({ packs }) => packs)
  return new Set([...asked, ...trusted.filter(({ off }) => off !== true).map(({ pack }) => pack)])
}

function unknownPack(pack: string, packs: ReadonlyMap<string, Pack>): Problem {
  const message = `There is no pack \`${pack}\`. Packs: ${[...packs.keys()].join(', ')}.`
  return { code: 'PACK_UNKNOWN', message, file: 'the command line', key: '--pack' }
}

/** What is on where nobody configured anything. */
const DEFAULT_PACKS: readonly string[] = ['safety', 'secrets']

/** Where configuration is read from, strongest first. `--config` stands in for everything but managed policy. */
export function configPlaces(options: Pick<CompileOptions, 'home' | 'project' | 'config'>): readonly Place[] {
  // Only a file somebody names may be of another format: guessed, a policy could be read as something that has none.
  const source = 'holdpoint-yaml'
  const managed: Place = { path: options.home.managedConfig, rank: 'managed', source }
  if (options.config !== undefined) return [managed, { path: options.config, rank: 'project', named: true }]
  return [
    managed,
    { path: options.home.userConfig, rank: 'user', source },
    { path: join(options.project, '.holdpoint', 'config.yaml'), rank: 'project', source },
    { path: join(options.project, '.holdpoint', 'config.local.yaml'), rank: 'local', source },
  ]
}

export async function loadPacks(): Promise<ReadonlyMap<string, Pack>> {
  const loaded = await Promise.all(Object.values(PACKS).map((load) => load()))
  return new Map(loaded.map((pack) => [pack.id, pack]))
}

async function readLayer(
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
function keyOf({ path, rank, source }: Place): string {
  return `${rank} ${source ?? 'guessed'} ${path}`
}

function isTrusted(place: Place, hash: string, trust: TrustedFiles, project: string): boolean {
  return isOwn(place, project) || trust.get(place.path) === hash
}

/** Trust that was taken back is gone, also while the file is broken. */
function asTrustedNow(
  { layer, hash }: LastGood,
  place: Place,
  trust: TrustedFiles,
  project: string,
): LastGood {
  return { layer: { ...layer, trusted: isTrusted(place, hash, trust, project) }, hash }
}

/** Managed and user files are the person's own; what lies in the project travels with a repository. */
export function isOwn({ path, rank }: Place, project: string): boolean {
  if (rank === 'managed' || rank === 'user') return true
  return (rank === 'plugin' || rank === 'frontmatter') && !isBelow(path, project)
}

/** A person's own file means files beside it: the same words in a foreign project would be foreign code. */
export function rootOf({ path, rank }: Place, project: string): string {
  return rank === 'managed' || rank === 'user' ? dirname(path) : project
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

type Where = Pick<CompileOptions, 'home' | 'project'>

/**
 * A trusted file may name programs that changed since: those hooks alone lose their trust. A person's own file is
 * trusted whatever it starts, but for what lies in the project. What a stranger's file names is not even looked at.
 */
function withPins(layer: Layer, trust: TrustedFiles, where: Where): Layer {
  if (!layer.trusted) return layer
  const hooks = layer.hooks.map((entry) =>
    arePinned(filesToPin(entry, layer, where), trust) ? entry : { ...entry, trusted: false },
  )
  return { ...layer, hooks }
}

/** The files whose content has to be vouched for before a hook of this layer runs. Undefined: nobody can say. */
export function filesToPin(
  entry: HookEntry,
  { file, rank }: Pick<Layer, 'file' | 'rank'>,
  { home, project }: Where,
): readonly string[] | undefined {
  return isOwn({ path: file, rank }, project)
    ? foreignFiles(entry, { project, own: dirname(file), home: home.user })
    : programFiles(entry, home.user)
}

/** A file that is not there yet is watched too: when it appears, what was pinned has to be asked again. */
function watchedFiles(entry: HookEntry, layer: Layer, { home, project }: Where): readonly string[] {
  const files = programFiles(entry, home.user) ?? []
  if (!isOwn({ path: layer.file, rank: layer.rank }, project)) return files
  return [...files, ...startedFiles(entry, { project, home: home.user })]
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

/** Packs of the call itself, or the defaults where there is neither configuration nor a wish. */
export function callLayer(packs: readonly string[] | undefined, options: JsonObject = {}): Layer {
  const asked = packs !== undefined && packs.length > 0
  const file = asked ? 'the command line' : 'the defaults'
  const entries = (asked ? packs : DEFAULT_PACKS).map(
    (pack): PackEntry => ({ pack, options, origin: { file, key: `packs.${pack}` } }),
  )
  return { rank: 'call', file, trusted: true, packs: entries, hooks: [], settings: {}, problems: [] }
}
