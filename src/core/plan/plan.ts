import { lastResortOf } from '../deadlines.ts'
import type { Problem } from '../errors.ts'
import type { EventKind } from '../event.ts'
import { fingerprint } from '../fingerprint.ts'
import type { Pack } from '../guard.ts'
import type { KindOf } from '../handler-kind.ts'
import {
  FAILURE_KINDS,
  type FailurePolicy,
  type HandlerSpec,
  type Hook,
  type OnFailure,
  RANKS,
  type Rank,
} from '../hook.ts'
import { isObject } from '../json.ts'
import type { AskSettings, HookEntry, Layer, Settings, UserRight, UserRights } from '../layer.ts'
import { PLAN_FORMAT } from './format.ts'
import { indexHooks } from './index-hooks.ts'
import { applyOverrides } from './overrides.ts'
import { guardHooks } from './plan-guards.ts'

/**
 * The compiled configuration: with all defaults, all hooks in order, indexed by kind and name. Plain JSON, so that it
 * can be cached and loaded by a process that never reads a configuration file.
 */
export interface Plan {
  readonly format: typeof PLAN_FORMAT
  /** Changes when a hook or a setting changes. */
  readonly revision: string
  readonly hooks: readonly Hook[]
  readonly index: Readonly<Partial<Record<EventKind, KindIndex>>>
  readonly settings: PlanSettings
  readonly problems: readonly Problem[]
}

export interface KindIndex {
  /** Hooks whose subject is a plain name. */
  readonly byName: Readonly<Record<string, readonly number[]>>
  /** Hooks that match everything, or by pattern. */
  readonly rest: readonly number[]
}

export interface PlanSettings {
  readonly stopBlocksMax: number
  /** `forbidden`: managed policy forbids project code, so such hooks are not in the plan. */
  readonly projectCode: 'allowed' | 'forbidden'
  readonly ask: Required<AskSettings>
  readonly journal: {
    readonly enabled: boolean
    readonly keepDays: number
    readonly keepMegabytes: number
    /** Whether records contain the whole event, masked, so that it can be replayed. */
    readonly keepInput: boolean
  }
  readonly redact: readonly string[]
  readonly users: UserRights
  /** The variables of OpenTelemetry that are set. */
  readonly telemetry: Readonly<Record<string, string>>
}

export const DEFAULT_SETTINGS: PlanSettings = {
  stopBlocksMax: 3,
  projectCode: 'allowed',
  ask: { waitMs: 0, notify: true },
  journal: { enabled: true, keepDays: 30, keepMegabytes: 256, keepInput: false },
  redact: [],
  users: { exceptions: 'forbidden', pauses: 'forbidden', grants: 'allowed' },
  telemetry: {},
}

/** `kindOf` says what each way to run a hook declares. */
export function planOf(layers: readonly Layer[], packs: ReadonlyMap<string, Pack>, kindOf: KindOf): Plan {
  const ordered = [...layers].sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank))
  const settings = mergeSettings(ordered)
  const guards = guardHooks(ordered, packs, ({ rank, trusted }) => {
    return trusted && !(settings.projectCode === 'forbidden' && FOREIGN.has(rank))
  })
  const isForbidden = (entry: HookEntry, layer: Layer) =>
    settings.projectCode === 'forbidden' && isCodeOfProject(entry, layer.rank, kindOf)
  const own = ordered.flatMap((layer) => {
    const entries = layer.hooks.filter((entry) => !isForbidden(entry, layer))
    const compiled = entries.flatMap((entry) => entryHooks(entry, layer, kindOf))
    return applyOverrides(compiled, layer.overrides ?? [])
  })
  const forbidden = ordered.flatMap((layer) => layer.hooks.filter((entry) => isForbidden(entry, layer)))
  const mayGrant = (rank: Rank) => rank === 'managed' || settings.users.grants === 'allowed'
  const hooks = [...guards.hooks, ...own]
    .sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank))
    .map((hook) => (hook.grants && !mayGrant(hook.rank) ? { ...hook, grants: false } : hook))
  return {
    format: PLAN_FORMAT,
    revision: fingerprint(JSON.stringify([hooks, settings])),
    hooks,
    index: indexHooks(hooks),
    settings,
    problems: [
      ...ordered.flatMap((layer) => layer.problems),
      ...guards.problems,
      ...forbidden.map(forbiddenCode),
    ],
  }
}

