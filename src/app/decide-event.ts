import type { AskPerson } from '../core/approval.ts'
import type { Answer, Decision, Failure, FileChange } from '../core/decision.ts'
import { type Decided, decide } from '../core/engine/decide.ts'
import type { DecideContext } from '../core/engine/decide-context.ts'
import type { ImpliedCall } from '../core/engine/implied-calls.ts'
import type { Engine, Trace } from '../core/engine/run-hooks.ts'
import { good, type Result } from '../core/errors.ts'
import { type Event, toolOf } from '../core/event.ts'
import type { Facts } from '../core/facts.ts'
import { type Abilities, ALL_ABILITIES } from '../core/host.ts'
import type { MaybePromise } from '../core/maybe-async.ts'
import type { Masker } from '../core/redact/redact.ts'
import type { StateStore } from '../core/state/state.ts'
import { mayImplyCalls } from '../policy/analysis/may-imply-calls.ts'
import { applyFiles } from '../system/files.ts'
import { keepNotes } from '../system/notes.ts'
import { sha256 } from '../system/sha256.ts'
import { newRecordId } from './record-id.ts'

/**
 * What an event is decided with. The caller provides the hooks, the session's state and the facts of the
 * machine.
 */
export interface EventContext {
  readonly engine: Engine
  readonly state: StateStore
  readonly facts: Facts
  /** The time that is written into records. */
  readonly maskers: readonly Masker[]
  readonly stopBlocksMax: number
  /**
   * A monotonic clock in milliseconds. (The global `performance` costs a short-lived process 3 ms to load.)
   */
  now(): number
  /** What the sender of the event supports. Missing: everything. */
  readonly can?: Abilities | undefined
  /** Skills that the caller reports as active. */
  readonly skills?: readonly string[]
  readonly deliversTwice?: boolean
  readonly stopsUnmarked?: boolean | undefined
  /** Which hook of the host reports the event. */
  readonly entry?: string | undefined
  readonly pinProject?: string | undefined
  readonly budgetMs?: number | undefined
  /** Asks a person who is not at the agent. */
  readonly askPerson?: AskPerson | undefined
  /** Set if the session runs without a user. */
  readonly headless?: string | undefined
  readonly trace?: Trace | undefined
  /** The folder of logs. Missing: log lines are dropped. */
  readonly logs?: string
  /**
   * What the decision saves. `everything`: state, files and notes. `state`: only what hooks remember.
   * `nothing`: the event is only tried. Missing: everything.
   */
  readonly keeps?: 'everything' | 'state' | 'nothing'
}

/** One traced run of one hook. */
export interface TracedRun {
  readonly hookIndex: number
  readonly outcome: Answer | Failure | null
  readonly durationMs: number
}

/**
 * The only path from an event to a decision. The hook, the daemon, `test`, `check`, `explain`, the library
 * and its adapters all call this, so none of them has its own rules. Synchronous unless a hook returns a
 * promise.
 */
export function decideEvent(event: Event, context: EventContext): Decided | Promise<Decided> {
  const decided = decide(event, decideContextOf(context))
  if (context.keeps !== undefined && context.keeps !== 'everything') return decided
  return decided instanceof Promise
    ? decided.then((each) => withNotesKept(each, event, context))
    : withNotesKept(decided, event, context)
}

function decideContextOf(context: EventContext): DecideContext {
  const { facts, keeps = 'everything' } = context
  return {
    engine: context.engine,
    state: context.state,
    facts,
    can: context.can ?? ALL_ABILITIES,
    deliversTwice: context.deliversTwice ?? false,
    stopBlocksMax: context.stopBlocksMax,
    stopsUnmarked: context.stopsUnmarked,
    skills: context.skills ?? NO_SKILLS,
    entry: context.entry,
    budgetMs: context.budgetMs,
    pinProject: context.pinProject,
    askPerson: context.askPerson,
    headless: context.headless,
    now: context.now,
    newId: newRecordId,
    hash: sha256,
    applyFiles: keeps === 'everything' ? (files) => applyFiles(files, facts) : FILES_UNTOUCHED[keeps],
    trace: context.trace,
    implied: impliedBy,
  }
}

/** Loaded when an event may have some: what reads commands and instructions is much code. Sync from then on. */
function impliedBy(event: Event, facts: Facts): MaybePromise<readonly ImpliedCall[]> {
  if (!mayImplyCalls(event)) return NO_CALLS
  if (implied !== undefined) return implied.impliedCalls(event, facts)
  return import('../policy/analysis/implied-calls.ts').then((loaded) => {
    implied = loaded
    return loaded.impliedCalls(event, facts)
  })
}

let implied: typeof import('../policy/analysis/implied-calls.ts') | undefined

const NO_CALLS: readonly ImpliedCall[] = []
const NO_SKILLS: readonly string[] = []

const FILES_UNTOUCHED: Readonly<
  Record<'state' | 'nothing', ((files: readonly FileChange[]) => Result<void>) | undefined>
> = { state: () => good(undefined), nothing: undefined }

function withNotesKept(decided: Decided, event: Event, context: EventContext): Decided {
  const decision = keptNotes(decided.decision, event, context)
  return decision === decided.decision ? decided : { ...decided, decision }
}

/**
 * Saves the notes of guards. If that fails, the user sees it at the end of a turn or of an agent, not at
 * every call.
 */
function keptNotes(decision: Decision, event: Event, { facts, maskers, logs }: EventContext): Decision {
  if (decision.findings.length === 0) return decision
  const notes = decision.findings.flatMap((finding) => finding.notes ?? [])
  if (notes.length === 0) return decision
  const lost = keepNotes(notes, facts, maskers, logs)
  if (lost === undefined || toolOf(event) !== undefined) return decision
  return { ...decision, notices: [...decision.notices, lost] }
}
