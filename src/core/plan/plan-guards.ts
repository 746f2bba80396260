import type { Problem } from '../errors.ts'
import { readOnFailure } from '../failure-presets.ts'
import { type Guard, LEVELS, type Level, MODES, type Mode, type Pack } from '../guard.ts'
import { FAILURE_KINDS, type Hook, type Matcher, type OnFailure } from '../hook.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Layer, PackEntry } from '../layer.ts'

/**
 * Turns the packs of all layers into guard hooks. For each guard the strictest layer wins; a weaker value in another
 * layer is reported and not applied. A guard that fails denies, because it is our own code.
 */
export function guardHooks(
  layers: readonly Layer[],
  packs: ReadonlyMap<string, Pack>,
  mayRun: (layer: Layer) => boolean = (layer) => layer.trusted,
): { readonly hooks: readonly Hook[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const wishes = new Map<string, PackRequest[]>()
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

/** The request of one layer for one pack. */
interface PackRequest {
  readonly layer: Layer
  readonly entry: PackEntry
  readonly level: Level
  readonly guards: Readonly<Record<string, Mode>>
  /** Whether this layer may run programs. */
  readonly mayRun: boolean
}

interface ResolvedMode {
  readonly mode: Mode
  readonly level: Level
  readonly wish: PackRequest | undefined
  /** True if every layer that denies allows a question instead, if the host can ask. */
  readonly undoable: boolean
}

function readWish(
  layer: Layer,
  entry: PackEntry,
  pack: Pack,
  mayRun: boolean,
  problems: Problem[],
): PackRequest {
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

function settleMode(guard: Guard, asked: readonly PackRequest[], problems: Problem[]): ResolvedMode {
  const wanted = asked.map((wish) => ({ wish, mode: wish.guards[guard.id] ?? guard.modes[wish.level] }))
  let best = wanted[0]
  for (const next of wanted) {
    if (best === undefined || MODES.indexOf(next.mode) > MODES.indexOf(best.mode)) best = next
  }
  const level = LEVELS.findLast((known) => asked.some((wish) => wish.level === known)) ?? 'standard'
  if (best === undefined) return { mode: 'off', level, wish: undefined, undoable: false }
  for (const { wish, mode } of wanted) {
    const explicit = wish.guards[guard.id] !== undefined
    if (explicit && MODES.indexOf(mode) < MODES.indexOf(best.mode)) {
      problems.push(weaker(guard, mode, best.mode, wish, best.wish))
    }
  }
  const denying = wanted.filter(({ mode }) => mode === 'deny')
  const undoable = denying.length > 0 && denying.every(({ wish }) => isUndoable(guard, wish))
  return { mode: best.mode, level, wish: best.wish, undoable }
}

/** An untrusted file weakens nothing, and a mode that is set for this guard is used as written. */
function isUndoable(guard: Guard, { entry, guards, mayRun }: PackRequest): boolean {
  return (
    guard.undoable === true && mayRun && entry.options.undoable === 'ask' && guards[guard.id] === undefined
  )
}

function compileGuard(
  guard: Guard,
  pack: Pack,
  settled: ResolvedMode,
  asked: readonly PackRequest[],
): readonly Hook[] {
  const { wish, mode, level, undoable } = settled
  if (wish === undefined) return []
  // The option of a stronger layer wins. A weaker layer only adds options that are not set.
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
      ...(undoable ? { undoable } : {}),
      ...(guard.needs === undefined ? {} : { mayRun: asked.some((each) => each.mayRun) }),
    },
    timeoutMs: guard.timeoutMs ?? GUARD_TIMEOUT_MS,
    onFailure: { ...DENY_ALL, ...readOnFailure(guard.onFailure ?? 'deny') },
    rewrites: false,
    // Options of any layer may name what is granted.
    grants: guard.grants === true && asked.every((each) => each.layer.trusted),
    required: wish.layer.rank === 'managed',
    // The code is Holdpoint's own, but its messages and files are for the users who enabled the pack.
    trusted: asked.some((each) => each.layer.trusted),
    rank: wish.layer.rank,
    origin: wish.entry.origin,
  }))
}

/** Guards are limited by counted steps. This only limits guards that read files. */
const GUARD_TIMEOUT_MS = 5_000
const DENY_ALL = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 'deny'])) as OnFailure

/** A guard for one shell applies to every other shell. */
function matchOf(match: string): Matcher {
  if (match === '*' || match === '') return {}
  const names = match.split('|')
  const subject = { kind: 'names', names } as const
  return names.includes('Bash') ? { subject, orRunsCommands: true } : { subject }
}

/** A file that is not trusted may not name programs. */
function optionsOf({ entry, mayRun }: PackRequest, { programs = [] }: Pack): JsonObject {
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

/** One problem for all of them, because they are in one place. */
function unusable(entry: PackEntry, complaints: readonly string[]): Problem {
  return {
    code: 'CONFIG_VALUE',
    message: `Pack \`${entry.pack}\`: ${complaints.join(' ')}`,
    ...entry.origin,
  }
}

function weaker(guard: Guard, mode: Mode, best: Mode, wish: PackRequest, stronger: PackRequest): Problem {
  return {
    code: 'CONFIG_WEAKER',
    severity: 'warning',
    message: `\`${guard.id}: ${mode}\` is weaker than \`${best}\` in ${stronger.entry.origin.file}, so it has no effect.`,
    ...wish.entry.origin,
  }
}
