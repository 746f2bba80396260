import type { HookEntry } from '../../config.ts'
import type { EventKind } from '../../event.ts'
import { readOnFailure } from '../../failure-presets.ts'
import type { Condition, Outcome, RuleRun } from '../../handlers/rule.ts'
import { isObject, type Json } from '../../json.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import { readActor, readMatch } from './hooks.ts'
import type { Reading } from './reading.ts'
import { type ConditionReading, isFieldName, readCondition } from './rule-conditions.ts'
import { type RuleWords, ruleWords } from './rule-words.ts'
import type { ConditionConfig, OnConfig, RepeatedConfig, SeenConfig } from './rules-schema.ts'
import { type RuleConfig, ruleSchema } from './schema.ts'

/**
 * The `rules` of a file as hooks. A rule with anything wrong in it is left out and reported; the others stand. A
 * `seen` becomes a hook of its own, which only remembers that the event was there.
 */
export function readRules(value: Json, reading: Reading): readonly HookEntry[] {
  if (value === null) return []
  if (!Array.isArray(value)) {
    reading.problems.addWrongValue(['rules'], 'a list of rules, each with `- ` before it')
    return []
  }
  const words = ruleWords()
  const ids = new Map<string, number>()
  return value.flatMap((item: Json, index) => readRule(item, ['rules', index], ids, words, reading))
}

/** How many rules a file has, counted before any of them is read. */
export function countRules(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0
}

function readRule(
  item: Json,
  path: Path,
  ids: Map<string, number>,
  words: RuleWords,
  reading: Reading,
): readonly HookEntry[] {
  const parsed = ruleSchema.safeParse(item)
  if (!parsed.success) {
    reading.problems.addIssues(parsed.error.issues, path)
    return []
  }
  const config: RuleConfig = parsed.data
  const on = eventsOf(config.on, 'PreToolUse')
  const match = readMatch(config.match, [...path, 'match'], reading, on)
  const actor = readActor(config.actor, [...path, 'actor'], reading)
  const outcome = readOutcome(config, on, path, reading)
  const key = keyOf(config.id, path, ids, reading)
  const companions: HookEntry[] = []
  const conditions: ConditionReading = {
    problems: reading.problems,
    words,
    on,
    hasRegex: false,
    see: (seen, place) => {
      const number = companions.length + 1
      const companion = readSeen(seen, place, `${key}/seen-${number}`, words, reading)
      if (companion === undefined) return undefined
      companions.push({ id: `${config.id}/seen-${number}`, ...companion, ...sharedOf(config, outcome) })
      return `${key}/seen-${number}`
    },
  }
  const { repeated, ...when } = config.when ?? {}
  const condition = readWhen(
    when as ConditionConfig,
    config.when !== undefined,
    repeated,
    [...path, 'when'],
    conditions,
  )
  if (match === undefined || actor === undefined || outcome === undefined || condition === undefined)
    return []
  const run: RuleRun = {
    type: 'rule',
    key,
    when: condition,
    ...(repeated === undefined ? {} : { repeated: readRepeated(repeated) }),
    ...(config.once === true ? { once: true } : {}),
    ...(conditions.hasRegex ? { regexes: true } : {}),
    outcome,
  }
  const rule: HookEntry = {
    id: config.id,
    on,
    match,
    actor,
    run,
    ...sharedOf(config, outcome),
    ...(outcome.rewrite === undefined ? {} : { rewrites: true }),
    origin: originOf(path, reading),
  }
  return [rule, ...companions]
}

/** What its memory is kept under. Two rules of one id keep theirs apart. */
function keyOf(id: string, path: Path, ids: Map<string, number>, reading: Reading): string {
  const count = (ids.get(id) ?? 0) + 1
  ids.set(id, count)
  const key = `rule/${reading.file.rank}/${id}`
  if (count === 1) return key
  // Both hold, but no message can tell them apart.
  const message = `Another rule has the id \`${id}\` too.`
  reading.problems.add('CONFIG_VALUE', [...path, 'id'], message, { severity: 'warning' })
  return `${key}~${count}`
}

function eventsOf(on: OnConfig | undefined, otherwise: EventKind): readonly EventKind[] {
  if (on === undefined) return [otherwise]
  return typeof on === 'string' ? [on] : [...new Set(on)]
}

