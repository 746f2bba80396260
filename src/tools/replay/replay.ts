import type { CallDecider, Verdict } from '../history/decide-call.ts'
import { createCallDecider } from '../history/decide-call.ts'
import type { PurePlan } from '../history/without-programs.ts'
import { countVerdict, emptyReplay, type Judged, type ReplayTally } from './diff.ts'
import type { RecordedEvent } from './recorded.ts'
import { createReplayState, type ReplayState } from './replay-state.ts'
import { shareAnswers } from './share-answers.ts'

export interface ReplayOptions {
  /** The policy that is asked about. */
  readonly plan: PurePlan
  /**
   * What it is compared with: another policy, what was decided at the time, or nothing.
   */
  readonly against: PurePlan | 'recorded' | 'nothing'
  /** The user's home folder, for `~` in commands. */
  readonly home: string
  now(): number
  /** Where an earlier replay was interrupted. */
  readonly resume?: ReplayProgress
}

/** How far a replay is: what is needed to go on from there. */
export interface ReplayProgress {
  readonly position: number
  readonly tally: ReplayTally
  readonly states: readonly Buffer[]
  readonly lastSessions: readonly string[]
}

export interface Replay {
  /** The next event, in order. */
  take(recorded: RecordedEvent): Promise<void>
  /** A record that could not be made into an event. */
  skip(position: number): void
  progress(): ReplayProgress
  readonly tally: ReplayTally
}

/** Sessions that were seen lately; one that comes back after more than this many others is counted again. */
const SESSIONS_REMEMBERED = 10_000

/** Decides recorded events in their order, in memory. Nothing is read from the disk, written or started. */
export async function createReplay(options: ReplayOptions): Promise<Replay> {
  const { against, home, now, resume } = options
  const tally = resume?.tally ?? emptyReplay()
  const shared = typeof against === 'string' ? undefined : await shareAnswers(options.plan, against)
  const plan = shared?.first ?? options.plan
  const states: ReplayState[] = [createReplayState(resume?.states[0])]
  const decider = createCallDecider({ plan, home, now, ...stateOf(states[0]) })
  let other: CallDecider | undefined
  if (shared !== undefined) {
    states.push(createReplayState(resume?.states[1]))
    other = createCallDecider({ plan: shared.second, home, now, ...stateOf(states[1]) })
  }
  const sessions = new Set(resume?.lastSessions ?? [])
  let position = resume?.position ?? 0
  return {
    tally,
    skip(at) {
      position = at
      tally.skipped += 1
    },
    async take(recorded) {
      position = recorded.position
      if (!sessions.has(recorded.event.session)) {
        sessions.add(recorded.event.session)
        tally.sessions += 1
        const [oldest] = sessions
        if (sessions.size > SESSIONS_REMEMBERED && oldest !== undefined) sessions.delete(oldest)
      }
      const verdict = await decided(decider, recorded)
      const old = other === undefined ? undefined : await decided(other, recorded)
      if (recorded.isContext === true) return
      if (verdict === undefined || (other !== undefined && old === undefined)) {
        tally.undecided += 1
        return
      }
      const compared = old ?? (against === 'recorded' ? recorded.decided : undefined)
      const mine = against === 'recorded' ? byHook(verdict) : verdict
      countVerdict(tally, recorded, mine, compared && judged(compared), old?.doubts ?? [], plan.maskers)
    },
    progress: () => ({
      position,
      tally,
      states: states.map((state) => state.save()),
      lastSessions: [...sessions],
    }),
  }
}

function stateOf(state: ReplayState | undefined): { readonly state?: ReplayState } {
  return state === undefined ? {} : { state }
}

async function decided(
  decider: CallDecider,
  { event, project, at }: RecordedEvent,
): Promise<Verdict | undefined> {
  try {
    return await decider.decide(event, project, at)
  } catch {
    return undefined
  }
}

function judged({ effect, by }: Judged): Judged {
  return { effect, by: effect === 'pass' ? undefined : by }
}

/** A record names the hook that decided, not the guard inside it. */
function byHook(verdict: Verdict): Verdict {
  return { ...verdict, by: verdict.effect === 'pass' ? undefined : verdict.decision.because[0] }
}
