import type { Effect } from '../../core/decision.ts'
import type { TranscriptVersions } from '../../core/transcript.ts'
import type { Unread } from '../history/read-transcript.ts'
import { compareStopped, type ScanTally, type StoppedCall } from './tally.ts'

/** What a scan says: the same for the terminal, for a program and for a page. Everything in it is masked. */
export interface ScanReport {
  readonly format: 1
  /** ISO; undefined: everything there is. */
  readonly since?: string
  readonly at: string
  readonly calls: number
  readonly sessions: number
  /** Calls whose verdict might have been another one, and why. */
  readonly uncertain: number
  readonly effects: Readonly<Record<Effect, number>>
  /** Of the calls that would have been stopped or asked about, those that ran. */
  readonly ran: { readonly deny: number; readonly ask: number }
  readonly hosts: readonly ScannedHost[]
  readonly projects: readonly { readonly project: string; readonly calls: number }[]
  readonly worst: readonly StoppedCall[]
  readonly guards: readonly NoisyGuard[]
  readonly notRead: Unread & { readonly undecided: number; readonly links: number }
  readonly leftOut: readonly string[]
  readonly broken: readonly string[]
  readonly next: readonly NextStep[]
}

export interface ScannedHost {
  readonly host: string
  readonly title: string
  readonly calls: number
  readonly sessions: number
  readonly versions: readonly string[]
  /** Versions whose transcripts nobody has compared with the reader. */
  readonly unknownVersions: readonly string[]
}

export interface NoisyGuard {
  readonly guard: string
  readonly deny: number
  readonly ask: number
  readonly ran: number
  readonly sessions: number
}

export interface NextStep {
  readonly why: string
  /** A command or a fragment of YAML. */
  readonly do: string
}

export interface ReportContext {
  readonly since?: string
  readonly at: string
  /** Whether hooks are installed on this machine. */
  readonly installed: boolean
  /** Links and folders that were not entered. */
  readonly skipped: number
  readonly hosts: readonly {
    readonly id: string
    readonly title: string
    readonly versions: TranscriptVersions
  }[]
  /** Shortens and masks the name of a folder. */
  folder(path: string): string
}

const WORST_SHOWN = 10
const WORST_PER_GUARD = 3
const PROJECTS_SHOWN = 20

export function buildScanReport(tally: ScanTally, context: ReportContext): ScanReport {
  const guards = Object.entries(tally.guards)
    .map(([guard, { deny, ask, ran, sessions }]) => ({ guard, deny, ask, ran, sessions }))
    .sort((a, b) => b.deny + b.ask - (a.deny + a.ask) || (a.guard < b.guard ? -1 : 1))
  return {
    format: 1,
    ...(context.since === undefined ? {} : { since: context.since }),
    at: context.at,
    calls: tally.calls,
    sessions: tally.sessions,
    uncertain: tally.uncertain,
    effects: tally.effects,
    ran: tally.ran,
    hosts: Object.entries(tally.hosts).map(([id, { calls, sessions, versions }]) => {
      const known = context.hosts.find((each) => each.id === id)
      return {
        host: id,
        title: known?.title ?? id,
        calls,
        sessions,
        versions,
        unknownVersions: versions.filter((version) => !isKnown(version, known?.versions)),
      }
    }),
    projects: Object.entries(tally.projects)
      .map(([project, calls]) => ({ project: context.folder(project), calls }))
      .sort((a, b) => b.calls - a.calls)
      .slice(0, PROJECTS_SHOWN),
    worst: worstOf(tally, context),
    guards,
    notRead: { ...tally.unread, undecided: tally.undecided, links: context.skipped },
    leftOut: tally.leftOut,
    broken: tally.broken.map(context.folder),
    next: nextSteps(tally, guards, context),
  }
}

/** Several guards rather than one many times. */
function worstOf({ guards }: ScanTally, { folder }: ReportContext): readonly StoppedCall[] {
  return Object.values(guards)
    .flatMap(({ worst }) => worst.slice(0, WORST_PER_GUARD))
    .sort(compareStopped)
    .slice(0, WORST_SHOWN)
    .map((call) => ({ ...call, cwd: folder(call.cwd) }))
}

/** The format of a version between the oldest and the recorded one is known; of others it is a guess. */
export function isKnown(version: string, versions: TranscriptVersions | undefined): boolean {
  if (versions === undefined) return false
  const { named } = versions
  if (named !== undefined) return named !== 'nothing' && version === named.format
  return compareVersions(version, versions.since) >= 0 && compareVersions(version, versions.recorded) <= 0
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((each) => each.split(/[.+-]/).map(Number))
  for (let at = 0; at < 3; at += 1) {
    const [x, y] = [left?.[at] ?? 0, right?.[at] ?? 0]
    // Not a number: a version nobody knows is newer than all.
    if (x !== y) return Number.isNaN(x) || x > y ? 1 : -1
  }
  return 0
}

/** Fewer are no reason to change a policy. */
const QUIET_MIN = 10

function nextSteps(
  { calls, effects }: ScanTally,
  guards: readonly NoisyGuard[],
  { installed }: ReportContext,
): readonly NextStep[] {
  const steps: NextStep[] = []
  if (!installed && calls > 0) {
    steps.push({
      why: 'Install the hooks, so that these calls are stopped before they run:',
      do: 'npx holdpoint init',
    })
  }
  if (installed && effects.deny + effects.ask > 0) {
    steps.push({
      why: 'Compare the transcripts with what Holdpoint decided at the time:',
      do: 'holdpoint audit',
    })
  }
  // Only a guard that asks, and whose questions people answered with yes, is noise.
  const noisy = guards.find(({ deny, ask, ran }) => deny === 0 && ask >= QUIET_MIN && ran === ask)
  if (noisy !== undefined) {
    const [pack = ''] = noisy.guard.split('/')
    steps.push({
      why: `All ${noisy.ask} calls that \`${noisy.guard}\` would have asked about ran. If they are fine, only warn about them:`,
      do: `packs:\n  ${pack}: { guards: { ${noisy.guard}: warn } }`,
    })
  }
  return steps
}
