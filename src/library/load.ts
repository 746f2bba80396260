import { resolve } from 'node:path'
import { createEngine, type ExtensibleEngine, emptyEngine, maskersOf } from '../app/create-engine.ts'
import { mistakeIn } from '../core/define-pack.ts'
import { bad, good, type Problem, type Result } from '../core/errors.ts'
import { withoutWaivers } from '../core/exceptions.ts'
import type { Pack } from '../core/guard.ts'
import type { HandlerTools } from '../core/handler.ts'
import type { Origin } from '../core/hook.ts'
import type { JsonObject } from '../core/json.ts'
import type { Layer, PackEntry } from '../core/layer.ts'
import { DEFAULT_SETTINGS } from '../core/plan/plan.ts'
import type { Masker } from '../core/redact/redact.ts'
import { buildPlan } from '../handlers/plan.ts'
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
    const read = await readFiles(resolve(cwd, file), cwd)
    if (!read.ok) return read
    const missing = unbroughtPack(read.value, known.value)
    if (missing !== undefined) return { ok: false, problem: missing }
    layers.push(...read.value.map((layer) => ({ ...layer, packs: layer.packs.map(withoutFrom) })))
  }
  const plan = buildPlan(layers, known.value)
  const problem = plan.problems.find(({ severity }) => severity !== 'warning')
  if (problem !== undefined) return { ok: false, problem }
  const engine = await createEngine(plan, tools, known.value)
  return good({ engine, maskers: await maskersOf(plan), stopBlocksMax: plan.settings.stopBlocksMax })
}

/** A file, and the files and packages that it extends: all are as trusted as the one that the program names. */
async function readFiles(path: string, cwd: string): Promise<Result<readonly Layer[]>> {
  const first = await readLayer(path, cwd)
  if (!first.ok) return first
  const { followExtends } = await import('../config/extends.ts')
  const layers = [first.value]
  const failed: Problem[] = []
  const start = { place: { path, rank: 'user', named: true, root: cwd } as const, layer: first.value }
  const { problems, unread } = await followExtends([start], { project: cwd }, async (place) => {
    const layer = await readLayer(place.path, place.root ?? cwd, place.namedBy?.origin)
    if (layer.ok) layers.push(layer.value)
    else failed.push(layer.problem)
    return layer.ok ? layer.value : undefined
  })
  const [problem] = [...failed, ...problems, ...unread.map((each) => each.problem)]
  return problem === undefined ? good(layers) : { ok: false, problem }
}

/** Code of a pack is loaded by the program itself, so a pack with `from` must be one that it brings. */
function unbroughtPack(layers: readonly Layer[], known: ReadonlyMap<string, Pack>): Problem | undefined {
  const entries = layers.flatMap(({ packs }) => packs)
  const missing = entries.find(
    ({ pack, from, off }) => from !== undefined && off !== true && !known.has(pack),
  )
  if (missing === undefined) return undefined
  const message = `The pack \`${missing.pack}\` comes from ${missing.from?.module}, and a runtime loads no code that its program did not load.`
  const fix = `Import it in the program, and name it: createRuntime({ packs: [${missing.pack}], … }).`
  return { code: 'PACK_UNKNOWN', message, fix, ...missing.origin }
}

function withoutFrom({ from: _from, ...entry }: PackEntry): PackEntry {
  return entry
}

async function readLayer(path: string, cwd: string, extendedBy?: Origin): Promise<Result<Layer>> {
  const { parseConfig, readConfig } = await import('../config/read-layer.ts')
  const text = readConfig(path)
  if (text === undefined && extendedBy !== undefined)
    return bad('CONFIG_UNREADABLE', `This extends ${path}, which does not exist.`, extendedBy)
  if (text === undefined) return bad('CONFIG_UNREADABLE', 'This file does not exist.', { file: path })
  if (!text.ok) return text
  // The rank of the user's own file: by naming the file, the program trusts it.
  const layer = await parseConfig(text.value, { path, rank: 'user', trusted: true, root: cwd })
  if (!layer.ok) return layer
  const [first] = layer.value.imports ?? []
  if (first !== undefined) return { ok: false, problem: noImports(path, first.origin) }
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
    message: 'A configuration file of a runtime cannot import files of other formats.',
    fix: 'Write them as hooks of this file, or `extends` a configuration of Holdpoint.',
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}
