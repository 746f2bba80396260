import { resolve } from 'node:path'
import type { Layer } from '../config.ts'
import { createEngine, type ExtensibleEngine, emptyEngine, maskersOf } from '../engine.ts'
import { bad, good, type Problem, type Result } from '../errors.ts'
import { withoutLeave } from '../exceptions.ts'
import type { HandlerTools } from '../handlers/handler.ts'
import type { JsonObject } from '../json.ts'
import { buildPlan } from '../plan.ts'
import type { Masker } from '../redact.ts'

/** What a runtime starts from: the packs and configuration files its program names, and no other file. */
export interface Sources {
  readonly packs: readonly string[] | Readonly<Record<string, boolean | JsonObject>>
  readonly config: readonly string[]
  readonly cwd: string
  readonly tools: Partial<Omit<HandlerTools, 'guard'>>
}

export interface Base {
  readonly engine: ExtensibleEngine
  readonly maskers: readonly Masker[]
  readonly stopBlocksMax: number
}

/** A promise only where there is something to load. */
export function loadBase(sources: Sources): Result<Base> | Promise<Result<Base>> {
  const packs = packEntries(sources.packs)
  if (packs.length === 0 && sources.config.length === 0) return good(EMPTY)
  return load(packs, sources)
}

const EMPTY: Base = {
  engine: emptyEngine(),
  maskers: [],
  stopBlocksMax: buildPlan([], new Map()).settings.stopBlocksMax,
}
const THE_PROGRAM = 'the program'

function packEntries(packs: Sources['packs']): Layer['packs'] {
  const named: readonly (readonly [string, boolean | JsonObject])[] = Array.isArray(packs)
    ? packs.map((pack) => [String(pack), true] as const)
    : Object.entries(packs)
  return named
    .filter(([, options]) => options !== false)
    .map(([pack, options]) => ({
      pack,
      options: typeof options === 'boolean' ? {} : withoutLeave(options),
      origin: { file: THE_PROGRAM, key: `packs.${pack}` },
    }))
}

/** Strict, other than the hook: whoever writes the program sees the error, and no entry is left out in silence. */
async function load(packs: Layer['packs'], { config, cwd, tools }: Sources): Promise<Result<Base>> {
  const { loadPacks } = await import('../compile.ts')
  const known = await loadPacks()
  const layers: Layer[] = [
    { rank: 'call', file: THE_PROGRAM, trusted: true, packs, hooks: [], settings: {}, problems: [] },
  ]
  for (const file of config) {
    const layer = await readLayer(resolve(cwd, file), cwd)
    if (!layer.ok) return layer
    layers.push(layer.value)
  }
  const plan = buildPlan(layers, known)
  const problem = plan.problems.find(({ severity }) => severity !== 'warning')
  if (problem !== undefined) return { ok: false, problem }
  const engine = await createEngine(plan, tools)
  return good({ engine, maskers: await maskersOf(plan), stopBlocksMax: plan.settings.stopBlocksMax })
}

async function readLayer(path: string, cwd: string): Promise<Result<Layer>> {
  const { parseConfig, readConfig } = await import('../read-layer.ts')
  const text = readConfig(path)
  if (text === undefined) return bad('CONFIG_UNREADABLE', 'There is no such file.', { file: path })
  if (!text.ok) return text
  // The person's own rank: the program vouches for the file by naming it.
  const layer = await parseConfig(text.value, { path, rank: 'user', trusted: true, root: cwd })
  if (!layer.ok) return layer
  const [first] = layer.value.imports ?? []
  if (first !== undefined) return { ok: false, problem: noImports(path, first.origin) }
  const packs = layer.value.packs.map((entry) => ({ ...entry, options: withoutLeave(entry.options) }))
  return good({ ...layer.value, packs })
}

function noImports(
  file: string,
  { line, column }: { readonly line?: number; readonly column?: number },
): Problem {
  return {
    code: 'CONFIG_VALUE',
    key: 'imports',
    message: 'A file given to a runtime stands alone.',
    fix: 'Name the other files in `config` too.',
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}
