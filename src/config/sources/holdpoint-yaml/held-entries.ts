import { lastResortOf } from '../../../core/deadlines.ts'
import type { Problem } from '../../../core/errors.ts'
import type { EventKind } from '../../../core/event.ts'
import { readOnFailure } from '../../../core/failure-presets.ts'
import type { ActorScope, Matcher } from '../../../core/hook.ts'
import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { HookEntry } from '../../../core/layer.ts'
import type { RuleCondition, RuleRun } from '../../../core/rule.ts'
import { suggest } from '../../../core/suggest.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import { problemsOf } from '../problems.ts'
import { withoutValues } from '../without-values.ts'
import { readActor, readMatch } from './match.ts'
import type { YamlReader } from './reading.ts'
import { HOOK_EVENTS, hookSchema, type KnownEvent, ruleSchema } from './schema.ts'

/**
 * Entries that cannot be read still stop calls: a mistake in a policy must not switch it off. The calls that they stop
 * are read as far as possible. A part that cannot be read counts as missing, so that more calls are stopped.
 */

/** A rule denies or asks, as far as its outcome can be read. A rule that only informs stops nothing. */
export function holdRule(item: Json, path: Path, mark: number, reading: YamlReader): readonly HookEntry[] {
  if (item === null) return []
  const written: JsonObject = isObject(item) ? item : {}
  const effect = ruleEffect(written)
  if (effect === 'tell') return []
  // Nothing says that it was meant to stop anything, so it does so only before a call.
  const on = eventsIn(written.on).filter((kind) => effect !== 'unclear' || lastResortOf(kind) === 'deny')
  if (on.length === 0) return []
  return holding(
    written,
    { effect: effect === 'ask' ? 'ask' : 'deny', on, path, mark, what: 'rule' },
    reading,
  )
}

/** A hook does what its `onFailure` says, or the default of its event. */
export function holdHook(
  event: KnownEvent,
  item: Json,
  path: Path,
  mark: number,
  reading: YamlReader,
): readonly HookEntry[] {
  if (item === null) return []
  const written: JsonObject = isObject(item) ? item : {}
  const effect = hookEffect(event, written)
  if (effect === 'pass') return []
  return holding(written, { effect, on: [event], path, mark, what: 'hook' }, reading)
}

/** If no event has this name: the one with the most similar name, otherwise the one before a call. */
export function meantEvent(name: string): KnownEvent {
  const meant = suggest(name, HOOK_EVENTS)
  return HOOK_EVENTS.find((kind) => kind === meant) ?? 'PreToolUse'
}

const OUTCOMES = ['deny', 'ask', 'rewrite', 'warn', 'context'] as const
const TELLING: readonly string[] = ['warn', 'context']

/** The strictest outcome that is written or was evidently meant. */
function ruleEffect(written: JsonObject): 'deny' | 'ask' | 'tell' | 'unclear' {
  const keys = Object.keys(ruleSchema.shape)
  const meant = Object.keys(written).map((key) => (keys.includes(key) ? key : suggest(key, keys)))
  const outcomes = OUTCOMES.filter((outcome) => meant.includes(outcome))
  if (outcomes.length > 0 && outcomes.every((outcome) => TELLING.includes(outcome))) return 'tell'
  if (outcomes.includes('deny')) return 'deny'
  return outcomes.includes('ask') ? 'ask' : 'unclear'
}

function hookEffect(event: KnownEvent, written: JsonObject): 'deny' | 'ask' | 'pass' {
  const parsed = hookSchema.shape.onFailure.safeParse(written.onFailure)
  const policy =
    parsed.success && parsed.data !== undefined ? readOnFailure(parsed.data).validation : undefined
  const settled = policy ?? lastResortOf(event)
  return typeof settled === 'string' ? settled : settled.then
}

function eventsIn(on: Json | undefined): readonly EventKind[] {
  if (on === undefined || on === null) return ['PreToolUse']
  const names: readonly Json[] = Array.isArray(on) ? on : [on]
  const events = names.map((name) => (typeof name === 'string' ? meantEvent(name) : 'PreToolUse'))
  return events.length === 0 ? ['PreToolUse'] : [...new Set(events)]
}

interface Held {
  readonly effect: 'deny' | 'ask'
  readonly on: readonly EventKind[]
  readonly path: Path
  /** Problems after this mark belong to this entry. */
  readonly mark: number
  readonly what: 'rule' | 'hook'
}

