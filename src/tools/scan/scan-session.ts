import { isAbsolute, relative } from 'node:path'
import { type Event, toolOf } from '../../core/event.ts'
import type { Host } from '../../core/host.ts'
import { type Masker, redact } from '../../core/redact/redact.ts'
import type { TranscriptCall, TranscriptItem, TranscriptReader } from '../../core/transcript.ts'
import { type CallDecider, createCallDecider, type Verdict } from '../history/decide-call.ts'
import type { TranscriptFile, TranscriptSession } from '../history/find-transcripts.ts'
import type { ProjectPlans } from '../history/project-plans.ts'
import { readTranscript } from '../history/read-transcript.ts'
import type { PurePlan } from '../history/without-programs.ts'
import {
  countProject,
  guardEntry,
  hostEntry,
  noteName,
  noteStopped,
  type ScanTally,
  type StoppedCall,
} from './tally.ts'

export interface ScanContext {
  readonly plans: ProjectPlans
  host(id: string): Promise<{ readonly host: Host; readonly reader: TranscriptReader } | undefined>
  /** The user's home folder. */
  readonly home: string
  /** A monotonic clock in milliseconds. */
  now(): number
  /** ISO; older calls are left out. */
  readonly since?: string
  /** Only calls in this folder or below it. */
  readonly project?: string
  /** Called with the bytes of the session read so far. */
  onBytes?(bytes: number): void
}

/** Stopped calls that wait for their outcome. A session that leaves more of them open forgets the oldest. */
const WAITING_MAX = 10_000

export interface SessionScanner {
  scan(session: TranscriptSession, tally: ScanTally): Promise<void>
}

/** Counts the calls of sessions into a tally, one session after another. */
export function createSessionScanner(context: ScanContext): SessionScanner {
  const deciders = new Map<PurePlan, CallDecider>()
  const deciderOf = (plan: PurePlan) => {
    const known = deciders.get(plan)
    if (known !== undefined) return known
    const made = createCallDecider({ plan, home: context.home, now: context.now })
    deciders.set(plan, made)
    return made
  }
  return {
    async scan(session, tally) {
      const member = await context.host(session.host)
      if (member === undefined) return
      const visit: Visit = { tally, session, waiting: new Map(), guards: new Set(), calls: 0, before: 0 }
      for (const file of session.files) {
        await scanFile(file, member, visit, context, deciderOf)
        visit.before += file.bytes
      }
      for (const { stopped } of visit.waiting.values()) settle(stopped, { outcome: 'unknown' }, visit)
      tally.files += session.files.length
      tally.bytes += session.bytes
      if (visit.calls === 0) return
      tally.sessions += 1
      hostEntry(tally, session.host).sessions += 1
    },
  }
}

/** One session while it is read. */
interface Visit {
  readonly tally: ScanTally
  readonly session: TranscriptSession
  readonly waiting: Map<string, { readonly stopped: StoppedCall }>
  /** Guards that spoke in this session. */
  readonly guards: Set<string>
  calls: number
  /** Bytes of the files before this one. */
  before: number
  /** Where the session began: an agent that changes its folder does not change its rules. */
  project?: string
  plan?: PurePlan
}

async function scanFile(
  file: TranscriptFile,
  { host, reader }: { readonly host: Host; readonly reader: TranscriptReader },
  visit: Visit,
  context: ScanContext,
  deciderOf: (plan: PurePlan) => CallDecider,
): Promise<void> {
  const { tally } = visit
  const onBytes = (bytes: number) => context.onBytes?.(visit.before + bytes)
  for (const item of readTranscript(file.file, file.path, reader, tally.unread, { onBytes })) {
    if (item.kind === 'call') {
      if (isOutside(item.call, context)) continue
      visit.project ??= context.plans.projectOf(item.call.cwd)
      visit.plan ??= await planOf(visit, context)
      await scanCall(item.call, host, visit, visit.project, visit.plan, deciderOf(visit.plan))
    } else noteItem(item, visit)
  }
}

async function planOf({ project = '', tally }: Visit, { plans }: ScanContext): Promise<PurePlan> {
  const plan = await plans.planOf(project)
  for (const { id } of plan.leftOut) noteName(tally.leftOut, id)
  for (const each of plans.broken) noteName(tally.broken, each)
  return plan
}

