import { NO_OPINION } from './combine.ts'
import { lastResortOf } from './deadlines.ts'
import type { Decision, Reply } from './decision.ts'
import { describeProblem, type Problem, type Result } from './errors.ts'
import { EVENT_KINDS, type Event } from './event.ts'
import type { Host } from './hosts/host.ts'
import { recordOf } from './record.ts'
import { actorOf } from './state/actors.ts'
import type { JournalRecord } from './stores/store.ts'

/** What is known of a request that could not be decided. */
export interface Undecided {
  readonly host: string
  readonly cwd: string
  readonly event?: string
  readonly onFailure?: 'deny' | 'pass'
}

/** The last resort, said in the host's words where there is a host, and recorded like any other answer. */
export function lastResort(
  host: Result<Host>,
  request: Undecided,
  problem: Problem,
  event: Event | undefined,
  made: { readonly id: string; readonly at: Date },
): { readonly reply: Reply; record(): JournalRecord } {
  const kind = event?.kind ?? EVENT_KINDS.find((known) => known === request.event)
  const own = host.ok ? host.value.lastResort?.(problem) : undefined
  const effect = request.onFailure ?? own ?? lastResortOf(kind)
  const reply = host.ok ? host.value.refuse(problem, { effect, kind }) : plainRefusal(problem, effect)
  const unknown = {
    host: request.host,
    name: kind ?? '',
    kind: 'Unknown',
    session: '',
    cwd: request.cwd,
    raw: {},
  } as const
  return { reply, record: undecided(event ?? unknown, problem, effect, made).record }
}

/** The decision about an event that could not be judged, and its record. */
export function undecided(
  event: Event,
  problem: Problem,
  effect: 'deny' | 'pass',
  made: { readonly id: string; readonly at: Date },
): { readonly decision: Decision; record(): JournalRecord } {
  const text = describeProblem(problem)
  const decision: Decision = {
    ...NO_OPINION,
    effect,
    because: [REFUSAL],
    reasons: [{ hook: REFUSAL, text }],
    failed: [{ hook: REFUSAL, failure: { failure: 'parse', message: problem.code }, became: effect }],
  }
  const context = {
    ...made,
    project: '',
    revision: '',
    durationMs: 0,
    repeated: false,
    maskers: [],
  }
  return { decision, record: () => recordOf(event, actorOf(event, undefined), decision, context) }
}

const REFUSAL = 'holdpoint/last-resort'

/** Without a host there are no words, only the exit code. */
function plainRefusal(problem: Problem, effect: 'deny' | 'pass'): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}\n`
  return { stdout: '', stderr: text, exitCode: effect === 'deny' ? 2 : 0 }
}