function holding(written: JsonObject, held: Held, reading: YamlReader): readonly HookEntry[] {
  const { effect, on, path, mark, what } = held
  const match = matchIn(written, on, path, reading)
  const wide = match === undefined
  reading.problems.markHeld(mark, heldSentence(held, wide, reading.file.trusted))
  const problem = shownProblem(reading.problems.since(mark)[0], reading)
  const origin = { file: reading.file.path, ...locate(reading.yaml, path), key: keyPath(path) }
  const id = idOf(written)
  const entry = (when: RuleCondition, as: 'deny' | 'ask', part: string): HookEntry => {
    const run: RuleRun = {
      type: 'rule',
      key: `held/${reading.file.rank}/${keyPath(path)}${part}`,
      when,
      outcome: {},
      unread: { message: unreadMessage(problem, origin), isCode: what === 'hook' },
    }
    return {
      ...(id === undefined ? {} : { id }),
      on,
      match: match ?? {},
      actor: actorIn(written, path, reading),
      run,
      onFailure: { validation: as, import: as, crash: as, timeout: as },
      ...(written.required === true ? { required: true } : {}),
      origin,
    }
  }
  const repair = repairOf(reading.file.path)
  if (effect === 'ask' || repair === undefined) return [entry(ALWAYS, effect, '')]
  // The user must always be able to correct the file, also through the agent.
  return [entry({ kind: 'not', of: repair }, 'deny', ''), entry(repair, 'ask', '/repair')]
}

const ALWAYS: RuleCondition = { kind: 'all', of: [] }
const ANY_COMMAND: RuleCondition = {
  kind: 'shell',
  command: [{ pattern: { kind: 'glob', globs: ['*'] }, size: 1 }],
}

/** The call reads or edits this file with a file tool, and nothing else. */
function repairOf(file: string): RuleCondition | undefined {
  if (/[*?[\]{}\\!]/.test(file) || !file.startsWith('/')) return undefined
  return {
    kind: 'all',
    of: [
      { kind: 'path', globs: [file] },
      { kind: 'not', of: { kind: 'path', globs: [file], outside: true } },
      { kind: 'not', of: ANY_COMMAND },
    ],
  }
}

const KEYS: ReadonlySet<string> = new Set([ruleSchema, hookSchema].flatMap(({ shape }) => Object.keys(shape)))

/** Undefined if it cannot be read, or has a misspelled key: the entry then applies to every call. */
function matchIn(
  written: JsonObject,
  on: readonly EventKind[],
  path: Path,
  reading: YamlReader,
): Matcher | undefined {
  const misspelled = Object.keys(written).some((key) => !KEYS.has(key) && suggest(key, [...KEYS]) === 'match')
  if (misspelled) return undefined
  if (written.match === undefined) return {}
  const parsed = hookSchema.shape.match.safeParse(written.match)
  return parsed.success ? readMatch(parsed.data, [...path, 'match'], silent(reading), on) : undefined
}

function actorIn(written: JsonObject, path: Path, reading: YamlReader): ActorScope {
  const parsed = hookSchema.shape.actor.safeParse(written.actor)
  return (parsed.success && readActor(parsed.data, [...path, 'actor'], silent(reading))) || {}
}

/** The problem was reported already. */
function silent(reading: YamlReader): YamlReader {
  return { ...reading, problems: problemsOf(reading.yaml, reading.file.path) }
}

function idOf({ id }: JsonObject): string | undefined {
  const parsed = hookSchema.shape.id.safeParse(id)
  return parsed.success ? parsed.data : undefined
}

/** The message reaches the agent, so it quotes nothing from an untrusted file. */
function shownProblem(problem: Problem | undefined, { file }: YamlReader): Problem | undefined {
  return problem === undefined || file.trusted ? problem : { ...withoutValues(problem), key: '' }
}

function unreadMessage(problem: Problem | undefined, origin: HookEntry['origin']): string {
  const { file, line, key } = { ...origin, ...problem }
  const place = [`${file}:${line ?? 1}`, key ?? ''].filter((word) => word !== '').join(' ')
  return `it cannot be read: ${place}: ${problem?.message ?? 'there is a mistake here.'}`
}

function heldSentence({ effect, on, what }: Held, wide: boolean, isTrusted: boolean): string {
  // Like every hook of an untrusted file, it stops nothing either.
  if (what === 'hook' && !isTrusted) return 'It does not run, because the file is not trusted.'
  const calls = on.every((kind) => kind === 'PreToolUse') ? 'call' : `event (${on.join(', ')})`
  const which = wide ? `every ${calls}` : `every ${calls} that this ${what} matches`
  return effect === 'deny'
    ? `Until you correct it, ${which} is denied.`
    : `Until you correct it, you are asked about ${which}.`
}