function isOutside({ at, cwd }: TranscriptCall, { since, project }: ScanContext): boolean {
  if (since !== undefined && at < since) return true
  if (project === undefined) return false
  const below = relative(project, cwd)
  return below.startsWith('..') || isAbsolute(below)
}

function noteItem(item: TranscriptItem, visit: Visit): void {
  if (item.kind === 'version')
    noteName(hostEntry(visit.tally, visit.session.host).versions, item.version.slice(0, 40))
  if (item.kind !== 'outcome') return
  const known = visit.waiting.get(item.useId)
  if (known === undefined) return
  visit.waiting.delete(item.useId)
  settle(known.stopped, item, visit)
}

async function scanCall(
  call: TranscriptCall,
  host: Host,
  visit: Visit,
  project: string,
  plan: PurePlan,
  decider: CallDecider,
): Promise<void> {
  const { tally } = visit
  visit.calls += 1
  tally.calls += 1
  hostEntry(tally, visit.session.host).calls += 1
  countProject(tally, project)
  if (tally.first === '' || call.at < tally.first) tally.first = call.at
  if (call.at > tally.last) tally.last = call.at
  const decoded = host.decode({ payload: JSON.stringify(call.payload), cwd: call.cwd })
  if (!decoded.ok) {
    tally.undecided += 1
    return
  }
  const verdict = await verdictOn(decoded.value, project, call.at, decider)
  if (verdict === undefined) {
    tally.undecided += 1
    return
  }
  tally.effects[verdict.effect] += 1
  if (verdict.doubts.length > 0) tally.uncertain += 1
  if (verdict.effect !== 'deny' && verdict.effect !== 'ask') return
  const guard = guardEntry(tally, verdict.by ?? 'unknown')
  guard[verdict.effect] += 1
  if (!visit.guards.has(verdict.by ?? '')) guard.sessions += 1
  visit.guards.add(verdict.by ?? '')
  wait(call.useId, stoppedCall(call, decoded.value, verdict, verdict.effect, plan.maskers), visit)
}

async function verdictOn(
  event: Event,
  project: string,
  at: string,
  decider: CallDecider,
): Promise<Verdict | undefined> {
  const time = new Date(at)
  try {
    return await decider.decide(event, project, Number.isNaN(time.getTime()) ? new Date(0) : time)
  } catch {
    return undefined
  }
}

function wait(useId: string, stopped: StoppedCall, visit: Visit): void {
  visit.waiting.set(useId, { stopped })
  if (visit.waiting.size <= WAITING_MAX) return
  const [oldest] = visit.waiting
  if (oldest === undefined) return
  visit.waiting.delete(oldest[0])
  settle(oldest[1].stopped, { outcome: 'unknown' }, visit)
}

function settle(
  stopped: StoppedCall,
  { outcome, note }: { readonly outcome: StoppedCall['outcome']; readonly note?: string },
  { tally }: Visit,
): void {
  const guard = guardEntry(tally, stopped.guard)
  if (outcome === 'ran') {
    guard.ran += 1
    tally.ran[stopped.effect] += 1
  }
  noteStopped(guard, { ...stopped, outcome, ...(note === undefined ? {} : { note: redact(note) }) })
}

const INPUT_MAX = 300
const REASON_MAX = 400
/** Masking reads every character: what is far longer than what is shown is cut before it, with room at the edge. */
const MASKED_MAX = 4_000

function stoppedCall(
  call: TranscriptCall,
  event: Event,
  verdict: Verdict,
  effect: 'deny' | 'ask',
  maskers: readonly Masker[],
): StoppedCall {
  const mask = (text: string, max: number) => redact(text.slice(0, MASKED_MAX), maskers).slice(0, max)
  const tool = toolOf(event)
  const command = tool?.input.command
  const input = typeof command === 'string' ? command : JSON.stringify(tool?.input ?? {})
  return {
    at: call.at.slice(0, 30),
    host: event.host,
    session: mask(call.session, 80),
    agent: mask(call.agentType ?? (call.agentId === undefined ? 'main' : 'sub-agent'), 80),
    cwd: mask(call.cwd, INPUT_MAX),
    tool: mask(tool?.name ?? '', 80),
    input: mask(input, INPUT_MAX),
    effect,
    guard: verdict.by ?? 'unknown',
    reason: mask(verdict.reason ?? '', REASON_MAX),
    uncertain: verdict.doubts.length > 0,
    outcome: 'unknown',
    times: 1,
  }
}
