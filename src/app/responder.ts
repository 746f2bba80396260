import type { Approval, AskPerson } from '../core/approval.ts'
import { deadlinesOf, lastResortOf } from '../core/deadlines.ts'
import type { Decision, Reply } from '../core/decision.ts'
import { NO_OPINION } from '../core/engine/combine.ts'
import type { Decided } from '../core/engine/decide.ts'
import type { Problem, Result } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { pausedNow } from '../core/exceptions.ts'
import type { Facts } from '../core/facts.ts'
import { type Abilities, type Host, NO_ABILITIES } from '../core/host.ts'
import { andThen, type MaybePromise, orElse } from '../core/maybe-async.ts'
import type { StateStore } from '../core/state/state.ts'
import { findHost } from '../hosts/find-host.ts'
import { readHoles } from '../storage/journal/holes.ts'
import type { JournalRecord } from '../storage/journal/store.ts'
import { type Home, systemHome } from '../system/home.ts'
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
  readonly event?: string | undefined
  readonly skills: readonly string[]
  readonly onFailure?: 'deny' | 'pass' | undefined
  /**
   * The time within which the whole process must answer, counted from `startedMs`. Missing: the event's own
   * deadline.
   */
  readonly deadlineMs?: number | undefined
  /** The hook belongs to the plugin. */
  readonly via?: 'plugin' | undefined
  /** When the process started, on the responder's clock. */
  readonly startedMs?: number | undefined
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
  readonly deadlineMs?: number | undefined
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
  respond(request: HookRequest): MaybePromise<HookResponse>
  /** The same for an event that is already decoded: returns a decision. Never throws. */
  decide(request: EventRequest): Promise<ResponseRecord>
  /** The answer if the payload itself could not be read. */
  refuse(request: Omit<HookRequest, 'payload'>, problem: Problem): MaybePromise<HookResponse>
  plan(project: string): MaybePromise<Result<LoadedPlan>>
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

type Load = (project: string) => MaybePromise<Result<LoadedPlan>>

/** Synchronous unless something must be loaded, or a hook returns a promise. */
function respond(request: HookRequest, options: ResponderOptions, load: Load): MaybePromise<HookResponse> {
  return andThen(findHost(request.host), (host) => {
    if (!host.ok) return refuse(request, host.problem, undefined)
    const sender = host.value.answersAs?.(request.payload)
    if (sender !== undefined) return respond({ ...request, host: sender }, options, load)
    return respondAs(host.value, request, options, load)
  })
}

function respondAs(
  host: Host,
  request: HookRequest,
  options: ResponderOptions,
  load: Load,
): MaybePromise<HookResponse> {
  let known: Event | undefined
  const decoded = (): MaybePromise<HookResponse> => {
    const probe = probeSession(request.payload, options.home)
    const event = host.decode(request)
    if (!event.ok) {
      const named = host.eventNamed(request.payload) ?? request.event
      const asked = { ...request, ...(named === undefined ? {} : { event: named }) }
      const refused = refuse(asked, event.problem, undefined)
      return probe === undefined ? refused : andThen(refused, ({ reply }) => unrecorded(reply))
    }
    known = event.value
    if (probe !== undefined && isProbeEvent(known, probe)) return answerProbe(host, known, request, load)
    // A hook with its own configuration cannot replace another one.
    const mayShare = options.config === undefined
    const isLeft = mayShare && isLeftToSettings(host, known, request, options.home)
    return andThen(isLeft, (left) =>
      left
        ? unrecorded(host.encode(NO_OPINION, event.value))
        : answer(host, event.value, request, options, load),
    )
  }
  return orElse(decoded, (error) => refuse(request, internal(error), known))
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
  load: Load,
): Promise<HookResponse> {
  const named = host.projectVariable === undefined ? undefined : request.env[host.projectVariable]
  const plan = await load(findProject(named || request.cwd))
  const reply = plan.ok
    ? host.encode(decideProbe(event, abilitiesAt(host, event)), event)
    : (await refuse(request, plan.problem, event)).reply
  return unrecorded(reply)
}

