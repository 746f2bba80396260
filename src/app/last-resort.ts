import { lastResortOf } from '../core/deadlines.ts'
import type { Decision, Reply } from '../core/decision.ts'
import { NO_OPINION } from '../core/engine/combine.ts'
import { describeProblem, type Problem, type Result } from '../core/errors.ts'
import { EVENT_KINDS, type Event } from '../core/event.ts'
import type { Host } from '../core/host.ts'
import { resolveActor } from '../core/state/actors.ts'
import type { JournalRecord } from '../storage/journal/store.ts'
import { recordOf } from './record.ts'

/** What is known about a request that could not be decided. */
export interface Undecided {
  readonly host: string
  readonly cwd: string
  readonly event?: string | undefined
  readonly onFailure?: 'deny' | 'pass' | undefined
}

/** The last resort, encoded for the host if the host is known, and recorded like any other answer. */
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

/** The decision about an event that could not be evaluated, and its record. */
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
  return { decision, record: () => recordOf(event, resolveActor(event, undefined), decision, context) }
}

const REFUSAL = 'holdpoint/last-resort'

/** Without a host there is no reply format, only the exit code. */
function plainRefusal(problem: Problem, effect: 'deny' | 'pass'): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}\n`
  return { stdout: '', stderr: text, exitCode: effect === 'deny' ? 2 : 0 }
}
