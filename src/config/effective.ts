import type { Problem } from '../core/errors.ts'
import { waiversOf } from '../core/exceptions.ts'
import { LEVELS, type Level, type Mode, type Pack } from '../core/guard.ts'
import { guardRunOf } from '../core/guard-run.ts'
import type { Hook, Origin, Rank } from '../core/hook.ts'
import { isObject } from '../core/json.ts'
import type { Layer, Settings } from '../core/layer.ts'
import { DEFAULT_SETTINGS, type Plan, type PlanSettings } from '../core/plan/plan.ts'

/** The policy that applies after all layers are combined, with the place that each value comes from. */
export interface EffectivePolicy {
  readonly revision: string
  readonly layers: readonly EffectiveLayer[]
  readonly packs: readonly EffectivePack[]
  /** Rules, hooks and contracts, in the order they run. */
  readonly entries: readonly EffectiveEntry[]
  readonly settings: readonly EffectiveSetting[]
  readonly problems: readonly Problem[]
}

export interface EffectiveLayer {
  readonly rank: Rank
  readonly file: string
  readonly trusted: boolean
}

export interface EffectivePack {
  readonly pack: string
  readonly title: string
  readonly on: boolean
  /** Switched on by default unless a file of the user decides otherwise. */
  readonly isDefault: boolean
  readonly level?: Level
  /** Where it is switched on, or where it is switched off. Missing: no file names it. */
  readonly from?: Origin
  readonly rank?: Rank
  /** The end of the pause of this pack. */
  readonly pausedUntilMs?: number
  readonly guards: readonly EffectiveGuard[]
}

export interface EffectiveGuard {
  readonly id: string
  readonly mode: Mode
  /** The place that decides the mode. Missing: the pack is off. */
  readonly from?: Origin
  /** True if a file sets the mode of this guard; false if its level does. */
  readonly isSet: boolean
}

export interface EffectiveEntry {
  readonly id: string
  readonly kind: string
  readonly on: readonly string[]
  readonly trusted: boolean
  readonly from: Origin
}

export interface EffectiveSetting {
  readonly key: string
  readonly value: unknown
  /** Missing: the default. */
  readonly from?: string
}

export const DEFAULT_PACKS: readonly string[] = ['safety', 'secrets', 'self']

/** `effectivePolicy(compiled.plan, compiled.layers, packs)`: the plan in a form for users. */
export function effectivePolicy(
  plan: Plan,
  layers: readonly Layer[],
  packs: ReadonlyMap<string, Pack>,
): EffectivePolicy {
  return {
    revision: plan.revision,
    layers: layers.map(({ rank, file, trusted }) => ({ rank, file, trusted })),
    packs: [...packs.values()].map((pack) => packOf(pack, plan, layers)),
    entries: entriesOf(plan),
    settings: settingsOf(plan.settings, layers),
    problems: plan.problems,
  }
}

function packOf(pack: Pack, plan: Plan, layers: readonly Layer[]): EffectivePack {
  const named = layers.flatMap((layer) =>
    layer.packs.filter((entry) => entry.pack === pack.id).map((entry) => ({ layer, entry })),
  )
  const wishes = named.filter(({ entry }) => entry.off !== true)
  const about = { pack: pack.id, title: pack.title, isDefault: DEFAULT_PACKS.includes(pack.id) }
  const [first] = wishes
  if (first === undefined) {
    const off = named[0]
    return {
      ...about,
      ...(off === undefined ? {} : { from: off.entry.origin, rank: off.layer.rank }),
      on: false,
      // Listed only on request: most packs are off, and their files are not loaded for their names alone.
      get guards() {
        return pack.guards.map(({ id }) => ({ id, mode: 'off' as const, isSet: false }))
      },
    }
  }
  const levels = wishes.map(({ entry }) => entry.options.level)
  const hooks = new Map(
    plan.hooks.filter(({ run }) => guardRunOf(run) !== undefined).map((hook) => [hook.id, hook] as const),
  )
  const own = [...hooks.values()].filter(({ run }) => run.pack === pack.id)
  const pausedUntilMs = Math.max(0, ...own.map(({ run }) => waiversOf(run).pausedUntilMs))
  return {
    ...about,
    on: true,
    level: LEVELS.findLast((level) => levels.includes(level)) ?? 'standard',
    from: first.entry.origin,
    rank: first.layer.rank,
    ...(pausedUntilMs === 0 ? {} : { pausedUntilMs }),
    guards: pack.guards.map(({ id }) =>
      guardOf(
        id,
        hooks.get(id),
        wishes.map(({ entry }) => entry),
      ),
    ),
  }
}

function guardOf(id: string, hook: Hook | undefined, entries: Layer['packs']): EffectiveGuard {
  const mode = (hook?.run.mode ?? 'off') as Mode
  const setting = entries.find(({ pack, options: { guards } }) => {
    const value = isObject(guards) ? (guards[id] ?? guards[id.slice(pack.length + 1)]) : undefined
    return value === mode
  })
  const from = setting?.origin ?? hook?.origin ?? entries[0]?.origin
  return { id, mode, isSet: setting !== undefined, ...(from === undefined ? {} : { from }) }
}

/** A configured entry on several events is one entry here. */
function entriesOf(plan: Plan): readonly EffectiveEntry[] {
  const entries = new Map<string, EffectiveEntry>()
  for (const hook of plan.hooks) {
    if (guardRunOf(hook.run) !== undefined) continue
    const key = JSON.stringify([hook.id, hook.origin])
    const known = entries.get(key)
    entries.set(key, {
      id: hook.id,
      kind: hook.run.type,
      on: [...(known?.on ?? []), hook.on],
      trusted: hook.trusted,
      from: hook.origin,
    })
  }
  return [...entries.values()]
}

function settingsOf(settings: PlanSettings, layers: readonly Layer[]): readonly EffectiveSetting[] {
  const trusted = layers.filter((layer) => layer.trusted)
  const setting = (key: string, value: unknown, given: (settings: Settings) => unknown): EffectiveSetting => {
    const files = trusted.filter((layer) => given(layer.settings) !== undefined).map(({ file }) => file)
    // The patterns of all files are masked. For every other setting the strongest file decides.
    const from = key === 'redact' ? files.join(', ') : files[0]
    return { key, value, ...(from === undefined || from === '' ? {} : { from }) }
  }
  return [
    setting('projectCode', settings.projectCode, ({ projectCode }) => projectCode),
    setting('stopBlocksMax', settings.stopBlocksMax, ({ stopBlocksMax }) => stopBlocksMax),
    setting('ask.waitMs', settings.ask.waitMs, ({ ask }) => ask?.waitMs),
    setting('ask.notify', settings.ask.notify, ({ ask }) => ask?.notify),
    ...(Object.keys(DEFAULT_SETTINGS.journal) as (keyof PlanSettings['journal'])[]).map((key) =>
      setting(`journal.${key}`, settings.journal[key], ({ journal }) => journal?.[key]),
    ),
    setting('redact', settings.redact, ({ redact }) => redact),
    ...(Object.keys(DEFAULT_SETTINGS.users) as (keyof PlanSettings['users'])[]).map((key) =>
      setting(`users.${key}`, settings.users[key], ({ users }) => users?.[key]),
    ),
    // Only the names: a value may be a secret.
    setting('telemetry', Object.keys(settings.telemetry), ({ telemetry }) => telemetry),
  ]
}