/** A rule without conditions always speaks: `all` of nothing holds. */
function readWhen(
  when: ConditionConfig,
  isWritten: boolean,
  repeated: RepeatedConfig | undefined,
  path: Path,
  reading: ConditionReading,
): Condition | undefined {
  if (!isWritten || (repeated !== undefined && Object.keys(when).length === 0)) return { is: 'all', of: [] }
  return readCondition(when, path, reading)
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function readRepeated({ times, within }: RepeatedConfig): NonNullable<RuleRun['repeated']> {
  if (within === undefined) return { times }
  return { times, withinMs: Number(within.slice(0, -1)) * (UNIT_MS[within.slice(-1)] ?? 0) }
}

function readOutcome(
  config: RuleConfig,
  on: readonly EventKind[],
  path: Path,
  { problems }: Reading,
): Outcome | undefined {
  const { deny, ask, warn, context, rewrite } = config
  const written = Object.entries({ deny, ask, rewrite }).flatMap(([key, value]) =>
    value === undefined ? [] : [key],
  )
  const [first, second] = written
  if (second !== undefined) {
    const message = `\`${first}\` and \`${second}\` exclude each other; keep one, or write two rules.`
    problems.add('CONFIG_KEY', [...path, second], message, { part: 'key' })
    return undefined
  }
  if (first === undefined && warn === undefined && context === undefined) {
    const message = 'The rule says nothing; write `deny`, `ask`, `warn`, `context` or `rewrite`.'
    problems.add('CONFIG_VALUE', path, message)
    return undefined
  }
  if (rewrite !== undefined && !isRewrite(rewrite as Json, on, [...path, 'rewrite'], problems))
    return undefined
  return {
    ...(deny === undefined ? {} : { deny }),
    ...(ask === undefined ? {} : { ask }),
    ...(warn === undefined ? {} : { warn }),
    ...(context === undefined ? {} : { context }),
    ...(rewrite === undefined ? {} : { rewrite }),
  }
}

const CHANGEABLE: readonly EventKind[] = ['PreToolUse', 'PermissionRequest']

function isRewrite(
  rewrite: Json,
  on: readonly EventKind[],
  path: Path,
  problems: Reading['problems'],
): boolean {
  const elsewhere = on.find((kind) => !CHANGEABLE.includes(kind))
  if (elsewhere !== undefined) {
    const message = `There is no call to change at ${elsewhere}; \`rewrite\` works at ${CHANGEABLE.join(' and ')}.`
    problems.add('CONFIG_VALUE', path, message, { part: 'key' })
    return false
  }
  const fields = isObject(rewrite) ? Object.keys(rewrite) : []
  const wrong = fields.find((field) => !isFieldName(field))
  if (wrong !== undefined) {
    const message = `\`${wrong.slice(0, 60)}\` is not the name of a field.`
    problems.add('CONFIG_KEY', [...path, wrong], message, { part: 'key' })
    return false
  }
  if (fields.length === 0) problems.addWrongValue(path, 'a mapping of at least one field to its new value')
  return fields.length > 0
}

/** A rule that only tells never stops anything, also not by failing. */
function sharedOf(
  config: RuleConfig,
  outcome: Outcome | undefined,
): Pick<HookEntry, 'onFailure' | 'required'> {
  const tells =
    outcome !== undefined &&
    outcome.deny === undefined &&
    outcome.ask === undefined &&
    outcome.rewrite === undefined
  const onFailure = config.onFailure ?? (tells ? 'pass' : undefined)
  return {
    ...(onFailure === undefined ? {} : { onFailure: readOnFailure(onFailure) }),
    ...(config.required === undefined ? {} : { required: config.required }),
  }
}

/** The companion of a `seen`: the same conditions at an earlier event, with no outcome but to be remembered. */
function readSeen(
  { on: events, match: written, ...when }: SeenConfig,
  path: Path,
  key: string,
  words: RuleWords,
  reading: Reading,
): Omit<HookEntry, 'id'> | undefined {
  const on = eventsOf(events, 'PostToolUse')
  const match = readMatch(written, [...path, 'match'], reading, on)
  // It holds no `seen` of its own: the schema has none there.
  const conditions: ConditionReading = {
    problems: reading.problems,
    words,
    on,
    hasRegex: false,
    see: () => undefined,
  }
  const isWritten = Object.keys(when).length > 0
  const condition = readWhen(when, isWritten, undefined, path, conditions)
  if (match === undefined || condition === undefined) return undefined
  const run: RuleRun = {
    type: 'rule',
    key,
    when: condition,
    ...(conditions.hasRegex ? { regexes: true } : {}),
    outcome: { remember: key },
  }
  return { on, match, actor: {}, run, origin: originOf(path, reading) }
}

function originOf(path: Path, { file, yaml }: Reading): HookEntry['origin'] {
  return { file: file.path, ...locate(yaml, path), key: keyPath(path) }
}
