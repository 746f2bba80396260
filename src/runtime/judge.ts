import { createHash, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { andThen } from '../and-then.ts'
import { lastResortOf } from '../deadlines.ts'
import { decide } from '../decide.ts'
import type { Desk } from '../desk.ts'
import type { Problem, Result } from '../errors.ts'
import type { Event } from '../event.ts'
import { ALL_ABILITIES } from '../hosts/host.ts'
import { withNotesKept } from '../keep-notes.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { ownEnvironment } from '../world/environment.ts'
import { applyFiles } from '../world/files.ts'
import { systemHome } from '../world/home.ts'
import { findProject } from '../world/project.ts'
import { factsMaker } from './event-facts.ts'
import { kindOf, readEvent } from './hook-event.ts'
import { type HookResult, refusal, resultOf } from './hook-result.ts'
import type { Base } from './load.ts'
import type { RuntimeOptions } from './options.ts'
import type { EngineMaker } from './registered-engine.ts'
import type { Registered } from './registry.ts'
import type { Tracer } from './trace.ts'

/** What does not change while a runtime lives. */
type Setting = ReturnType<typeof settingOf>

export function settingOf(options: RuntimeOptions) {
  const env = { ...(options.env ?? ownEnvironment()) }
  const cwd = resolve(options.cwd ?? '')
  const home = env.HOME || systemHome()
  return {
    cwd,
    session: options.session || `runtime-${randomUUID()}`,
    state: options.state ?? createMemoryState(),
    facts: factsMaker({ cwd, home, project: findProject(cwd), env }),
    tools: { hasNoExceptions: true },
    now: options.now ?? (() => performance.now()),
    budgetMs: options.budgetMs,
  }
}

/** What one event is judged with: as it was when the event came. */
export interface Round {
  readonly setting: Setting
  readonly base: Result<Base> | Promise<Result<Base>>
  readonly registered: readonly Registered[]
  readonly engineNow: EngineMaker
  readonly trace: Tracer | undefined
}

/** One event, from the program's words to the result. Never throws: what cannot be judged gets its last resort. */
export function judge(given: unknown, round: Round): HookResult | Promise<HookResult> {
  try {
    const result = judged(given, round)
    return result instanceof Promise ? result.catch((error: unknown) => broken(given, error)) : result
  } catch (error) {
    return broken(given, error)
  }
}

function judged(given: unknown, round: Round): HookResult | Promise<HookResult> {
  const read = readEvent(given, round.setting)
  if (!read.ok) return refusal(lastResortOf(kindOf(given)), read.problem)
  const event = read.value
  return andThen(round.base, (base) =>
    base.ok ? answer(event, round, base.value) : refusal(lastResortOf(event.kind), base.problem),
  )
}

function answer(event: Event, round: Round, base: Base): HookResult | Promise<HookResult> {
  const { setting, trace } = round
  const { maskers, stopBlocksMax } = base
  const engine = round.engineNow(base.engine, round.registered)
  const facts = setting.facts(event.cwd)
  const desk: Desk = {
    engine,
    state: setting.state,
    facts,
    can: ALL_ABILITIES,
    deliversTwice: false,
    stopBlocksMax,
    skills: NO_SKILLS,
    budgetMs: setting.budgetMs,
    now: setting.now,
    newId: randomUUID,
    hash: sha256,
    applyFiles: (files) => applyFiles(files, facts),
    trace: trace?.(event, engine.hooks),
  }
  return andThen(decide(event, desk), ({ decision }) =>
    resultOf(withNotesKept(decision, event, { facts, maskers }), event, maskers),
  )
}

const NO_SKILLS: readonly string[] = []

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Packs or files that could not be loaded: nothing is judged by what was never read. */
export function failedLoad(error: unknown): Result<never> {
  return { ok: false, problem: internal(error) }
}

/** The answer when Holdpoint itself failed, or the event throws when it is looked at. */
function broken(given: unknown, error: unknown): HookResult {
  try {
    return refusal(lastResortOf(kindOf(given)), internal(error))
  } catch {
    return refusal('deny', internal(error))
  }
}

function internal(error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error)
  return { code: 'INTERNAL', message: `Holdpoint itself failed: ${why}.` }
}
