import { resolve } from 'node:path'
import { createEngine, type ExtensibleEngine, emptyEngine, maskersOf } from '../app/create-engine.ts'
import { mistakeIn } from '../core/define-pack.ts'
import { bad, good, type Problem, type Result } from '../core/errors.ts'
import { withoutWaivers } from '../core/exceptions.ts'
import type { Pack } from '../core/guard.ts'
import type { HandlerTools } from '../core/handler.ts'
import type { JsonObject } from '../core/json.ts'
import type { Layer } from '../core/layer.ts'
import { buildPlan, DEFAULT_SETTINGS } from '../core/plan/plan.ts'
import type { Masker } from '../core/redact/redact.ts'
import type { PackChoice } from './options.ts'

/**
 * What a runtime starts from: the packs and configuration files that its program names, and no other file.
 */
export interface Sources {
  readonly packs: PackChoice
  readonly config: readonly string[]
  readonly cwd: string
  readonly tools: Partial<Omit<HandlerTools, 'guard'>>
}

export interface Base {
  readonly engine: ExtensibleEngine
  readonly maskers: readonly Masker[]
  readonly stopBlocksMax: number
}

/** A promise only if there is something to load. */
export function loadBase(sources: Sources): Result<Base> | Promise<Result<Base>> {
  const chosen = chosenPacks(sources.packs)
  if (packEntries(chosen).length === 0 && sources.config.length === 0) return good(EMPTY)
  return load(chosen, sources)
}

const EMPTY: Base = {
  engine: emptyEngine(),
  maskers: [],
  stopBlocksMax: DEFAULT_SETTINGS.stopBlocksMax,
}
const THE_PROGRAM = 'the program'

type ChosenPack = readonly [pack: string | Pack, options: boolean | JsonObject]

function chosenPacks(packs: PackChoice): readonly ChosenPack[] {
  if (!isList(packs)) return Object.entries(packs)
  return packs.map((item): ChosenPack => (isPair(item) ? item : [item, true]))
}

type PackItem = Extract<PackChoice, readonly unknown[]>[number]

const isList = (packs: PackChoice): packs is readonly PackItem[] => Array.isArray(packs)
const isPair = (item: PackItem): item is readonly [string | Pack, JsonObject] => Array.isArray(item)

const idOf = (pack: string | Pack): string => (typeof pack === 'string' ? pack : String(pack.id))

function packEntries(packs: readonly ChosenPack[]): Layer['packs'] {
  return packs
    .filter(([, options]) => options !== false)
    .map(([pack, options]) => ({
      pack: idOf(pack),
      options: typeof options === 'boolean' ? {} : withoutWaivers(options),
      origin: { file: THE_PROGRAM, key: `packs.${idOf(pack)}` },
    }))
}

/** The built-in packs and those that the program brings, which may not replace one of them. */
function withOwnPacks(
  builtIn: ReadonlyMap<string, Pack>,
  chosen: readonly ChosenPack[],
): Result<ReadonlyMap<string, Pack>> {
  const all = new Map(builtIn)
  for (const [pack] of chosen) {
    if (typeof pack === 'string') continue
    const wrong = mistakeIn(pack)
    if (wrong !== undefined) return bad('PACK_INVALID', wrong)
    if (all.has(pack.id)) return bad('PACK_TAKEN', `There is already a pack \`${pack.id}\`.`)
    all.set(pack.id, pack)
  }
  return good(all)
}

/** Stricter than the hook: the author of the program sees the error, so no entry is skipped silently. */
async function load(chosen: readonly ChosenPack[], { config, cwd, tools }: Sources): Promise<Result<Base>> {
  const { loadPacks } = await import('../config/compile.ts')
  const known = withOwnPacks(await loadPacks(), chosen)
  if (!known.ok) return known
  const packs = packEntries(chosen)
  const layers: Layer[] = [
    { rank: 'call', file: THE_PROGRAM, trusted: true, packs, hooks: [], settings: {}, problems: [] },
  ]
  for (const file of config) {
    const layer = await readLayer(resolve(cwd, file), cwd)
    if (!layer.ok) return layer
    layers.push(layer.value)
  }
  const plan = buildPlan(layers, known.value)
  const problem = plan.problems.find(({ severity }) => severity !== 'warning')
  if (problem !== undefined) return { ok: false, problem }
  const engine = await createEngine(plan, tools, known.value)
  return good({ engine, maskers: await maskersOf(plan), stopBlocksMax: plan.settings.stopBlocksMax })
}

async function readLayer(path: string, cwd: string): Promise<Result<Layer>> {
  const { parseConfig, readConfig } = await import('../config/read-layer.ts')
  const text = readConfig(path)
  if (text === undefined) return bad('CONFIG_UNREADABLE', 'This file does not exist.', { file: path })
  if (!text.ok) return text
  // The rank of the user's own file: by naming the file, the program trusts it.
  const layer = await parseConfig(text.value, { path, rank: 'user', trusted: true, root: cwd })
  if (!layer.ok) return layer
  const [first] = layer.value.imports ?? []
  if (first !== undefined) return { ok: false, problem: noImports(path, first.origin) }
  const [other] = layer.value.extends ?? []
  if (other !== undefined) return { ok: false, problem: { ...noImports(path, other.origin), key: 'extends' } }
  const packs = layer.value.packs.map((entry) => ({ ...entry, options: withoutWaivers(entry.options) }))
  return good({ ...layer.value, packs })
}

function noImports(
  file: string,
  { line, column }: { readonly line?: number; readonly column?: number },
): Problem {
  return {
    code: 'CONFIG_VALUE',
    key: 'imports',
    message: 'A configuration file of a runtime cannot import or extend other files.',
    fix: 'Add the other files to `config` instead.',
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}