/** The ranks whose files come with a repository or were written by others. */
const FOREIGN: ReadonlySet<Rank> = new Set<Rank>(['project', 'local', 'plugin', 'frontmatter'])

export function isProjectRank(rank: Rank): boolean {
  return FOREIGN.has(rank)
}

/** Whether a hook is code that came with a project, trusted or not. */
export function isCodeOfProject({ run }: Pick<HookEntry, 'run'>, rank: Rank, kindOf: KindOf): boolean {
  return FOREIGN.has(rank) && (kindOf(run).namesCode(run) || isUnreadCode(run))
}

/** An entry that could not be read, and was to run code. */
function isUnreadCode({ unread = null }: HandlerSpec): boolean {
  return isObject(unread) && unread.isCode === true
}

function forbiddenCode({ run, origin }: HookEntry): Problem {
  return {
    code: 'HOOK_UNTRUSTED',
    severity: 'warning',
    message: `Managed policy forbids code from projects, so this ${run.type} hook never runs.`,
    fix: 'Ask the administrator of this machine.',
    ...origin,
  }
}

/** An entry for several kinds becomes one hook for each. */
export function entryHooks(
  entry: HookEntry,
  layer: Pick<Layer, 'rank' | 'trusted'>,
  kindOf: KindOf,
): readonly Hook[] {
  const trusted = layer.trusted && entry.trusted !== false
  return entry.on.map((on) => ({
    id: entry.id ?? `${layer.rank}/${entry.origin.key ?? entry.run.type}`,
    on,
    match: entry.match,
    actor: entry.actor,
    run: entry.run,
    timeoutMs: entry.timeoutMs ?? kindOf(entry.run).timeoutMs,
    onFailure: { ...defaultOnFailure(on), ...entry.onFailure },
    rewrites: entry.rewrites ?? false,
    ...(entry.shortCircuit === true ? { shortCircuit: true } : {}),
    // Only a trusted file can set `grants`.
    grants: (entry.grants ?? false) && trusted,
    required: entry.required ?? false,
    trusted,
    rank: layer.rank,
    origin: entry.origin,
  }))
}

/**
 * Before a call, a hook that cannot answer denies. Elsewhere it passes, so that a session can always stop. Code that
 * is not trusted does not run, and that alone must not block the work: it passes with a notice.
 */
export function defaultOnFailure(on: EventKind): OnFailure {
  const policy: FailurePolicy = lastResortOf(on)
  const all = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, policy])) as OnFailure
  return { ...all, untrusted: 'pass' }
}

function mergeSettings(layers: readonly Layer[]): PlanSettings {
  let merged = DEFAULT_SETTINGS
  // Strongest layer last, so that its value wins.
  for (const { settings, trusted } of [...layers].reverse()) {
    // A file that is not trusted changes no settings: not the record, not the masking, not the number of blocked stops.
    const given: Settings = trusted ? settings : {}
    merged = {
      projectCode: merged.projectCode,
      stopBlocksMax: given.stopBlocksMax ?? merged.stopBlocksMax,
      ask: { ...merged.ask, ...given.ask },
      journal: { ...merged.journal, ...given.journal },
      redact: [...merged.redact, ...(given.redact ?? [])],
      users: merged.users,
      telemetry: { ...merged.telemetry, ...given.telemetry },
    }
  }
  const managed = layers.filter(({ rank }) => rank === 'managed')
  const isForbidden = managed.some(({ settings }) => settings.projectCode === 'forbidden')
  const users = userRights(managed)
  return isForbidden ? { ...merged, users, projectCode: 'forbidden' } : { ...merged, users }
}

/** What managed policy lets users do. If two managed files differ, the stricter one counts. */
export function userRights(layers: readonly Pick<Layer, 'rank' | 'settings'>[]): UserRights {
  const managed = layers.filter(({ rank }) => rank === 'managed')
  const right = (key: keyof UserRights): UserRight => {
    const said = managed.map(({ settings }) => settings.users?.[key])
    if (said.includes('forbidden')) return 'forbidden'
    return said.includes('allowed') ? 'allowed' : DEFAULT_SETTINGS.users[key]
  }
  return { exceptions: right('exceptions'), pauses: right('pauses'), grants: right('grants') }
}
