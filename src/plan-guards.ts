import type { Layer, PackEntry } from './config.ts'
import type { Problem } from './errors.ts'
import { readOnFailure } from './failure-presets.ts'
import { FAILURE_KINDS, type Hook, type Match, type OnFailure } from './hook.ts'
import { isObject, type JsonObject } from './json.ts'
import { type Guard, LEVELS, type Level, MODES, type Mode, type Pack } from './packs/guard.ts'

/**
 * Packs of all layers into guard hooks. Per guard the strictest of all layers wins; a weaker value in another
 * layer is reported and not applied. A guard that cannot answer denies: it is our own code.
 */
export function guardHooks(
  layers: readonly Layer[],
  packs: ReadonlyMap<string, Pack>,
  mayRun: (layer: Layer) => boolean = (layer) => layer.trusted,
): { readonly hooks: readonly Hook[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const wishes = new Map<string, Wish[]>()
  for (const layer of layers) {
    for (const entry of layer.packs) {
      const pack = packs.get(entry.pack)
      if (pack === undefined) problems.push(unknownPack(entry, packs))
      else if (entry.off !== true)
        wishes.set(entry.pack, [
          ...(wishes.get(entry.pack) ?? []),
          readWish(layer, entry, pack, mayRun(layer), problems),
        ])
    }
  }
  const hooks: Hook[] = []
  for (const [id, asked] of wishes) {
    const pack = packs.get(id)
    for (const guard of pack?.guards ?? []) {
      const settled = settleMode(guard, asked, problems)
      if (pack !== undefined && settled.mode !== 'off')
        hooks.push(...compileGuard(guard, pack, settled, asked))
    }
  }
  return { hooks, problems }
}

/** What one layer wants of one pack. */
interface Wish {
  readonly layer: Layer
  readonly entry: PackEntry
  readonly level: Level
  readonly guards: Readonly<Record<string, Mode>>
  /** Programs may be run in the name of this layer. */
  readonly mayRun: boolean
}

interface Settled {
  readonly mode: Mode
  readonly level: Level
  readonly wish: Wish | undefined
}

function readWish(layer: Layer, entry: PackEntry, pack: Pack, mayRun: boolean, problems: Problem[]): Wish {
  const level = LEVELS.find((known) => known === entry.options.level) ?? 'standard'
  const guards: Record<string, Mode> = {}
  const asked = entry.options.guards
  for (const [id, value] of Object.entries(isObject(asked) ? asked : {})) {
    const mode = MODES.find((known) => known === value)
    const guard = pack.guards.find((known) => known.id === id || known.id === `${pack.id}/${id}`)
    if (guard === undefined || mode === undefined) problems.push(unknownGuard(entry, id, pack))
    else guards[guard.id] = mode
  }
  const complaints = pack.complaints?.(withoutModes(entry.options)) ?? []
  if (complaints.length > 0) problems.push(unusable(entry, complaints))
  return { layer, entry, level, guards, mayRun }
}

function settleMode(guard: Guard, asked: readonly Wish[], problems: Problem[]): Settled {
  const wanted = asked.map((wish) => ({ wish, mode: wish.guards[guard.id] ?? guard.modes[wish.level] }))
  let best = wanted[0]
  for (const next of wanted) {
    if (best === undefined || MODES.indexOf(next.mode) > MODES.indexOf(best.mode)) best = next
  }
  const level = LEVELS.findLast((known) => asked.some((wish) => wish.level === known)) ?? 'standard'
  if (best === undefined) return { mode: 'off', level, wish: undefined }
  for (const { wish, mode } of wanted) {
    const explicit = wish.guards[guard.id] !== undefined
    if (explicit && MODES.indexOf(mode) < MODES.indexOf(best.mode)) {
      problems.push(weaker(guard, mode, best.mode, wish, best.wish))
    }
  }
  return { mode: best.mode, level, wish: best.wish }
}

function compileGuard(guard: Guard, pack: Pack, settled: Settled, asked: readonly Wish[]): readonly Hook[] {
  const { wish, mode, level } = settled
  if (wish === undefined) return []
  // A stronger layer's option stands; a weaker layer only adds options nobody set.
  const options: JsonObject = Object.assign({}, ...[...asked].reverse().map((each) => optionsOf(each, pack)))
  return guard.on.map((on) => ({
    id: guard.id,
    on,
    match: matchOf(guard.match),
    actor: guard.skill === undefined ? {} : { skill: guard.skill },
    run: {
      type: 'guard',
      pack: pack.id,
      guard: guard.id,
      mode,
      unsure: mode === 'warn' ? 'warn' : level === 'paranoid' ? 'deny' : 'ask',
      options: withoutModes(options),
      ...(guard.needs === undefined ? {} : { mayRun: asked.some((each) => each.mayRun) }),
    },
    timeoutMs: guard.timeoutMs ?? GUARD_TIMEOUT_MS,
    onFailure: { ...DENY_ALL, ...readOnFailure(guard.onFailure ?? 'deny') },
    rewrites: false,
    grants: false,
    required: wish.layer.rank === 'managed',
    // Our own code, but what it tells the agent and keeps is for the people who asked for it.
    trusted: asked.some((each) => each.layer.trusted),
    rank: wish.layer.rank,
    origin: wish.entry.origin,
  }))
}

/** Guards are bounded by counted steps; this only bounds those that read files. */
const GUARD_TIMEOUT_MS = 5_000
const DENY_ALL = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 'deny'])) as OnFailure

/** What is guarded in one shell is guarded in every other. */
function matchOf(match: string): Match {
  if (match === '*' || match === '') return {}
  const names = match.split('|')
  const subject = { is: 'names', names } as const
  return names.includes('Bash') ? { subject, orShellTool: true } : { subject }
}

/** A file nobody vouched for names no programs. */
function optionsOf({ entry, mayRun }: Wish, { programs = [] }: Pack): JsonObject {
  if (mayRun || programs.length === 0) return entry.options
  return Object.fromEntries(Object.entries(entry.options).filter(([key]) => !programs.includes(key)))
}

function withoutModes(options: JsonObject): JsonObject {
  const { level: _level, guards: _guards, ...rest } = options
  return rest
}

function unknownPack(entry: PackEntry, packs: ReadonlyMap<string, Pack>): Problem {
  return {
    code: 'PACK_UNKNOWN',
    message: `There is no pack \`${entry.pack}\`. Packs: ${[...packs.keys()].join(', ')}.`,
    ...entry.origin,
  }
}

function unknownGuard(entry: PackEntry, id: string, pack: Pack): Problem {
  return {
    code: 'GUARD_UNKNOWN',
    message: `Pack \`${pack.id}\` has no guard \`${id}\`. Its guards: ${pack.guards.map((guard) => guard.id).join(', ')}.`,
    ...entry.origin,
  }
}

/** One problem for all: they stand in one place. */
function unusable(entry: PackEntry, complaints: readonly string[]): Problem {
  return {
    code: 'CONFIG_VALUE',
    message: `Pack \`${entry.pack}\`: ${complaints.join(' ')}`,
    ...entry.origin,
  }
}

function weaker(guard: Guard, mode: Mode, best: Mode, wish: Wish, stronger: Wish): Problem {
  return {
    code: 'CONFIG_WEAKER',
    severity: 'warning',
    message: `\`${guard.id}: ${mode}\` is weaker than \`${best}\` in ${stronger.entry.origin.file}, which holds.`,
    ...wish.entry.origin,
  }
}
