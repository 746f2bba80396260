import { deadlinesOf, lastResortOf } from './deadlines.ts'
import { decide } from './decide.ts'
import type { Decision, Reply } from './decision.ts'
import { type Around, deskFor, newId } from './desk-for.ts'
import { bad, type Problem, type Result } from './errors.ts'
import type { Event } from './event.ts'
import { type Abilities, type Host, NO_ABILITIES } from './hosts/host.ts'
import { HOSTS } from './hosts/index.ts'
import { withNotesKept } from './keep-notes.ts'
import { lastResort, undecided } from './last-resort.ts'
import { type LoadedPlan, type LoadedPlans, loadPlan, type PlanOptions } from './load-plan.ts'
import { projectOf } from './project-of.ts'
import { recordOf } from './record.ts'
import { spoken } from './spoken.ts'
import type { JournalRecord } from './stores/store.ts'
import { applyFiles } from './world/files.ts'
import { logsFolder, systemHome } from './world/home.ts'
import { liveFacts } from './world/live-facts.ts'

/**
 * Composes everything: hosts, packs, handlers, state and the plan into something that answers events. Every face
 * of Holdpoint (the hook, `test`, `check`, `explain`, the daemon) enters here; none has a path of its own. A program
 * that embeds the engine has `createRuntime`, on the same `decide`. It reads nothing from `process`: what the caller's
 * process knows arrives in the request.
 */
export interface ResponderOptions extends PlanOptions, Around {}

export interface HookRequest {
  readonly host: string
  readonly payload: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly event?: string
  readonly skills: readonly string[]
  readonly onFailure?: 'deny' | 'pass'
  /** By when the whole process must have answered, counted from `startedMs`; the event's own deadline when missing. */
  readonly deadlineMs?: number
  /** When the process began, on the responder's clock. */
  readonly startedMs?: number
}

export interface HookResponse {
  readonly reply: Reply
  /** What to journal once the reply is written; made then, because masking takes time. Undefined: nothing. */
  record(): JournalRecord | undefined
}

/** An event that no host spelled: it comes as it is, with what its sender can obey. */
export interface EventRequest {
  readonly event: Event
  readonly can: Abilities
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly skills: readonly string[]
  readonly deadlineMs?: number
}

export interface Judged {
  /** Fitted to what the sender can do, and committed. Where nothing could be decided, the event's last resort. */
  readonly decision: Decision
  /** As in `HookResponse`. */
  record(): JournalRecord | undefined
}

export interface Responder {
  /** One event of a host: bytes in, bytes out. Never throws. */
  respond(request: HookRequest): Promise<HookResponse>
  /** The same for an event that is one already: a decision out. Never throws. */
  judge(request: EventRequest): Promise<Judged>
  /** The answer when the bytes themselves could not be had. */
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
    judge: (request) => judge(request, options, load),
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
    const event = host.value.decode(request)
    if (!event.ok) {
      const named = host.value.eventNamed(request.payload) ?? request.event
      return refuse(
        { ...request, ...(named === undefined ? {} : { event: named }) },
        event.problem,
        undefined,
      )
    }
    known = event.value
    return await answer(host.value, event.value, request, options, load)
  } catch (error) {
    return refuse(request, internal(error), known)
  }
}

async function judge(
  request: EventRequest,
  options: ResponderOptions,
  load: (project: string) => Promise<Result<LoadedPlan>>,
): Promise<Judged> {
  const made = () => ({ id: newId(), at: new Date() })
  const startedMs = options.now()
  try {
    const plan = await load(request.project)
    if (!plan.ok) return undecided(request.event, plan.problem, lastResortOf(request.event.kind), made())
    return await judgeBy(plan.value, { ...request, startedMs, begunMs: startedMs }, options)
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
  const { deliversTwice, tellsAlways = false } = host
  const can = abilitiesAt(host, event)
  const asked = { ...request, ...where, event, can, deliversTwice, tellsAlways, begunMs }
  const { decision, record } = await judgeBy(plan.value, asked, options)
  return { reply: host.encode(decision, event), record }
}

interface Asked extends EventRequest {
  readonly pinProject?: string
  readonly deliversTwice?: boolean
  readonly tellsAlways?: boolean
  /** As in `HookRequest`. */
  readonly startedMs?: number
  /** Since when the record counts. */
  readonly begunMs: number
}

async function judgeBy(loaded: LoadedPlan, asked: Asked, options: ResponderOptions): Promise<Judged> {
  const { event, project, env, can, skills, pinProject, deliversTwice = false } = asked
  const { plan, maskers } = loaded
  const facts = liveFacts({ cwd: event.cwd, home: env.HOME || systemHome(), project, env })
  const decided = await decide(event, {
    ...deskFor(loaded, options, facts, can, skills),
    deliversTwice,
    applyFiles: (files) => applyFiles(files, facts),
    ...(pinProject === undefined ? {} : { pinProject }),
    budgetMs: budgetOf(event, asked, options.now()),
  })
  const place = { facts, maskers, logs: logsFolder(options.home) }
  const kept = withNotesKept(decided.decision, event, place)
  const decision = spoken(kept, loaded, event, facts.now(), asked.tellsAlways === true)
  const { repeated, actor } = decided
  const { revision } = plan
  const durationMs = options.now() - asked.begunMs
  const about = { id: newId(), at: facts.now(), project, revision, durationMs, repeated, maskers }
  return {
    decision,
    record: () => (plan.settings.journal.enabled ? recordOf(event, actor, decision, about) : undefined),
  }
}

function internal(error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error)
  return { code: 'INTERNAL', message: `Holdpoint itself failed: ${why}.` }
}

/** The engine gets a little less than the process has left, so that its own answer always comes first. */
function budgetOf(
  event: Event,
  request: Pick<HookRequest, 'deadlineMs' | 'startedMs'>,
  nowMs: number,
): number {
  const deadlineMs = request.deadlineMs ?? deadlinesOf(event.kind).clientMs
  const leftMs = deadlineMs - (nowMs - (request.startedMs ?? nowMs))
  const ours = Math.max(0, leftMs - Math.min(MARGIN_MS, deadlineMs / 4))
  return Math.min(ours, deadlinesOf(event.kind).engineMs)
}

const MARGIN_MS = 1_000

/** An event by a name we do not know is answered by exit code alone: it can be stopped, and nothing else. */
function abilitiesAt(host: Host, event: Event): Abilities {
  if (event.kind !== 'Unknown' && event.name !== event.kind) return { ...NO_ABILITIES, deny: true }
  return host.events[event.kind] ?? NO_ABILITIES
}

const found = new Map<string, Result<Host>>()

/** Once loaded it is at hand: an import costs time even where there is nothing left to load. */
export async function findHost(id: string): Promise<Result<Host>> {
  const known = found.get(id)
  if (known !== undefined) return known
  const member = Object.hasOwn(HOSTS, id) ? HOSTS[id] : undefined
  if (member === undefined) {
    return bad('HOST_UNKNOWN', `There is no host "${id}". Hosts: ${Object.keys(HOSTS).join(', ')}.`)
  }
  const host: Result<Host> = { ok: true, value: (await member()).host }
  found.set(id, host)
  return host
}

async function refuse(
  request: Omit<HookRequest, 'payload'>,
  problem: Problem,
  event: Event | undefined,
): Promise<HookResponse> {
  return lastResort(await findHost(request.host), request, problem, event, { id: newId(), at: new Date() })
}
