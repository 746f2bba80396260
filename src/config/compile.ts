import type { Problem } from '../core/errors.ts'
import type { Pack } from '../core/guard.ts'
import type { JsonObject } from '../core/json.ts'
import type { Layer, PackEntry } from '../core/layer.ts'
import type { Plan } from '../core/plan/plan.ts'
import { packsOfOthers } from '../core/plan/plan-guards.ts'
import { buildPlan } from '../handlers/plan.ts'
import { PACKS } from '../policy/packs/index.ts'
import { exceptionsFile } from '../system/exceptions.ts'
import type { Home } from '../system/home.ts'
import { type Install, readInstalls } from '../system/installs.ts'
import { pauseFile } from '../system/pause.ts'
import type { LastGood } from '../system/plan-cache.ts'
import { managedPublicFile, publicFile } from '../system/signatures.ts'
import { readTrust } from '../system/trust-file.ts'
import { managedInputs, readManagedBundle } from './bundle/managed.ts'
import { followExtends } from './extends.ts'
import { type ConfigFile, findImports } from './imports.ts'
import { readInstalledHooks } from './installed-hooks.ts'
import { packPrograms, withPacksOfOthers } from './packs-of-others.ts'
import { configPlaces, isOwn } from './places.ts'
import { asTrustedNow, layerKey, readLayer } from './read-layer.ts'
import { packsToAdd } from './skill-packs.ts'
import { withoutValues } from './sources/without-values.ts'
import { watchedFiles, withPins } from './trust-pins.ts'
import { unreadLayer } from './unread-file.ts'
import { unsignedEntries } from './unsigned-entries.ts'
import { untrustedLimits } from './untrusted-limits.ts'
import { applyWaivers, collectWaivers, withInstalledFiles } from './waivers.ts'

/**
 * Compiles configuration files to a plan. The one place that combines sources and packs. It is not part of the hook's
 * own file because it loads a YAML parser, and it only runs when a configuration file has changed.
 */
export interface CompileOptions {
  readonly home: Home
  readonly project: string
  /** Replaces the configuration files that would be found. */
  readonly config?: string
  /** Packs added by the caller. */
  readonly packs: readonly string[]
  /** Packs of the skills that the caller names. */
  readonly skillPacks?: readonly string[]
  /** A person asked what is wrong: the text of untrusted files may be shown. Never for an agent. */
  readonly quotes?: boolean
  /** The last valid content of each file. Used while the file is broken. */
  readonly lastGood: Readonly<Record<string, LastGood>>
}

export interface Compiled {
  readonly plan: Plan
  /** Files that cannot be read at all. */
  readonly broken: readonly Problem[]
  /** True if every broken file has a last valid layer in the plan. Otherwise the plan cannot be used. */
  readonly complete: boolean
  readonly lastGood: Readonly<Record<string, LastGood>>
  /** The layers that the plan was made from, strongest first. */
  readonly layers: readonly Layer[]
  /** Made while something could not be loaded that may be loaded later: kept only for this time. */
  readonly keepMs?: number
  /** The files of `extends`. */
  readonly extended: readonly string[]
  /** The built-in packs, and those that modules and packages bring. */
  readonly packs: ReadonlyMap<string, Pack>
  /** Every file whose change makes a new plan necessary, whether it exists or not. */
  readonly inputs: readonly string[]
}

