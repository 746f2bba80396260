import type { Result } from '../../../core/errors.ts'
import type { EventKind } from '../../../core/event.ts'
import type { RuleCondition, TextTest, ValueTest } from '../../../core/rule.ts'
import { wordList } from '../../../core/word-list.ts'
import type { Path } from '../locate.ts'
import type { ShellPart } from './dead-words.ts'
import { EVENTS_WITH_TOOL } from './never-matches.ts'
import type { YamlReader } from './reading.ts'
import { type RuleWords, readPathGlobs } from './rule-words.ts'
import type {
  ConditionConfig,
  GlobsConfig,
  PathConfig,
  SeenConfig,
  ValueConfig,
  WordsConfig,
} from './rules-schema.ts'

/** Input and output of reading the conditions of one rule. */
export interface ConditionReading extends Pick<YamlReader, 'problems'> {
  readonly words: RuleWords
  readonly on: readonly EventKind[]
  /** An event to watch for, and the key under which it is recorded. */
  see(seen: SeenConfig, path: Path): string | undefined
  /** Set if there is a regex. */
  hasRegex: boolean
}

/** Undefined if anything in it is wrong. Every wrong part is reported. */
export function readCondition(
  config: ConditionConfig,
  path: Path,
  reading: ConditionReading,
): RuleCondition | undefined {
  const parts: (RuleCondition | undefined)[] = Object.keys(config).flatMap((key) => {
    const part = PARTS[key]
    if (part === undefined) return []
    warnWhereItNeverHolds(key, [...path, key], reading)
    return part(config, [...path, key], reading)
  })
  if (parts.length === 0) {
    reading.problems.addWrongValue(path, `at least one condition (${Object.keys(PARTS).join(', ')})`)
    return undefined
  }
  return together(parts, 'all')
}

type ReadPart = (
  config: ConditionConfig,
  path: Path,
  reading: ConditionReading,
) => readonly (RuleCondition | undefined)[]

const PARTS: Readonly<Record<string, ReadPart>> = {
  all: ({ all = [] }, path, reading) => [together(readEach(all, path, reading), 'all')],
  any: ({ any = [] }, path, reading) => [together(readEach(any, path, reading), 'any')],
  not: ({ not }, path, reading) => {
    const of = not === undefined ? undefined : readCondition(not, path, reading)
    return [of && { kind: 'not', of }]
  },
  shell: ({ shell = {} }, path, reading) => {
    const tests = Object.entries(shell).map(
      ([key, value]) => [key, readWords(value, [...path, key], reading, key as ShellPart)] as const,
    )
    if (tests.length === 0) reading.problems.addWrongValue(path, SHELL_ACCEPTED)
    const isGood = tests.length > 0 && tests.every(([, each]) => each !== undefined)
    return [isGood ? ({ kind: 'shell', ...Object.fromEntries(tests) } as RuleCondition) : undefined]
  },
  path: ({ path: value }, path, reading) => [
    value === undefined ? undefined : readPath(value, path, reading),
  ],
  input: ({ input = {} }, path, reading) =>
    Object.entries(input).map(([field, value]) => {
      const tests = readField(field, value, [...path, field], reading)
      return tests && { kind: 'input', field, tests }
    }),
  prompt: ({ prompt }, path, reading) => readText('prompt', prompt, path, reading),
  output: ({ output }, path, reading) => readText('output', output, path, reading),
  permissionMode: ({ permissionMode }, path, reading) =>
    readWord('permissionMode', permissionMode, path, reading),
  branch: ({ branch }, path, reading) => readWord('branch', branch, path, reading),
  cwd: ({ cwd }, path, reading) => {
    const globs = cwd === undefined ? undefined : readGlobs(cwd, path, reading)
    return [globs && { kind: 'cwd', globs }]
  },
  seen: ({ seen }, path, reading) => {
    const key = seen === undefined ? undefined : reading.see(seen, path)
    return [key === undefined ? undefined : { kind: 'seen', key }]
  },
}

const SHELL_ACCEPTED = 'at least one of `command`, `subcommand`, `flag`, `argument`'

function readEach(
  configs: readonly ConditionConfig[],
  path: Path,
  reading: ConditionReading,
): readonly (RuleCondition | undefined)[] {
  return configs.map((config, index) => readCondition(config, [...path, index], reading))
}

function together(
  parts: readonly (RuleCondition | undefined)[],
  kind: 'all' | 'any',
): RuleCondition | undefined {
  const of = parts.filter((part) => part !== undefined)
  if (of.length < parts.length || of.length === 0) return undefined
  return of.length === 1 ? of[0] : { kind, of }
}

const WHERE_KNOWN: Readonly<Record<string, readonly string[]>> = {
  shell: EVENTS_WITH_TOOL,
  input: EVENTS_WITH_TOOL,
  path: [...EVENTS_WITH_TOOL, 'FileChanged', 'ConfigChange', 'InstructionsLoaded'],
  prompt: ['UserPromptSubmit', 'UserPromptExpansion'],
  output: wordList('PostToolUse PostToolUseFailure PostToolBatch Stop SubagentStop StopFailure PostCompact'),
}

/** The rule is kept, but would never match: that is reported. */
function warnWhereItNeverHolds(key: string, path: Path, { on, problems }: ConditionReading): void {
  const known = WHERE_KNOWN[key]
  if (known === undefined || on.some((kind) => known.includes(kind))) return
  const message = `\`${key}\` never matches at ${on.join(', ')}; it can match at ${known.join(', ')}.`
  problems.add('CONFIG_VALUE', path, message, { part: 'key', severity: 'warning' })
}

