import type { HookEntry, Layer, Settings } from './config.ts'
import { lastResortOf } from './deadlines.ts'
import type { Problem } from './errors.ts'
import type { EventKind } from './event.ts'
import {
  FAILURE_KINDS,
  type FailurePolicy,
  type Hook,
  type OnFailure,
  RANKS,
  type Rank,
  type Run,
} from './hook.ts'
import type { Pack } from './packs/guard.ts'
import { guardHooks } from './plan-guards.ts'

/**
 * Compiled configuration: every default filled in, every hook in its order, indexed by kind and name. Plain JSON,
 * so that it can be cached and loaded by a process that never sees a configuration file.
 */
export interface Plan {
  readonly format: typeof PLAN_FORMAT
  /** Changes whenever a hook or setting does. */
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
  /** `forbidden`: managed policy lets no code of a project run; such hooks are not in the plan. */
  readonly projectCode: 'allowed' | 'forbidden'
  readonly journal: { readonly enabled: boolean; readonly keepDays: number; readonly keepMegabytes: number }
  readonly redact: readonly string[]
}

/** Raised whenever the shape of a plan changes, so that an old cache is not read. */
export const PLAN_FORMAT = 1

/** How long one run may take unless the hook says otherwise. */
const HANDLER_TIMEOUT_MS: Readonly<Record<string, number>> = { module: 2_000, command: 10_000, http: 5_000 }
const BUILT_IN_TIMEOUT_MS = 2_000

const DEFAULT_SETTINGS: PlanSettings = {
  stopBlocksMax: 3,
  projectCode: 'allowed',
  journal: { enabled: true, keepDays: 30, keepMegabytes: 256 },
  redact: [],
}

export function buildPlan(layers: readonly Layer[], packs: ReadonlyMap<string, Pack>): Plan {
  const ordered = [...layers].sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank))
  const settings = mergeSettings(ordered)
  const guards = guardHooks(ordered, packs, ({ rank, trusted }) => {
    return trusted && !(settings.projectCode === 'forbidden' && FOREIGN.has(rank))
  })
  const isForbidden = (entry: HookEntry, layer: Layer) =>
    settings.projectCode === 'forbidden' && isProjectCode(entry, layer.rank)
  const own = ordered.flatMap((layer) =>
    layer.hooks.filter((entry) => !isForbidden(entry, layer)).flatMap((entry) => compileEntry(entry, layer)),
  )
  const forbidden = ordered.flatMap((layer) => layer.hooks.filter((entry) => isForbidden(entry, layer)))
  const hooks = [...guards.hooks, ...own].sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank))
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

/** The ranks that come with a repository or with what others wrote. */
const FOREIGN: ReadonlySet<Rank> = new Set<Rank>(['project', 'local', 'plugin', 'frontmatter'])
const WITHOUT_CODE: ReadonlySet<string> = new Set(['guard', 'rule'])

/** Whether it names a program, a module or an address. A contract does when it has commands. */
export function namesCode(run: Run): boolean {
  return run.type === 'contract' ? run.command !== undefined : !WITHOUT_CODE.has(run.type)
}

/** Whether a hook is code that came with a project, whoever vouched for it. */
export function isProjectCode({ run }: Pick<HookEntry, 'run'>, rank: Rank): boolean {
  return FOREIGN.has(rank) && namesCode(run)
}

function forbiddenCode({ run, origin }: HookEntry): Problem {
  return {
    code: 'HOOK_UNTRUSTED',
    severity: 'warning',
    message: `Managed policy forbids code of projects, so this ${run.type} hook never runs.`,
    fix: 'Ask whoever manages this machine.',
    ...origin,
  }
}

/** An entry on several kinds becomes a hook for each. */
export function compileEntry(entry: HookEntry, layer: Pick<Layer, 'rank' | 'trusted'>): readonly Hook[] {
  const trusted = layer.trusted && entry.trusted !== false
  return entry.on.map((on) => ({
    id: entry.id ?? `${layer.rank}/${entry.origin.key ?? entry.run.type}`,
    on,
    match: entry.match,
    actor: entry.actor,
    run: entry.run,
    timeoutMs: entry.timeoutMs ?? HANDLER_TIMEOUT_MS[entry.run.type] ?? BUILT_IN_TIMEOUT_MS,
    onFailure: { ...defaultOnFailure(on), ...entry.onFailure },
    rewrites: entry.rewrites ?? false,
    ...(entry.shortCircuit === true ? { shortCircuit: true } : {}),
    // Only somebody who vouched for the file can hand out permissions.
    grants: (entry.grants ?? false) && trusted,
    required: entry.required ?? false,
    trusted,
    rank: layer.rank,
    origin: entry.origin,
  }))
}

/**
 * Where an act is about to happen a hook that cannot answer denies; elsewhere it passes, so that a session can
 * always stop. Code nobody vouched for does not run, and that alone must not stop the work: it passes with a notice.
 */
export function defaultOnFailure(on: EventKind): OnFailure {
  const policy: FailurePolicy = lastResortOf(on)
  const all = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, policy])) as OnFailure
  return { ...all, untrusted: 'pass' }
}

function mergeSettings(layers: readonly Layer[]): PlanSettings {
  let merged = DEFAULT_SETTINGS
  // Strongest layer last, so that its word stands.
  for (const { settings, trusted } of [...layers].reverse()) {
    // A file nobody vouched for sets nothing: not what is recorded, not what is hidden, not how often a gate holds.
    const given: Settings = trusted ? settings : {}
    merged = {
      projectCode: merged.projectCode,
      stopBlocksMax: given.stopBlocksMax ?? merged.stopBlocksMax,
      journal: { ...merged.journal, ...given.journal },
      redact: [...merged.redact, ...(given.redact ?? [])],
    }
  }
  const managed = layers.filter(({ rank }) => rank === 'managed')
  const isForbidden = managed.some(({ settings }) => settings.projectCode === 'forbidden')
  return isForbidden ? { ...merged, projectCode: 'forbidden' } : merged
}

export function indexHooks(hooks: readonly Hook[]): Plan['index'] {
  const index: Partial<Record<EventKind, { byName: Record<string, number[]>; rest: number[] }>> = {}
  for (const [order, hook] of hooks.entries()) {
    index[hook.on] ??= { byName: {}, rest: [] }
    const kind = index[hook.on]
    const { subject, orShellTool } = hook.match
    if (subject?.is !== 'names' || orShellTool === true) kind?.rest.push(order)
    else {
      for (const name of subject.names) {
        if (kind === undefined) continue
        const list = Object.hasOwn(kind.byName, name) ? kind.byName[name] : undefined
        if (list === undefined) Object.defineProperty(kind.byName, name, { value: [order], enumerable: true })
        else if (!list.includes(order)) list.push(order)
      }
    }
  }
  return index
}

/** A 64-bit mix in hex: tells revisions apart, protects nothing. */
export function fingerprint(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, 0x9e3779b1)
    low = Math.imul(low ^ unit, 0x5f356495)
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