export async function compile(options: CompileOptions): Promise<Compiled> {
  const packs = await loadPacks()
  const trust = readTrust(options.home)
  const places = configPlaces(options)
  const lastGood: Record<string, LastGood> = {}
  const budget = untrustedLimits()
  // A pack that is requested by name but does not exist must stop the caller, not waiversFor it without guards.
  const broken = options.packs.filter((pack) => !packs.has(pack)).map((pack) => unknownPack(pack, packs))
  let complete = broken.length === 0
  const unread: Layer[] = []
  const repairable: string[] = []
  /** A file of the project can only add hooks, so the other files apply without it. */
  const isForeign = (place: ConfigFile) => !isOwn(place, options.project) && place.path !== options.config
  const take = async (place: ConfigFile) => {
    const read = await readLayer(place, trust, options.project, budget, options.quotes)
    if (read === undefined) return
    const key = layerKey(place)
    const earlier = Object.hasOwn(options.lastGood, key) ? options.lastGood[key] : undefined
    const now = read.ok ? read.value : earlier && asTrustedNow(earlier, place, trust, options.project)
    if (!read.ok) {
      broken.push(read.problem)
      if (isForeign(place)) repairable.push(place.path)
    }
    if (now !== undefined) lastGood[key] = now
    else if (place.rank === 'frontmatter' || read.ok) return
    else if (isForeign(place)) unread.push(unreadLayer(place, read.problem))
    else complete = false
  }
  const bundle = readManagedBundle(options.home)
  if (bundle?.ok === false) {
    // Nobody knows what the fleet forbids, so this is like a managed file that cannot be read.
    broken.push(bundle.problem)
    complete = false
  } else if (bundle?.value.problem !== undefined) broken.push(bundle.value.problem)
  for (const place of places) await take(place)
  const layerAt = (place: ConfigFile) => lastGood[layerKey(place)]?.layer
  const start = places.flatMap((place) => {
    const layer = layerAt(place)
    return layer === undefined ? [] : [{ place, layer }]
  })
  const extended = await followExtends(
    start,
    { ...options, quotes: options.quotes === true },
    async (place) => {
      await take(place)
      return layerAt(place)
    },
  )
  broken.push(...extended.problems, ...extended.unread.map(({ problem }) => problem))
  for (const { place, problem } of extended.unread) {
    if (isForeign(place)) unread.push(unreadLayer(place, problem))
    else complete = false
  }
  const ownLayers = Object.values(lastGood).map(({ layer }) => layer)
  const imported = await findImports(ownLayers, {
    ...options,
    taken: [...places, ...extended.places].map(({ path }) => path),
  })
  broken.push(...imported.problems)
  for (const place of imported.places) await take(place)
  broken.push(...budget.problems(), ...unsignedEntries(options))
  const layers = await withPacksOfOthers(
    Object.values(lastGood).map(({ layer }) => withPins(layer, trust, options)),
    packs,
    trust,
    options,
  )
  const isChosen = layers.some((layer) => settlesPacks(layer, packs, options.config))
  const installs = readInstalls(options.home.installs)
  const ofSkills = packsToAdd(options.skillPacks ?? [], packsOn(layers, options.packs))
  const wanted = [
    ...layers,
    ...unread,
    ...(options.packs.length > 0 || !isChosen ? [callLayer(options.packs, {}, defaultPacks(installs))] : []),
    ...(ofSkills.length === 0 ? [] : [callLayer(ofSkills)]),
  ]
  const waiversFor = collectWaivers(wanted, options)
  const installed = await readInstalledHooks(options)
  const all = wanted.map((layer) =>
    applyWaivers(withInstalledFiles(layer, options.home, installed, repairable), waiversFor),
  )
  const built = buildPlan(all, packs)
  const plan = options.quotes === true ? built : withoutForeignValues(built, all)
  const programs = layers
    .filter((layer) => layer.trusted)
    .flatMap((layer) =>
      [...layer.hooks, ...packPrograms(layer)].flatMap((entry) => watchedFiles(entry, layer, options)),
    )
  const inputs = [
    ...[...places, ...extended.places, ...imported.places].map((place) => place.path),
    ...extended.watchedPaths,
    ...imported.watchedPaths,
    options.home.trust,
    options.home.installs,
    ...installed.files,
    exceptionsFile(options.home),
    pauseFile(options.home),
    publicFile(options.home),
    managedPublicFile(options.home),
    ...managedInputs(options.home),
    ...programs,
  ]
  const known = new Map([...packs, ...packsOfOthers(layers).packs])
  return {
    ...{ plan, broken, complete, lastGood, layers: all, packs: known },
    ...shortestKept(layers),
    extended: extended.places.map(({ path }) => path),
    inputs: [...new Set(inputs)],
  }
}

function shortestKept(layers: readonly Layer[]): Pick<Compiled, 'keepMs'> {
  const times = layers.flatMap(({ packs }) =>
    packs.flatMap(({ found }) => (found?.kind === 'failed' ? (found.keepMs ?? []) : [])),
  )
  return times.length === 0 ? {} : { keepMs: Math.min(...times) }
}

/** Problems with pack options in an untrusted file quote nothing of the file either. */
function withoutForeignValues(plan: Plan, layers: readonly Layer[]): Plan {
  const foreign = new Set(layers.filter(({ trusted }) => !trusted).map(({ file }) => file))
  const problems = plan.problems.map((problem) =>
    foreign.has(problem.file ?? '') && problem.code !== 'HOOK_UNTRUSTED' ? withoutValues(problem) : problem,
  )
  return { ...plan, problems }
}

/**
 * Whether a layer decides which packs are on. Only a file of the user does, or the one file that was named instead of all
 * others. A stash or a checkout can remove files of a work tree, so those only add packs. A file that names only
 * unknown packs leaves the defaults on.
 */
function settlesPacks(layer: Layer, packs: ReadonlyMap<string, Pack>, named: string | undefined): boolean {
  const isOwn = layer.rank === 'managed' || layer.rank === 'user' || layer.file === named
  return isOwn && layer.trusted && layer.packs.some((entry) => packs.has(entry.pack))
}

/** An untrusted file replaces nothing. */
function packsOn(layers: readonly Layer[], asked: readonly string[]): ReadonlySet<string> {
  const trusted = layers.filter((layer) => layer.trusted).flatMap(({ packs }) => packs)
  return new Set([...asked, ...trusted.filter(({ off }) => off !== true).map(({ pack }) => pack)])
}

function unknownPack(pack: string, packs: ReadonlyMap<string, Pack>): Problem {
  const message = `There is no pack \`${pack}\`. Packs: ${[...packs.keys()].join(', ')}.`
  return { code: 'PACK_UNKNOWN', message, file: 'the command line', key: '--pack' }
}

/** The packs that are on if nothing is configured. */
const DEFAULT_PACKS: readonly string[] = ['safety', 'secrets']

/** Packs that guard the installed hooks are added if hooks are installed. */
function defaultPacks(installs: readonly Install[]): readonly string[] {
  return installs.length === 0 ? DEFAULT_PACKS : [...DEFAULT_PACKS, 'self']
}

export async function loadPacks(): Promise<ReadonlyMap<string, Pack>> {
  const loaded = await Promise.all(Object.values(PACKS).map((load) => load()))
  return new Map(loaded.map((pack) => [pack.id, pack]))
}

/** Packs that the caller names, or the defaults if nothing is configured and no pack is named. */
export function callLayer(
  packs: readonly string[] | undefined,
  options: JsonObject = {},
  defaults: readonly string[] = DEFAULT_PACKS,
): Layer {
  const asked = packs !== undefined && packs.length > 0
  const file = asked ? 'the command line' : 'the defaults'
  const entries = (asked ? packs : defaults).map(
    (pack): PackEntry => ({ pack, options, origin: { file, key: `packs.${pack}` } }),
  )
  return { rank: 'call', file, trusted: true, packs: entries, hooks: [], settings: {}, problems: [] }
}
