import { lastResortOf } from '../deadlines.ts'
import type { Problem } from '../errors.ts'
import { EVENT_KINDS } from '../event.ts'
import { withoutWaivers } from '../exceptions.ts'
import { readOnFailure } from '../failure-presets.ts'
import { type Guard, LEVELS, type Level, MODES, type Mode, type Pack } from '../guard.ts'
import { FAILURE_KINDS, type Hook, type Matcher, type OnFailure } from '../hook.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { FoundPack, Layer, PackEntry, PackModule } from '../layer.ts'
import { describedGuard, describeGuard } from '../pack-description.ts'
import {
  type OptionMistake,
  optionMistakes,
  type PackOptions,
  usablePart,
  withDefaults,
} from '../pack-options.ts'

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
  const hooks: Hook[] = []
  const wishes = new Map<string, PackRequest[]>()
  const others = packsOfOthers(layers)
  const known = new Map([...packs, ...others.packs])
  for (const layer of layers) {
    for (const entry of layer.packs) {
      const pack = known.get(entry.pack)
      const failed = failureOf(entry)
      if (failed !== undefined) {
        problems.push(failed.problem)
        hooks.push(...failedPack(entry, failed, layer))
      } else if (pack === undefined) problems.push(unknownPack(entry, known))
      else if (entry.off !== true)
        wishes.set(entry.pack, [
          ...(wishes.get(entry.pack) ?? []),
          readWish(layer, entry, pack, mayRun(layer), problems),
        ])
    }
  }
  for (const [id, asked] of wishes) {
    const pack = known.get(id)
    for (const guard of pack?.guards ?? []) {
      const settled = settleMode(guard, asked, problems)
      if (pack !== undefined && settled.mode !== 'off')
        hooks.push(...compileGuard(guard, pack, settled, asked, others.modules.get(id)))
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
  /** Why the pack cannot be used with these options. */
  readonly wrong?: string
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
  const { mistakes, usable } = readOptions(entry, pack)
  problems.push(...mistakes.map((mistake) => wrongOption(entry, mistake)))
  const wrong = pack.wrongOptions === 'use defaults' ? undefined : mistakes[0]?.message
  return {
    layer,
    entry: { ...entry, options: usable },
    level,
    guards,
    mayRun,
    ...(wrong === undefined ? {} : { wrong }),
  }
}

/** What is wrong with the options of an entry, and those that are left. */
function readOptions(
  { options }: PackEntry,
  pack: Pack,
): { readonly mistakes: readonly OptionMistake[]; readonly usable: JsonObject } {
  const given = ownOptions(options)
  const found = [
    ...(pack.options === undefined ? [] : optionMistakes(given, pack.options)),
    ...optionMistakes(options.undoable === undefined ? {} : { undoable: options.undoable }, UNDOABLE),
  ]
  if (pack.wrongOptions !== 'use defaults') return { mistakes: found, usable: options }
  const known = { ...pack.options, ...UNDOABLE }
  const mistakes = found.filter(({ option }) => options[option] !== null)
  const wrong = new Set(found.map(({ option }) => option))
  const right = Object.entries(options).filter(([name]) => !wrong.has(name))
  return {
    mistakes: mistakes.map(({ option, message }) => ({
      option,
      message: `${message} ${effectOf(option, known)}`,
    })),
    usable: { ...Object.fromEntries(right), ...usablePart(options, known) },
  }
}

/** For guards of every pack that stop what can be undone. */
const UNDOABLE: PackOptions = { undoable: { type: 'string', enum: ['ask', 'deny'] } }

function effectOf(option: string, known: PackOptions): string {
  const schema = Object.hasOwn(known, option) ? known[option] : undefined
  if (schema === undefined) return 'It has no effect.'
  return schema.ifWrong === undefined
    ? 'The default is used.'
    : `It counts as \`${JSON.stringify(schema.ifWrong)}\`.`
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
  module: PackModule | undefined,
): readonly Hook[] {
  const { wish, mode, level, undoable } = settled
  if (wish === undefined) return []
  // The option of a stronger layer wins. A weaker layer only adds options that are not set.
  const given: JsonObject = Object.assign({}, ...[...asked].reverse().map((each) => optionsOf(each, pack)))
  const options = withDefaults(given, pack.options ?? {})
  const wrong = asked.find((each) => each.wrong !== undefined && each.layer.trusted)?.wrong
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
      ...(module === undefined ? {} : { from: { ...module }, about: aboutOf(guard) }),
      ...(wrong === undefined ? {} : { failure: { kind: 'validation', message: wrong } }),
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

/**
 * A file that is not trusted may not name programs. Of a pack of others it sets no options at all: nobody can say
 * which value is the stricter one, so a project could weaken the pack.
 */
function optionsOf(
  { entry, mayRun, layer }: PackRequest,
  { programs = [], options, wrongOptions }: Pack,
): JsonObject {
  if (options !== undefined && wrongOptions === undefined && !layer.trusted) return {}
  if (mayRun || programs.length === 0) return entry.options
  return Object.fromEntries(Object.entries(entry.options).filter(([key]) => !programs.includes(key)))
}

function withoutModes(options: JsonObject): JsonObject {
  const { level: _level, guards: _guards, ...rest } = options
  return rest
}

/** What the pack itself defines. */
function ownOptions(options: JsonObject): JsonObject {
  const { undoable: _undoable, ...rest } = withoutWaivers(withoutModes(options))
  return rest
}

/** The packs that trusted layers take from modules, by id, with the module of each. */
export function packsOfOthers(layers: readonly Layer[]): {
  readonly packs: ReadonlyMap<string, Pack>
  readonly modules: ReadonlyMap<string, PackModule>
} {
  const packs = new Map<string, Pack>()
  const modules = new Map<string, PackModule>()
  for (const { from, found } of layers.flatMap((layer) => layer.packs)) {
    if (from === undefined || found?.kind !== 'described') continue
    const { guards, ...rest } = found.pack
    packs.set(found.pack.id, { ...rest, guards: guards.map(describedGuard) })
    modules.set(found.pack.id, from)
  }
  return { packs, modules }
}

/** A pack that nobody looked up is like one that could not be loaded. */
function failureOf({ pack, from, off, found, origin }: PackEntry): FailedPack | undefined {
  if (found?.kind === 'failed') return found
  if (from === undefined || off === true || found !== undefined) return undefined
  const message = `The pack \`${pack}\` from ${from.module} cannot be used here.`
  return { kind: 'failed', failure: 'import', problem: { code: 'PACK_FAILED', message, ...origin } }
}

type FailedPack = Extract<FoundPack, { kind: 'failed' }>

/**
 * A pack that cannot run might have denied any call. So every call is denied, except if the pack was never trusted:
 * then it passes with a notice, as for all code of a project that nobody has trusted.
 */
function failedPack(
  entry: PackEntry,
  { failure, problem }: FailedPack,
  { rank, trusted }: Layer,
): readonly Hook[] {
  const kinds = EVENT_KINDS.filter((kind) => lastResortOf(kind) === 'deny')
  return (failure === 'untrusted' ? (['PreToolUse'] as const) : kinds).map((on) => ({
    id: `${entry.pack}/pack`,
    on,
    match: {},
    actor: {},
    run: {
      type: 'guard',
      pack: entry.pack,
      guard: `${entry.pack}/pack`,
      mode: 'deny',
      unsure: 'deny',
      options: {},
      failure: { kind: failure, message: problem.message },
    },
    timeoutMs: GUARD_TIMEOUT_MS,
    onFailure: { ...DENY_ALL, untrusted: 'pass' },
    rewrites: false,
    grants: false,
    required: rank === 'managed',
    trusted: trusted && failure !== 'untrusted',
    rank,
    origin: entry.origin,
  }))
}

function aboutOf(guard: Guard): JsonObject {
  return describeGuard(guard) as unknown as JsonObject
}

function wrongOption(entry: PackEntry, { option, message }: OptionMistake): Problem {
  const origin = entry.optionOrigins?.[option] ?? {
    ...entry.origin,
    key: `${entry.origin.key ?? 'packs'}.${option}`,
  }
  return { code: 'CONFIG_VALUE', message: `Pack \`${entry.pack}\`: ${message}`, ...origin }
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

function weaker(guard: Guard, mode: Mode, best: Mode, wish: PackRequest, stronger: PackRequest): Problem {
  return {
    code: 'CONFIG_WEAKER',
    severity: 'warning',
    message: `\`${guard.id}: ${mode}\` is weaker than \`${best}\` in ${stronger.entry.origin.file}, so it has no effect.`,
    ...wish.entry.origin,
  }
}
