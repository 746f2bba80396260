import type { Layer, PackEntry } from './config.ts'
import { configPlaces } from './config-places.ts'
import type { Problem } from './errors.ts'
import { findImports, type Place } from './imports.ts'
import type { JsonObject } from './json.ts'
import { leaveGiven, withLeaveGiven, withOwnPlaces } from './leave-given.ts'
import type { Pack } from './packs/guard.ts'
import { PACKS } from './packs/index.ts'
import { watchedFiles, withPins } from './pins.ts'
import { buildPlan, type Plan } from './plan.ts'
import { asTrustedNow, keyOf, readLayer } from './read-layer.ts'
import { packsToAdd } from './skill-packs.ts'
import { strangersBudget } from './strangers-budget.ts'
import { exceptionsFile } from './world/exceptions.ts'
import type { Home } from './world/home.ts'
import { pauseFile } from './world/pause.ts'
import type { LastGood } from './world/plan-cache.ts'
import { readTrust } from './world/trust.ts'

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

export async function loadPacks(): Promise<ReadonlyMap<string, Pack>> {
  const loaded = await Promise.all(Object.values(PACKS).map((load) => load()))
  return new Map(loaded.map((pack) => [pack.id, pack]))
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
