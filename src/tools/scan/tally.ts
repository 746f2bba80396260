import type { Effect } from '../../core/decision.ts'
import type { CallOutcome } from '../../core/transcript.ts'
import { nothingUnread, type Unread } from '../history/read-transcript.ts'

/**
 * What a scan has found so far. Two tallies of different sessions add up to one, so that threads can count apart; its size
 * depends on the number of guards, hosts and projects, never on the number of calls.
 */
export interface ScanTally<Call = StoppedCall> {
  calls: number
  sessions: number
  /** Verdicts that are not certain: see `Doubt`. */
  uncertain: number
  /** Calls that no verdict could be found for. */
  undecided: number
  effects: Record<Effect, number>
  /** Of the calls that would have been denied or asked about, those that ran. */
  ran: { deny: number; ask: number }
  hosts: Record<string, HostTally>
  guards: Record<string, GuardTally<Call>>
  projects: Record<string, number>
  unread: Unread
  bytes: number
  files: number
  /** Oldest and newest call, ISO. */
  first: string
  last: string
  /** Hooks of the policies that run programs, and were not run. */
  leftOut: string[]
  /** Projects whose configuration is broken. */
  broken: string[]
}

export interface HostTally {
  calls: number
  sessions: number
  versions: string[]
}

export interface GuardTally<Call = StoppedCall> {
  deny: number
  ask: number
  ran: number
  sessions: number
  /** The worst few, each text once. */
  worst: Call[]
}

/** A call that the policy would have stopped, already masked. */
export interface StoppedCall {
  readonly at: string
  readonly host: string
  readonly session: string
  readonly agent: string
  readonly cwd: string
  readonly tool: string
  readonly input: string
  readonly effect: 'deny' | 'ask'
  readonly guard: string
  readonly reason: string
  readonly uncertain: boolean
  readonly outcome: CallOutcome['outcome'] | 'unknown'
  readonly note?: string
  /** How often the same text was stopped. */
  readonly times: number
}

/**
 * A stopped call while its session is read. Masking its texts takes longer than all else about it, and newer calls push
 * most of them out again: so only what is left in the end is masked. Until then `input` is as it was.
 */
export interface OpenCall extends Omit<StoppedCall, 'reason'> {
  /** Masks them. */
  texts(): Pick<StoppedCall, 'input' | 'reason'>
}

export type OpenTally = ScanTally<OpenCall>

/** What a thread may tell: everything in it is masked. */
export function closeTally({ guards, ...tally }: OpenTally): ScanTally {
  const masked = ({ texts, ...call }: OpenCall): StoppedCall => ({ ...call, ...texts() })
  const closed = Object.entries(guards).map(([name, guard]): [string, GuardTally] => [
    name,
    { ...guard, worst: guard.worst.map(masked) },
  ])
  return { ...tally, guards: Object.fromEntries(closed) }
}

export function emptyTally<Call = StoppedCall>(): ScanTally<Call> {
  return {
    calls: 0,
    sessions: 0,
    uncertain: 0,
    undecided: 0,
    effects: { pass: 0, allow: 0, ask: 0, deny: 0 },
    ran: { deny: 0, ask: 0 },
    hosts: {},
    guards: {},
    projects: {},
    unread: nothingUnread(),
    bytes: 0,
    files: 0,
    first: '',
    last: '',
    leftOut: [],
    broken: [],
  }
}

/** Examples kept for each guard. */
const WORST_PER_GUARD = 5
const GUARDS_MAX = 1_000
const PROJECTS_MAX = 1_000
const NAMES_MAX = 50

