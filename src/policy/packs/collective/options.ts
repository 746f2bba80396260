import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { wordList } from '../../../core/word-list.ts'
import { ANYTHING, optionComplaints } from '../option-complaints.ts'
import { optionReader } from '../option-reader.ts'

/** The options of the pack, with defaults filled in. */
export interface CollectiveOptions {
  /** Commands that replace the ones found in the project. `false` skips the stage. */
  readonly commands: Readonly<Record<TestStage, string | false | undefined>>
  readonly timeoutsMs: Readonly<Record<TestStage, number>>
  /** How often an agent is sent back because of failing tests before the workflow ends. */
  readonly retries: number
  /** Agents whose completion does not run the tests, because they run the tests themselves. */
  readonly exempt: readonly string[]
  /** Additional known agents that are not in the registry. */
  readonly agents: readonly string[]
  /** Part of the name of an agent whose message may end a phase. */
  readonly orchestrators: readonly string[]
  /** If the message contains one of these words, the phase is already being handed on and is not validated again. */
  readonly deploymentWords: readonly string[]
  /** `ROUTE TO: @agent` and `HANDOFF TO: @agent` also count as handoffs. */
  readonly routeForms: boolean
  /** Folders whose subfolders are modules with their own documentation. */
  readonly modules: readonly string[]
  readonly docs: string
  /** Agents move a longer text into a file, which they often do not read. */
  readonly characters: number
  /** Log lines also go to `/tmp/<hook>.log`. */
  readonly tmpLogs: boolean
  /** Reports values that cannot be used, one sentence each. */
  readonly problems: readonly string[]
}

export type TestStage = 'dependencies' | 'test' | 'build'
export const STAGES: readonly TestStage[] = ['dependencies', 'test', 'build']

const TIMEOUTS_MS: Readonly<Record<TestStage, number>> = {
  dependencies: 60_000,
  test: 150_000,
  build: 60_000,
}
const TIMEOUT_MAX_MS = 280_000
const RETRIES_MAX = 7
const CHARACTERS_MAX = 100_000

export function readCollectiveOptions(options: JsonObject): CollectiveOptions {
  const problems: string[] = []
  const read = optionReader(options, problems)
  const command = (stage: TestStage) =>
    read<string | false | undefined>(stage, undefined, 'a command line or `false`', (value) =>
      value === false || (typeof value === 'string' && value.trim() !== '') ? value : undefined,
    )
  const texts = (key: string, otherwise: readonly string[]) =>
    read(key, otherwise, 'a list of strings', asTexts)
  const flag = (key: string) =>
    read(key, false, '`true` or `false`', (value) => (typeof value === 'boolean' ? value : undefined))
  const number = (key: string, otherwise: number, max: number) =>
    read(key, otherwise, `a whole number from 1 to ${max}`, (value) => asNumber(value, max))
  return {
    commands: { dependencies: command('dependencies'), test: command('test'), build: command('build') },
    timeoutsMs: {
      ...TIMEOUTS_MS,
      ...read('timeoutsMs', {}, 'a mapping of dependencies, test and build to milliseconds', asTimeouts),
    },
    retries: number('retries', 3, RETRIES_MAX),
    exempt: texts('exempt', [VALIDATOR]),
    agents: texts('agents', []),
    orchestrators: texts('orchestrators', ['orchestrator']),
    deploymentWords: texts('deploymentWords', ['deploy', 'deployed', 'deployment', 'deploying']),
    routeForms: flag('routeForms'),
    modules: texts('modules', ['modules/custom', 'themes/custom', 'profiles/custom']),
    docs: read('docs', 'docs/semantic', 'a folder of the project', (value) =>
      typeof value === 'string' && value.trim() !== '' ? value : undefined,
    ),
    characters: number('characters', 9_000, CHARACTERS_MAX),
    tmpLogs: flag('tmpLogs'),
    problems,
  }
}

const OPTIONS = [
  ...STAGES,
  ...wordList(`
    timeoutsMs retries exempt agents orchestrators deploymentWords routeForms modules docs characters tmpLogs
    metrics
  `),
]

export function collectiveComplaints(options: JsonObject): readonly string[] {
  const known = Object.fromEntries(OPTIONS.map((key) => [key, ANYTHING]))
  return [...optionComplaints(options, known), ...readCollectiveOptions(options).problems]
}

/** The agent that validates a finished phase. */
export const VALIDATOR = 'tdd-validation-agent'

function asTexts(value: Json): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each.trim() !== '')
    ? (value as readonly string[])
    : undefined
}

function asNumber(value: Json, max: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max
    ? value
    : undefined
}

function asTimeouts(value: Json): Partial<Record<TestStage, number>> | undefined {
  if (!isObject(value)) return undefined
  const isTimeout = ([key, ms]: readonly [string, Json]) =>
    STAGES.some((stage) => stage === key) && asNumber(ms, TIMEOUT_MAX_MS) !== undefined
  return Object.entries(value).every(isTimeout) ? (value as Partial<Record<TestStage, number>>) : undefined
}
