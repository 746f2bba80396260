import { isAbsolute, relative } from 'node:path'
import { type Event, toolOf } from '../../core/event.ts'
import type { Host } from '../../core/host.ts'
import { oncePerText } from '../../core/once-per-text.ts'
import { redact } from '../../core/redact/redact.ts'
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
  type OpenCall,
  type OpenTally,
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
  scan(session: TranscriptSession, tally: OpenTally): Promise<void>
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
      tally.calls += visit.calls
      tally.sessions += 1
      const host = hostEntry(tally, session.host)
      host.calls += visit.calls
      host.sessions += 1
      countProject(tally, visit.project ?? '', visit.calls)
    },
  }
}

/** One session while it is read. */
interface Visit {
  readonly tally: OpenTally
  readonly session: TranscriptSession
  readonly waiting: Map<string, { readonly stopped: OpenCall }>
  /** Guards that spoke in this session. */
  readonly guards: Set<string>
  calls: number
  /** Bytes of the files before this one. */
  before: number
  /** Where the session began: an agent that changes its folder does not change its rules. */
  project?: string
  policy?: Policy
}

/** What the calls of one session are decided with. */
interface Policy {
  readonly decider: CallDecider
  mask(text: string): string
  /** The same for what repeats from call to call. */
  maskName(text: string): string
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
      visit.policy ??= await policyOf(visit, context, deciderOf)
      // Most calls are decided at once: waiting for each would cost as much as reading it.
      const pending = scanCall(item.call, host, visit, visit.project, visit.policy)
      if (pending !== undefined) await pending
    } else noteItem(item, visit)
  }
}

async function policyOf(
  { project = '', tally }: Visit,
  { plans }: ScanContext,
  deciderOf: (plan: PurePlan) => CallDecider,
): Promise<Policy> {
  const plan = await plans.planOf(project)
  for (const { id } of plan.leftOut) noteName(tally.leftOut, id)
  for (const each of plans.broken) noteName(tally.broken, each)
  const mask = (text: string) => redact(text.slice(0, MASKED_MAX), plan.maskers)
  return { decider: deciderOf(plan), mask, maskName: oncePerText(mask) }
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

function scanCall(
  call: TranscriptCall,
  host: Host,
  visit: Visit,
  project: string,
  policy: Policy,
): Promise<void> | undefined {
  const { tally } = visit
  visit.calls += 1
  if (tally.first === '' || call.at < tally.first) tally.first = call.at
  if (call.at > tally.last) tally.last = call.at
  const decoded = host.decode({ payload: JSON.stringify(call.payload), cwd: call.cwd })
  const verdict = decoded.ok ? verdictOn(decoded.value, project, call.at, policy.decider) : undefined
  const note = (found: Verdict | undefined) => {
    if (!decoded.ok || found === undefined) tally.undecided += 1
    else noteVerdict(found, call, decoded.value, visit, policy)
  }
  if (verdict instanceof Promise) return verdict.then(note)
  note(verdict)
  return undefined
}

/** Undefined: a fault of the program must not end the scan. */
function verdictOn(
  event: Event,
  project: string,
  at: string,
  decider: CallDecider,
): Verdict | undefined | Promise<Verdict | undefined> {
  const time = new Date(at)
  try {
    const verdict = decider.decide(event, project, Number.isNaN(time.getTime()) ? new Date(0) : time)
    return verdict instanceof Promise ? verdict.catch(() => undefined) : verdict
  } catch {
    return undefined
  }
}

function noteVerdict(
  verdict: Verdict,
  call: TranscriptCall,
  event: Event,
  visit: Visit,
  policy: Policy,
): void {
  const { tally } = visit
  tally.effects[verdict.effect] += 1
  if (verdict.doubts.length > 0) tally.uncertain += 1
  if (verdict.effect !== 'deny' && verdict.effect !== 'ask') return
  const guard = guardEntry(tally, verdict.by ?? 'unknown')
  guard[verdict.effect] += 1
  if (!visit.guards.has(verdict.by ?? '')) guard.sessions += 1
  visit.guards.add(verdict.by ?? '')
  wait(call.useId, stoppedCall(call, event, verdict, verdict.effect, policy), visit)
}

function wait(useId: string, stopped: OpenCall, visit: Visit): void {
  visit.waiting.set(useId, { stopped })
  if (visit.waiting.size <= WAITING_MAX) return
  const [oldest] = visit.waiting
  if (oldest === undefined) return
  visit.waiting.delete(oldest[0])
  settle(oldest[1].stopped, { outcome: 'unknown' }, visit)
}

function settle(
  stopped: OpenCall,
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
  { by, reason = '', doubts }: Verdict,
  effect: 'deny' | 'ask',
  { mask, maskName }: Policy,
): OpenCall {
  const tool = toolOf(event)
  const command = tool?.input.command
  const input = cut(typeof command === 'string' ? command : JSON.stringify(tool?.input ?? {}))
  const agent = call.agentType ?? (call.agentId === undefined ? 'main' : 'sub-agent')
  return {
    at: call.at.slice(0, 30),
    host: event.host,
    session: maskName(call.session).slice(0, 80),
    agent: maskName(agent).slice(0, 80),
    cwd: maskName(call.cwd).slice(0, INPUT_MAX),
    tool: maskName(tool?.name ?? '').slice(0, 80),
    input,
    effect,
    guard: by ?? 'unknown',
    texts: () => ({ input: mask(input).slice(0, INPUT_MAX), reason: mask(reason).slice(0, REASON_MAX) }),
    uncertain: doubts.length > 0,
    outcome: 'unknown',
    times: 1,
  }
}

/** A part of a long text, and nothing that keeps the whole of it in memory. */
function cut(text: string): string {
  return text.length <= MASKED_MAX ? text : Buffer.from(text.slice(0, MASKED_MAX)).toString()
}
