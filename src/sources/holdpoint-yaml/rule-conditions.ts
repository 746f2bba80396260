import type { Result } from '../../errors.ts'
import type { EventKind } from '../../event.ts'
import type { Condition, TextTest, ValueTest } from '../../handlers/rule.ts'
import type { Path } from '../locate.ts'
import type { ShellPart } from './dead-words.ts'
import { TOOL_EVENTS } from './never-matches.ts'
import type { Reading } from './reading.ts'
import { type RuleWords, readPathGlobs } from './rule-words.ts'
import type {
  ConditionConfig,
  GlobsConfig,
  PathConfig,
  SeenConfig,
  ValueConfig,
  WordsConfig,
} from './rules-schema.ts'

/** What reading the conditions of one rule needs, and what it leaves behind. */
export interface ConditionReading extends Pick<Reading, 'problems'> {
  readonly words: RuleWords
  readonly on: readonly EventKind[]
  /** An event to watch for, and the key its companion keeps it under. */
  see(seen: SeenConfig, path: Path): string | undefined
  /** Set once there was a regex. */
  hasRegex: boolean
}

/** Undefined when anything in it is wrong; every wrong part is reported. */
export function readCondition(
  config: ConditionConfig,
  path: Path,
  reading: ConditionReading,
): Condition | undefined {
  const parts: (Condition | undefined)[] = Object.keys(config).flatMap((key) => {
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
) => readonly (Condition | undefined)[]

const PARTS: Readonly<Record<string, ReadPart>> = {
  all: ({ all = [] }, path, reading) => [together(readEach(all, path, reading), 'all')],
  any: ({ any = [] }, path, reading) => [together(readEach(any, path, reading), 'any')],
  not: ({ not }, path, reading) => {
    const of = not === undefined ? undefined : readCondition(not, path, reading)
    return [of && { is: 'not', of }]
  },
  shell: ({ shell = {} }, path, reading) => {
    const tests = Object.entries(shell).map(
      ([key, value]) => [key, readWords(value, [...path, key], reading, key as ShellPart)] as const,
    )
    if (tests.length === 0) reading.problems.addWrongValue(path, SHELL_ACCEPTED)
    const isGood = tests.length > 0 && tests.every(([, each]) => each !== undefined)
    return [isGood ? ({ is: 'shell', ...Object.fromEntries(tests) } as Condition) : undefined]
  },
  path: ({ path: value }, path, reading) => [
    value === undefined ? undefined : readPath(value, path, reading),
  ],
  input: ({ input = {} }, path, reading) =>
    Object.entries(input).map(([field, value]) => {
      const tests = readField(field, value, [...path, field], reading)
      return tests && { is: 'input', field, tests }
    }),
  prompt: ({ prompt }, path, reading) => readText('prompt', prompt, path, reading),
  output: ({ output }, path, reading) => readText('output', output, path, reading),
  permissionMode: ({ permissionMode }, path, reading) =>
    readWord('permissionMode', permissionMode, path, reading),
  branch: ({ branch }, path, reading) => readWord('branch', branch, path, reading),
  cwd: ({ cwd }, path, reading) => {
    const globs = cwd === undefined ? undefined : readGlobs(cwd, path, reading)
    return [globs && { is: 'cwd', globs }]
  },
  seen: ({ seen }, path, reading) => {
    const key = seen === undefined ? undefined : reading.see(seen, path)
    return [key === undefined ? undefined : { is: 'seen', key }]
  },
}

const SHELL_ACCEPTED = 'at least one of `command`, `subcommand`, `flag`, `argument`'

function readEach(
  configs: readonly ConditionConfig[],
  path: Path,
  reading: ConditionReading,
): readonly (Condition | undefined)[] {
  return configs.map((config, index) => readCondition(config, [...path, index], reading))
}

function together(parts: readonly (Condition | undefined)[], is: 'all' | 'any'): Condition | undefined {
  const of = parts.filter((part) => part !== undefined)
  if (of.length < parts.length || of.length === 0) return undefined
  return of.length === 1 ? of[0] : { is, of }
}

const WHERE_KNOWN: Readonly<Record<string, readonly string[]>> = {
  shell: TOOL_EVENTS,
  input: TOOL_EVENTS,
  path: [...TOOL_EVENTS, 'FileChanged', 'ConfigChange', 'InstructionsLoaded'],
  prompt: ['UserPromptSubmit', 'UserPromptExpansion'],
  output: [
    ...['PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop', 'SubagentStop', 'StopFailure'],
    'PostCompact',
  ],
}

/** The rule stands, and would never be heard of: that is said. */
function warnWhereItNeverHolds(key: string, path: Path, { on, problems }: ConditionReading): void {
  const known = WHERE_KNOWN[key]
  if (known === undefined || on.some((kind) => known.includes(kind))) return
  const message = `\`${key}\` never holds at ${on.join(', ')}; it is known at ${known.join(', ')}.`
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

/** Every pattern that is wrong is reported, each at its own place. */
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
  is: 'permissionMode' | 'branch',
  config: WordsConfig | undefined,
  path: Path,
  reading: ConditionReading,
): readonly (Condition | undefined)[] {
  const text = config === undefined ? undefined : readWords(config, path, reading)
  return [text && { is, text }]
}

function readText(
  is: 'prompt' | 'output',
  config: ValueConfig | undefined,
  path: Path,
  reading: ConditionReading,
): readonly (Condition | undefined)[] {
  const tests = config === undefined ? undefined : readValue(config, path, reading)
  return [tests && { is, tests }]
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
  if (typeof config === 'number' || typeof config === 'boolean') return [{ is: 'equals', value: config }]
  if (typeof config === 'string' || Array.isArray(config)) {
    const any = readTexts(config as GlobsConfig, path, reading)
    return any && [{ is: 'text', any }]
  }
  const { glob, regex, equals, above, below, longerThan, shorterThan } = config as Exclude<
    ValueConfig,
    string | number | boolean | string[]
  >
  const globs = glob === undefined ? [] : readTexts(glob, [...path, 'glob'], reading)
  const regexed = regex === undefined ? [] : readRegex(regex, [...path, 'regex'], reading)
  if (globs === undefined || regexed === undefined) return undefined
  const tests: readonly ValueTest[] = [
    ...(globs.length === 0 ? [] : [{ is: 'text', any: globs } as const]),
    ...(Array.isArray(regexed) ? [] : [{ is: 'text', any: [regexed as TextTest] } as const]),
    ...(equals === undefined ? [] : [{ is: 'equals', value: equals } as const]),
    ...(above === undefined ? [] : [{ is: 'above', number: above } as const]),
    ...(below === undefined ? [] : [{ is: 'below', number: below } as const]),
    ...(longerThan === undefined ? [] : [{ is: 'longerThan', size: longerThan } as const]),
    ...(shorterThan === undefined ? [] : [{ is: 'shorterThan', size: shorterThan } as const]),
  ]
  if (tests.length > 0) return tests
  reading.problems.addWrongValue(path, 'at least one test')
  return undefined
}

function readPath(config: PathConfig, path: Path, reading: ConditionReading): Condition | undefined {
  if (typeof config === 'string' || Array.isArray(config)) {
    const globs = readGlobs(config as GlobsConfig, path, reading)
    return globs && { is: 'path', globs }
  }
  const { glob, outside, access } = config as Exclude<PathConfig, string | string[]>
  if ((glob === undefined) === (outside === undefined)) {
    reading.problems.addWrongValue(path, 'either `glob` or `outside`')
    return undefined
  }
  const globs = readGlobs(glob ?? outside ?? [], [...path, glob === undefined ? 'outside' : 'glob'], reading)
  if (globs === undefined) return undefined
  return {
    is: 'path',
    globs,
    ...(access === undefined ? {} : { access }),
    ...(outside === undefined ? {} : { outside: true }),
  }
}