/** The counters of one name. Names come from outside: beyond a bound they share one entry. */
function entryOf<T>(table: Record<string, T>, name: string, max: number, fresh: () => T): T {
  const key = Object.hasOwn(table, name) || Object.keys(table).length < max ? name : 'others'
  if (!Object.hasOwn(table, key)) {
    Object.defineProperty(table, key, {
      value: fresh(),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return table[key] as T
}

export function hostEntry(tally: Pick<ScanTally, 'hosts'>, host: string): HostTally {
  return entryOf(tally.hosts, host, NAMES_MAX, () => ({ calls: 0, sessions: 0, versions: [] }))
}

export function guardEntry<Call>(tally: ScanTally<Call>, guard: string): GuardTally<Call> {
  return entryOf(tally.guards, guard, GUARDS_MAX, () => ({ deny: 0, ask: 0, ran: 0, sessions: 0, worst: [] }))
}

export function countProject(tally: Pick<ScanTally, 'projects'>, project: string, calls: number): void {
  const name = Object.keys(tally.projects).length < PROJECTS_MAX ? project : 'others'
  const before = Object.hasOwn(tally.projects, name) ? (tally.projects[name] ?? 0) : 0
  Object.defineProperty(tally.projects, name, {
    value: before + calls,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

export function noteName(names: string[], name: string): void {
  if (names.length < NAMES_MAX && !names.includes(name)) names.push(name)
}

type RankedCall = Omit<StoppedCall, 'reason'>

/** Keeps a stopped call if it is among the worst of its guard. */
export function noteStopped<Call extends RankedCall>(guard: GuardTally<Call>, call: Call): void {
  const last = guard.worst[WORST_PER_GUARD - 1]
  const same = guard.worst.findIndex(({ input, effect }) => input === call.input && effect === call.effect)
  const other = guard.worst[same]
  if (other !== undefined) {
    const times = other.times + call.times
    guard.worst[same] = { ...(compareStopped(call, other) < 0 ? call : other), times }
  } else if (last !== undefined && compareStopped(call, last) > 0) return
  else guard.worst.push(call)
  guard.worst.sort(compareStopped)
  guard.worst.length = Math.min(guard.worst.length, WORST_PER_GUARD)
}

/** Worst first: what a policy denies and what ran anyway, then the newest. */
export function compareStopped(a: RankedCall, b: RankedCall): number {
  const heavier = weightOf(b) - weightOf(a)
  if (heavier !== 0) return heavier
  return newest(a) < newest(b) ? 1 : -1
}

const newest = ({ at, session, input }: RankedCall) => `${at} ${session} ${input}`

const OUTCOME_WEIGHT = { ran: 3, unknown: 2, failed: 1, unclear: 0.5, refused: 0 } as const

function weightOf({ effect, outcome, uncertain }: RankedCall): number {
  return (effect === 'deny' ? 4 : 0) + OUTCOME_WEIGHT[outcome] - (uncertain ? 0.5 : 0)
}

/** Adds `more`, which is of other sessions. */
export function addTally(sum: ScanTally, more: ScanTally): void {
  for (const key of ['calls', 'sessions', 'uncertain', 'undecided', 'bytes', 'files'] as const)
    sum[key] += more[key]
  for (const effect of ['pass', 'allow', 'ask', 'deny'] as const) sum.effects[effect] += more.effects[effect]
  sum.ran.deny += more.ran.deny
  sum.ran.ask += more.ran.ask
  for (const key of ['tooLong', 'garbled', 'cut', 'incomplete', 'files'] as const)
    sum.unread[key] += more.unread[key]
  for (const [name, host] of Object.entries(more.hosts)) {
    const into = hostEntry(sum, name)
    into.calls += host.calls
    into.sessions += host.sessions
    for (const version of host.versions) noteName(into.versions, version)
  }
  for (const [name, guard] of Object.entries(more.guards)) {
    const into = guardEntry(sum, name)
    for (const key of ['deny', 'ask', 'ran', 'sessions'] as const) into[key] += guard[key]
    for (const call of guard.worst) noteStopped(into, call)
  }
  for (const [name, calls] of Object.entries(more.projects)) countProject(sum, name, calls)
  if (more.first !== '' && (sum.first === '' || more.first < sum.first)) sum.first = more.first
  if (more.last > sum.last) sum.last = more.last
  for (const name of more.leftOut) noteName(sum.leftOut, name)
  for (const name of more.broken) noteName(sum.broken, name)
}
