import type { Approval, AskPerson } from '../core/approval.ts'
import { deadlinesOf, lastResortOf } from '../core/deadlines.ts'
import type { Decision, Reply } from '../core/decision.ts'
import { NO_OPINION } from '../core/engine/combine.ts'
import type { Problem, Result } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { pausedNow } from '../core/exceptions.ts'
import { type Abilities, type Host, NO_ABILITIES } from '../core/host.ts'
import type { StateStore } from '../core/state/state.ts'
import { findHost } from '../hosts/find-host.ts'
import { readHoles } from '../storage/journal/holes.ts'
import type { JournalRecord } from '../storage/journal/store.ts'
import { type Home, logsFolder, systemHome } from '../system/home.ts'
import { liveFacts } from '../system/live-facts.ts'
import { probeSession } from '../system/probe-mark.ts'
import { findProject } from '../system/project.ts'
import { type AskedCall, askedCall } from './asked-call.ts'
import { decideEvent } from './decide-event.ts'
import { lastResort, undecided } from './last-resort.ts'
import { type LoadedPlan, type LoadedPlans, loadPlan, type PlanOptions } from './load-plan.ts'
import { isLeftToSettings } from './plugin-call.ts'
import { presentDecision, withUnsigned } from './presentation.ts'
import { decideProbe, isProbeEvent } from './probe.ts'
import { projectOf } from './project-of.ts'
import { recordOf } from './record.ts'
import { newRecordId } from './record-id.ts'

/**
 * Answers the events of hosts: decodes the payload, finds the project's plan, decides, encodes the reply. The
 * hook, the daemon and the MCP gate use it. It reads nothing from `process`: what the caller's process knows
 * is in the request.
 */
export interface ResponderOptions extends PlanOptions {
  readonly state: StateStore
  /** A monotonic clock in milliseconds. */
  now(): number
  /** Puts questions that reach no user to a person. Missing: such questions are denied. */
  readonly approver?: Approver
}

/** Asks a person of this home, for at most this long. */
export type Approver = (home: Home, call: AskedCall, waitMs: number) => Promise<Approval>

export interface HookRequest {
  readonly host: string
  readonly payload: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly event?: string
  readonly skills: readonly string[]
  readonly onFailure?: 'deny' | 'pass'
  /**
   * The time within which the whole process must answer, counted from `startedMs`. Missing: the event's own
   * deadline.
   */
  readonly deadlineMs?: number
  /** The hook belongs to the plugin. */
  readonly via?: 'plugin'
  /** When the process started, on the responder's clock. */
  readonly startedMs?: number
}

export interface HookResponse {
  readonly reply: Reply
  /**
   * Builds the record for the journal after the reply is written, because masking takes time. Undefined: no
   * record.
   */
  record(): JournalRecord | undefined
}

/** An event that was not decoded by a host: it comes with what its sender supports. */
export interface EventRequest {
  readonly event: Event
  readonly can: Abilities
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly skills: readonly string[]
  readonly deadlineMs?: number
}

export interface ResponseRecord {
  /**
   * Fitted to what the sender supports, and committed. If nothing could be decided, the event's last resort.
   */
  readonly decision: Decision
  /** As in `HookResponse`. */
  record(): JournalRecord | undefined
}

export interface Responder {
  /** One event of a host: bytes in, bytes out. Never throws. */
  respond(request: HookRequest): Promise<HookResponse>
  /** The same for an event that is already decoded: returns a decision. Never throws. */
  decide(request: EventRequest): Promise<ResponseRecord>
  /** The answer if the payload itself could not be read. */
  refuse(request: Omit<HookRequest, 'payload'>, problem: Problem): Promise<HookResponse>
  plan(project: string): Promise<Result<LoadedPlan>>
}

export function createResponder(options: ResponderOptions): Responder {
  const loaded: LoadedPlans = new Map()
  const load = (project: string) => loadPlan(project, options, loaded)
  return {
    plan: load,
    refuse: (request, problem) => refuse(request, problem, undefined),
    respond: (request) => respond(request, options, load),
    decide: (request) => decide(request, options, load),
  }
}

