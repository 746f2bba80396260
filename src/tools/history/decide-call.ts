import { isAbsolute } from 'node:path'
import { decideEvent } from '../../app/decide-event.ts'
import type { Decision, Effect } from '../../core/decision.ts'
import type { Decided } from '../../core/engine/decide.ts'
import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { StateStore } from '../../core/state/state.ts'
import { createMemoryState } from '../../storage/state/memory-state.ts'
import { frozenFacts } from '../../system/frozen-facts.ts'
import type { PurePlan } from './without-programs.ts'

/** Why a verdict on a recorded call is not certain. */
export type Doubt =
  /** A guard wanted to read a file, the branch or the last commits as they were then. */
  | 'disk'
  /** The policy has a hook that runs a program, which is not run here. */
  | 'program'
  /** The recorded input was shortened. */
  | 'shortened'
  /** A secret in the recorded input was masked. */
  | 'masked'
  /** The input was not kept. */
  | 'no input'
  /** A guard failed on it. */
  | 'failed'

/** What a policy says of a recorded event. */
export interface Verdict {
  readonly effect: Effect
  /** The guard, rule or hook that decided; undefined for pass. */
  readonly by: string | undefined
  readonly reason: string | undefined
  readonly doubts: readonly Doubt[]
  readonly decision: Decision
}

export interface CallDecider {
  /** Decides in the order of the calls: what hooks remember of one is there for the next. */
  decide(event: Event, project: string, at: Date): Verdict | Promise<Verdict>
}

export interface DeciderOptions {
  readonly plan: PurePlan
  /** The user's home folder, for `~` in commands. */
  readonly home: string
  now(): number
  /** What hooks remember. Missing: a memory of its own. */
  readonly state?: StateStore
}

const FACTS_MAX = 256
/** Sessions are read one after another: only the last few are needed. */
const SESSIONS_MAX = 64

/** Decides recorded calls with one plan, in memory: nothing is read from the disk, written or started. */
export function createCallDecider(options: DeciderOptions): CallDecider {
  const { plan, home, now } = options
  const state = options.state ?? createMemoryState({ sessionsMax: SESSIONS_MAX, ownsCommits: true })
  const places = new Map<string, Facts>()
  let at = new Date(0)
  let askedDisk = false
  const factsAt = (cwd: string, project: string): Facts => {
    const key = `${cwd}\n${project}`
    const known = places.get(key)
    if (known !== undefined) return known
    // Folders come from the recording: a bound keeps a hostile one from filling the memory.
    if (places.size >= FACTS_MAX) places.clear()
    const asked = () => {
      askedDisk = true
    }
    const facts = frozenFacts({ cwd, home, project, env: {} }, { asked, now: () => at })
    places.set(key, facts)
    return facts
  }
  return {
    decide(event, project, when) {
      at = when
      askedDisk = false
      const decided = decideEvent(event, {
        engine: plan.engine,
        state,
        facts: factsAt(isAbsolute(event.cwd) ? event.cwd : project, project),
        maskers: plan.maskers,
        stopBlocksMax: plan.plan.settings.stopBlocksMax,
        now,
        keeps: 'state',
      })
      if (decided instanceof Promise) return decided.then((each) => verdictOf(each, event, plan, askedDisk))
      return verdictOf(decided, event, plan, askedDisk)
    },
  }
}

function verdictOf({ decision, actor }: Decided, event: Event, plan: PurePlan, askedDisk: boolean): Verdict {
  const [first] = decision.reasons
  const doubts: Doubt[] = []
  if (askedDisk) doubts.push('disk')
  if (plan.mightDiffer(event, actor)) doubts.push('program')
  if (decision.failed.length > 0) doubts.push('failed')
  return {
    effect: decision.effect,
    by: decision.effect === 'pass' ? undefined : (first?.guard ?? first?.hook ?? decision.because[0]),
    reason: first?.text,
    doubts,
    decision,
  }
}
