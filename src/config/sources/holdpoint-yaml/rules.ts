import type { EventKind } from '../../../core/event.ts'
import { readOnFailure } from '../../../core/failure-presets.ts'
import { isObject, type Json } from '../../../core/json.ts'
import type { HookEntry } from '../../../core/layer.ts'
import type { RuleCondition, RuleOutcome, RuleRun } from '../../../core/rule.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import { holdRule } from './held-entries.ts'
import { readActor, readMatch } from './match.ts'
import type { YamlReader } from './reading.ts'
import { type ConditionReading, isFieldName, readCondition } from './rule-conditions.ts'
import { type RuleWords, ruleWords } from './rule-words.ts'
import type { ConditionConfig, OnConfig, RepeatedConfig, SeenConfig } from './rules-schema.ts'
import { type RuleConfig, ruleSchema } from './schema.ts'

/**
 * The `rules` of a file as hooks. A rule with an error is reported, and denies or asks for the calls that its `match`
 * names; the others are kept. A `seen` condition becomes a separate hook, which only records that the event occurred.
 */
export function readRules(value: Json, reading: YamlReader): readonly HookEntry[] {
  if (value === null) return []
  if (!Array.isArray(value)) {
    const mark = reading.problems.mark()
    reading.problems.addWrongValue(['rules'], 'a list of rules, each with `- ` before it')
    return holdRule(value, ['rules'], mark, reading)
  }
  const words = ruleWords()
  const ids = new Map<string, number>()
  return value.flatMap((item: Json, index) => {
    const path: Path = ['rules', index]
    const mark = reading.problems.mark()
    return readRule(item, path, ids, words, reading) ?? holdRule(item, path, mark, reading)
  })
}

/** The rules below a misspelled `rules`, none of which can be read. */
export function holdRules(value: Json, key: string, mark: number, reading: YamlReader): readonly HookEntry[] {
  if (!Array.isArray(value)) return holdRule(value, [key], mark, reading)
  return value.flatMap((item: Json, index) => holdRule(item, [key, index], mark, reading))
}

/** The number of rules in a file, counted before any of them is read. */
export function countRules(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0
}

function readRule(
  item: Json,
  path: Path,
  ids: Map<string, number>,
  words: RuleWords,
  reading: YamlReader,
): readonly HookEntry[] | undefined {
  const parsed = ruleSchema.safeParse(item)
  if (!parsed.success) {
    reading.problems.addIssues(parsed.error.issues, path)
    return undefined
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
    return undefined
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

/** The key of its memory. Two rules with the same id have different keys. */
function keyOf(id: string, path: Path, ids: Map<string, number>, reading: YamlReader): string {
  const count = (ids.get(id) ?? 0) + 1
  ids.set(id, count)
  const key = `rule/${reading.file.rank}/${id}`
  if (count === 1) return key
  // Both apply, but messages cannot distinguish them.
  const message = `Another rule has the id \`${id}\` too.`
  reading.problems.add('CONFIG_VALUE', [...path, 'id'], message, { severity: 'warning' })
  return `${key}~${count}`
}

function eventsOf(on: OnConfig | undefined, otherwise: EventKind): readonly EventKind[] {
  if (on === undefined) return [otherwise]
  return typeof on === 'string' ? [on] : [...new Set(on)]
}

/** A rule without conditions always applies: an empty `all` is true. */
function readWhen(
  when: ConditionConfig,
  isWritten: boolean,
  repeated: RepeatedConfig | undefined,
  path: Path,
  reading: ConditionReading,
): RuleCondition | undefined {
  if (!isWritten || (repeated !== undefined && Object.keys(when).length === 0)) return { kind: 'all', of: [] }
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
  { problems }: YamlReader,
): RuleOutcome | undefined {
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
    const message = 'The rule has no outcome; add `deny`, `ask`, `warn`, `context` or `rewrite`.'
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
  problems: YamlReader['problems'],
): boolean {
  const elsewhere = on.find((kind) => !CHANGEABLE.includes(kind))
  if (elsewhere !== undefined) {
    const message = `There is no tool call to change at ${elsewhere}; \`rewrite\` works at ${CHANGEABLE.join(' and ')}.`
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

/** A rule that only informs never blocks, not even when it fails. */
function sharedOf(
  config: RuleConfig,
  outcome: RuleOutcome | undefined,
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

/** The hook for a `seen` condition: the same conditions at an earlier event, which is only recorded. */
function readSeen(
  { on: events, match: written, ...when }: SeenConfig,
  path: Path,
  key: string,
  words: RuleWords,
  reading: YamlReader,
): Omit<HookEntry, 'id'> | undefined {
  const on = eventsOf(events, 'PostToolUse')
  const match = readMatch(written, [...path, 'match'], reading, on)
  // It has no nested `seen`: the schema does not allow it.
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

function originOf(path: Path, { file, yaml }: YamlReader): HookEntry['origin'] {
  return { file: file.path, ...locate(yaml, path), key: keyPath(path) }
}