function readWords(
  config: WordsConfig,
  path: Path,
  reading: ConditionReading,
  part?: ShellPart,
): readonly TextTest[] | undefined {
  if (typeof config === 'object' && 'regex' in config) {
    const test = readRegex(config.regex, [...path, 'regex'], reading)
    return test && [test]
  }
  return readTexts(config, path, reading, part)
}

/** Every wrong pattern is reported with its location. */
function readTexts(
  config: GlobsConfig,
  path: Path,
  reading: ConditionReading,
  part?: ShellPart,
): readonly TextTest[] | undefined {
  const tests = listed(config, path).map(([text, place]) =>
    taken(reading.words.globs(text, part), place, reading),
  )
  return complete(tests)
}

function readGlobs(
  config: GlobsConfig,
  path: Path,
  reading: ConditionReading,
): readonly string[] | undefined {
  const lists = listed(config, path).map(([text, place]) => taken(readPathGlobs(text), place, reading))
  return complete(lists)?.flat()
}

function readRegex(source: string, path: Path, reading: ConditionReading): TextTest | undefined {
  reading.hasRegex = true
  return taken(reading.words.regex(source), path, reading)
}

function listed(config: GlobsConfig, path: Path): readonly (readonly [string, Path])[] {
  return typeof config === 'string'
    ? [[config, path]]
    : config.map((text, index) => [text, [...path, index]] as const)
}

function complete<T>(items: readonly (T | undefined)[]): readonly T[] | undefined {
  const good = items.filter((item) => item !== undefined)
  return good.length === items.length ? good : undefined
}

function taken<T>(result: Result<T>, path: Path, { problems }: ConditionReading): T | undefined {
  if (result.ok) return result.value
  problems.add('CONFIG_MATCHER', path, result.problem.message)
  return undefined
}

function readWord(
  kind: 'permissionMode' | 'branch',
  config: WordsConfig | undefined,
  path: Path,
  reading: ConditionReading,
): readonly (RuleCondition | undefined)[] {
  const text = config === undefined ? undefined : readWords(config, path, reading)
  return [text && { kind, text }]
}

function readText(
  kind: 'prompt' | 'output',
  config: ValueConfig | undefined,
  path: Path,
  reading: ConditionReading,
): readonly (RuleCondition | undefined)[] {
  const tests = config === undefined ? undefined : readValue(config, path, reading)
  return [tests && { kind, tests }]
}

/** A name with very many dots could be read in very many ways. */
const FIELD_STEPS_MAX = 10

export function isFieldName(field: string): boolean {
  const steps = field.split('.')
  return steps.length <= FIELD_STEPS_MAX && steps.every((step) => step !== '' && step !== '__proto__')
}

function readField(
  field: string,
  config: ValueConfig,
  path: Path,
  reading: ConditionReading,
): readonly ValueTest[] | undefined {
  if (isFieldName(field)) return readValue(config, path, reading)
  const message = `\`${field.slice(0, 60)}\` is not the name of a field: up to ${FIELD_STEPS_MAX} names joined by dots.`
  reading.problems.add('CONFIG_KEY', path, message, { part: 'key' })
  return undefined
}

function readValue(
  config: ValueConfig,
  path: Path,
  reading: ConditionReading,
): readonly ValueTest[] | undefined {
  if (typeof config === 'number' || typeof config === 'boolean') return [{ kind: 'equals', value: config }]
  if (typeof config === 'string' || Array.isArray(config)) {
    const any = readTexts(config as GlobsConfig, path, reading)
    return any && [{ kind: 'text', any }]
  }
  const { glob, regex, equals, above, below, longerThan, shorterThan } = config as Exclude<
    ValueConfig,
    string | number | boolean | string[]
  >
  const globs = glob === undefined ? [] : readTexts(glob, [...path, 'glob'], reading)
  const regexed = regex === undefined ? [] : readRegex(regex, [...path, 'regex'], reading)
  if (globs === undefined || regexed === undefined) return undefined
  const tests: readonly ValueTest[] = [
    ...(globs.length === 0 ? [] : [{ kind: 'text', any: globs } as const]),
    ...(Array.isArray(regexed) ? [] : [{ kind: 'text', any: [regexed as TextTest] } as const]),
    ...(equals === undefined ? [] : [{ kind: 'equals', value: equals } as const]),
    ...(above === undefined ? [] : [{ kind: 'above', number: above } as const]),
    ...(below === undefined ? [] : [{ kind: 'below', number: below } as const]),
    ...(longerThan === undefined ? [] : [{ kind: 'longerThan', size: longerThan } as const]),
    ...(shorterThan === undefined ? [] : [{ kind: 'shorterThan', size: shorterThan } as const]),
  ]
  if (tests.length > 0) return tests
  reading.problems.addWrongValue(path, 'at least one test')
  return undefined
}

function readPath(config: PathConfig, path: Path, reading: ConditionReading): RuleCondition | undefined {
  if (typeof config === 'string' || Array.isArray(config)) {
    const globs = readGlobs(config as GlobsConfig, path, reading)
    return globs && { kind: 'path', globs }
  }
  const { glob, outside, access } = config as Exclude<PathConfig, string | string[]>
  if ((glob === undefined) === (outside === undefined)) {
    reading.problems.addWrongValue(path, 'either `glob` or `outside`')
    return undefined
  }
  const globs = readGlobs(glob ?? outside ?? [], [...path, glob === undefined ? 'outside' : 'glob'], reading)
  if (globs === undefined) return undefined
  return {
    kind: 'path',
    globs,
    ...(access === undefined ? {} : { access }),
    ...(outside === undefined ? {} : { outside: true }),
  }
}