async function respond(
  request: HookRequest,
  options: ResponderOptions,
  load: (project: string) => Promise<Result<LoadedPlan>>,
): Promise<HookResponse> {
  const host = await findHost(request.host)
  if (!host.ok) return refuse(request, host.problem, undefined)
  const sender = host.value.answersAs?.(request.payload)
  if (sender !== undefined) return respond({ ...request, host: sender }, options, load)
  let known: Event | undefined
  try {
    const probe = probeSession(request.payload, options.home)
    const event = host.value.decode(request)
    if (!event.ok) {
      const named = host.value.eventNamed(request.payload) ?? request.event
      const asked = { ...request, ...(named === undefined ? {} : { event: named }) }
      const refused = await refuse(asked, event.problem, undefined)
      return probe === undefined ? refused : unrecorded(refused.reply)
    }
    known = event.value
    if (probe !== undefined && isProbeEvent(known, probe))
      return await answerProbe(host.value, known, request, load)
    // A hook with its own configuration cannot replace another one.
    const mayShare = options.config === undefined
    if (mayShare && (await isLeftToSettings(host.value, known, request, options.home)))
      return unrecorded(host.value.encode(NO_OPINION, known))
    return await answer(host.value, event.value, request, options, load)
  } catch (error) {
    return refuse(request, internal(error), known)
  }
}

/** For a call that another hook answers and records, and for probes. */
function unrecorded(reply: Reply): HookResponse {
  return { reply, record: () => undefined }
}

/** A probe is answered only if the project has a plan, as a real event is. */
async function answerProbe(
  host: Host,
  event: Event,
  request: HookRequest,
  load: (project: string) => Promise<Result<LoadedPlan>>,
): Promise<HookResponse> {
  const named = host.projectVariable === undefined ? undefined : request.env[host.projectVariable]
  const plan = await load(findProject(named || request.cwd))
  const reply = plan.ok
    ? host.encode(decideProbe(event, abilitiesAt(host, event)), event)
    : (await refuse(request, plan.problem, event)).reply
  return unrecorded(reply)
}

async function decide(
  request: EventRequest,
  options: ResponderOptions,
  load: (project: string) => Promise<Result<LoadedPlan>>,
): Promise<ResponseRecord> {
  const made = () => ({ id: newRecordId(), at: new Date() })
  const startedMs = options.now()
  try {
    const plan = await load(request.project)
    if (!plan.ok) return undecided(request.event, plan.problem, lastResortOf(request.event.kind), made())
    return await decideBy(plan.value, { ...request, startedMs, begunMs: startedMs }, options)
  } catch (error) {
    return undecided(request.event, internal(error), lastResortOf(request.event.kind), made())
  }
}

async function answer(
  host: Host,
  event: Event,
  request: HookRequest,
  options: ResponderOptions,
  load: (project: string) => Promise<Result<LoadedPlan>>,
): Promise<HookResponse> {
  const begunMs = options.now()
  const where = projectOf(host, event, request, options.state)
  const plan = await load(where.project)
  if (!plan.ok) return refuse(request, plan.problem, event)
  const { deliversTwice, stopsUnmarked = false, tellsAlways = false } = host
  const can = abilitiesAt(host, event)
  const isHeadless = host.isHeadless?.(request.env) === true
  const asked = {
    ...{ ...request, ...where, event, can, deliversTwice, stopsUnmarked, tellsAlways, begunMs },
    ...(isHeadless ? { headless: 'headless' } : {}),
  }
  const { decision, record } = await decideBy(plan.value, asked, options)
  return { reply: host.encode(decision, event), record }
}

interface Asked extends EventRequest {
  readonly pinProject?: string
  readonly deliversTwice?: boolean
  readonly stopsUnmarked?: boolean
  readonly tellsAlways?: boolean
  readonly headless?: string
  /** As in `HookRequest`. */
  readonly startedMs?: number
  /** The start of the time in the record. */
  readonly begunMs: number
}