async function decide(request: EventRequest, options: ResponderOptions, load: Load): Promise<ResponseRecord> {
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

function answer(
  host: Host,
  event: Event,
  request: HookRequest,
  options: ResponderOptions,
  load: Load,
): MaybePromise<HookResponse> {
  const begunMs = options.now()
  const where = projectOf(host, event, request, options.state)
  return andThen(load(where.project), (plan) => {
    if (!plan.ok) return refuse(request, plan.problem, event)
    const { deliversTwice, stopsUnmarked = false, tellsAlways = false } = host
    const can = abilitiesAt(host, event)
    const isHeadless = host.isHeadless?.(request.env) === true
    const { env, skills, deadlineMs, startedMs } = request
    const { project, pinProject } = where
    const headless = isHeadless ? 'headless' : undefined
    const asked: Asked = {
      event,
      can,
      project,
      pinProject,
      env,
      skills,
      deadlineMs,
      startedMs,
      begunMs,
      deliversTwice,
      stopsUnmarked,
      tellsAlways,
      headless,
    }
    return andThen(decideBy(plan.value, asked, options), ({ decision, record }) => ({
      reply: host.encode(decision, event),
      record,
    }))
  })
}

interface Asked extends EventRequest {
  readonly pinProject?: string | undefined
  readonly deliversTwice?: boolean
  readonly stopsUnmarked?: boolean
  readonly tellsAlways?: boolean
  readonly headless?: string | undefined
  /** As in `HookRequest`. */
  readonly startedMs?: number | undefined
  /** The start of the time in the record. */
  readonly begunMs: number
}

function decideBy(loaded: LoadedPlan, asked: Asked, options: ResponderOptions): MaybePromise<ResponseRecord> {
  const { event, project, env, can, skills, pinProject, deliversTwice = false, stopsUnmarked } = asked
  const { plan, engine, maskers } = loaded
  const facts = liveFacts({ cwd: event.cwd, home: env.HOME || systemHome(), project, env })
  const deciding = decideEvent(event, {
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
    logs: options.home.logs,
  })
  return andThen(deciding, (decided) => {
    const startNotices = event.kind === 'SessionStart' ? noticesAtStart(options.home, facts) : NO_NOTICES
    return andThen(startNotices, (notices) => responseOf(decided, notices, loaded, asked, facts, options))
  })
}

/** What is decided, as the user sees it, and its record. */
function responseOf(
  { decision: decided, repeated, actor }: Decided,
  notices: StartNotices,
  loaded: LoadedPlan,
  { event, project, begunMs, tellsAlways = false }: Asked,
  facts: Facts,
  options: ResponderOptions,
): ResponseRecord {
  const { plan, maskers } = loaded
  const decision = presentDecision(decided, loaded, event, facts.now(), { tellsAlways, ...notices })
  const { revision } = plan
  // The time of a person is not the time that deciding took.
  const durationMs = options.now() - begunMs - waitedMs(decision)
  const { keepInput } = plan.settings.journal
  const at = facts.now()
  return {
    decision,
    record: () => {
      if (!plan.settings.journal.enabled) return undefined
      const paused = pausedNow(plan.hooks, at.getTime())
      return recordOf(event, actor, withUnsigned(decision, loaded), {
        ...{ id: newRecordId(), at, project, revision, durationMs, repeated, maskers, keepInput },
        ...(paused === undefined ? {} : { paused: paused.packs }),
      })
    },
  }
}

/** What the user is told when a session starts. */
interface StartNotices {
  readonly holes: ReturnType<typeof readHoles>
  readonly fleet: readonly string[]
}

const NO_NOTICES: StartNotices = { holes: [], fleet: [] }

/** Loaded only when a session starts: a process for each call must not load what it does not need. */
async function noticesAtStart(home: Home, facts: Facts): Promise<StartNotices> {
  const { fleetNotices, readFleetStatus } = await import('../config/bundle/fleet-status.ts')
  const nowMs = facts.now().getTime()
  return { holes: readHoles(home.journal), fleet: fleetNotices(readFleetStatus(home, nowMs), nowMs) }
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
function budgetOf(event: Event, request: Pick<Asked, 'deadlineMs' | 'startedMs'>, nowMs: number): number {
  const { deadlineMs, leftMs } = timeOf(event, request, nowMs)
  const ours = Math.max(0, leftMs - Math.min(MARGIN_MS, deadlineMs / 4))
  return Math.min(ours, deadlinesOf(event.kind).engineMs)
}

const MARGIN_MS = 1_000

function timeOf(event: Event, request: Pick<Asked, 'deadlineMs' | 'startedMs'>, nowMs: number) {
  const deadlineMs = request.deadlineMs ?? deadlinesOf(event.kind).clientMs
  return { deadlineMs, leftMs: deadlineMs - (nowMs - (request.startedMs ?? nowMs)) }
}

/** An event with an unknown name is answered with the exit code only: it can be blocked, and nothing else. */
export function abilitiesAt(host: Host, event: Event): Abilities {
  if (host.abilitiesAt !== undefined) return host.abilitiesAt(event)
  if (event.kind !== 'Unknown' && event.name !== event.kind) return { ...NO_ABILITIES, deny: true }
  return host.events[event.kind] ?? NO_ABILITIES
}

function refuse(
  request: Omit<HookRequest, 'payload'>,
  problem: Problem,
  event: Event | undefined,
): MaybePromise<HookResponse> {
  const made = { id: newRecordId(), at: new Date() }
  return andThen(findHost(request.host), (host) => lastResort(host, request, problem, event, made))
}