async function decideBy(
  loaded: LoadedPlan,
  asked: Asked,
  options: ResponderOptions,
): Promise<ResponseRecord> {
  const { event, project, env, can, skills, pinProject, deliversTwice = false, stopsUnmarked } = asked
  const { plan, engine, maskers } = loaded
  const facts = liveFacts({ cwd: event.cwd, home: env.HOME || systemHome(), project, env })
  const decided = await decideEvent(event, {
    engine,
    state: options.state,
    facts,
    maskers,
    stopBlocksMax: plan.settings.stopBlocksMax,
    now: options.now,
    can,
    skills,
    deliversTwice,
    stopsUnmarked,
    entry: [...(options.packs ?? []), ...skills].join(' '),
    pinProject,
    budgetMs: budgetOf(event, asked, options.now()),
    askPerson: askPersonOf(loaded, asked, options),
    headless: asked.headless,
    logs: logsFolder(options.home),
  })
  const isStart = event.kind === 'SessionStart'
  const holes = isStart ? readHoles(options.home.journal) : []
  const fleet = isStart ? await noticesOfFleet(options.home, facts.now().getTime()) : []
  const decision = presentDecision(decided.decision, loaded, event, facts.now(), {
    tellsAlways: asked.tellsAlways === true,
    holes,
    fleet,
  })
  const { repeated, actor } = decided
  const { revision } = plan
  // The time of a person is not the time that deciding took.
  const durationMs = options.now() - asked.begunMs - waitedMs(decision)
  const { keepInput } = plan.settings.journal
  const about = {
    id: newRecordId(),
    at: facts.now(),
    project,
    revision,
    durationMs,
    repeated,
    maskers,
    keepInput,
  }
  return {
    decision,
    record: () => {
      if (!plan.settings.journal.enabled) return undefined
      const paused = pausedNow(plan.hooks, about.at.getTime())
      return recordOf(
        event,
        actor,
        withUnsigned(decision, loaded),
        paused === undefined ? about : { ...about, paused: paused.packs },
      )
    },
  }
}

/** Loaded only when a session starts: a process for each call must not load what it does not need. */
async function noticesOfFleet(home: Home, nowMs: number): Promise<readonly string[]> {
  const { fleetNotices, readFleetStatus } = await import('../config/bundle/fleet-status.ts')
  return fleetNotices(readFleetStatus(home, nowMs), nowMs)
}

/** Only where the policy lets questions wait. A person has the whole time of the event, except what the reply needs. */
function askPersonOf(
  { plan, maskers }: LoadedPlan,
  asked: Asked,
  { approver, home, now }: ResponderOptions,
): AskPerson | undefined {
  const { waitMs } = plan.settings.ask
  if (approver === undefined || waitMs === 0) return undefined
  return (question) => {
    const { leftMs } = timeOf(question.event, asked, now())
    return approver(home, askedCall(question, asked.project, maskers), Math.min(waitMs, leftMs - REPLY_MS))
  }
}

function waitedMs({ approval }: Decision): number {
  return approval === undefined || approval.kind === 'nobody' ? 0 : approval.waitedMs
}

/** What is left after an answer: the state of the session, the reply, a slow machine. */
const REPLY_MS = 1_500

function internal(error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error)
  return { code: 'INTERNAL', message: `Holdpoint itself failed: ${why}.` }
}

/** The engine gets a little less time than the process has left, so that its own answer comes first. */
function budgetOf(
  event: Event,
  request: Pick<HookRequest, 'deadlineMs' | 'startedMs'>,
  nowMs: number,
): number {
  const { deadlineMs, leftMs } = timeOf(event, request, nowMs)
  const ours = Math.max(0, leftMs - Math.min(MARGIN_MS, deadlineMs / 4))
  return Math.min(ours, deadlinesOf(event.kind).engineMs)
}

const MARGIN_MS = 1_000

function timeOf(event: Event, request: Pick<HookRequest, 'deadlineMs' | 'startedMs'>, nowMs: number) {
  const deadlineMs = request.deadlineMs ?? deadlinesOf(event.kind).clientMs
  return { deadlineMs, leftMs: deadlineMs - (nowMs - (request.startedMs ?? nowMs)) }
}

/** An event with an unknown name is answered with the exit code only: it can be blocked, and nothing else. */
export function abilitiesAt(host: Host, event: Event): Abilities {
  if (host.abilitiesAt !== undefined) return host.abilitiesAt(event)
  if (event.kind !== 'Unknown' && event.name !== event.kind) return { ...NO_ABILITIES, deny: true }
  return host.events[event.kind] ?? NO_ABILITIES
}

async function refuse(
  request: Omit<HookRequest, 'payload'>,
  problem: Problem,
  event: Event | undefined,
): Promise<HookResponse> {
  return lastResort(await findHost(request.host), request, problem, event, {
    id: newRecordId(),
    at: new Date(),
  })
}
