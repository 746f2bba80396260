import type { JsonObject } from '../../../core/json.ts'
import { type PackOptions, usableOptions } from '../../../core/pack-options.ts'
import { KINDS } from '../../metrics/places.ts'
import { TEXTS } from '../option-texts.ts'

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
}

export type TestStage = 'dependencies' | 'test' | 'build'
export const STAGES: readonly TestStage[] = ['dependencies', 'test', 'build']

const TIMEOUTS_MS: Readonly<Record<TestStage, number>> = {
  dependencies: 60_000,
  test: 150_000,
  build: 60_000,
}
const TIMEOUT_MAX_MS = 280_000

/** The agent that validates a finished phase. */
export const VALIDATOR = 'tdd-validation-agent'

const command = (description: string) =>
  ({
    anyOf: [
      { type: 'boolean', enum: [false] },
      { type: 'string', pattern: '\\S' },
    ],
    title: 'a command line or `false`',
    description,
  }) as const
const whole = (maximum: number) => ({ type: 'integer', minimum: 1, maximum }) as const
const limit = (description: string) => ({ ...whole(TIMEOUT_MAX_MS), description }) as const
const flag = (description: string) => ({ type: 'boolean', default: false, description }) as const

export const COLLECTIVE_OPTIONS = {
  dependencies: command('The command that installs dependencies. `false`: none.'),
  test: command('The command that runs the tests. `false`: none.'),
  build: command('The command that builds. `false`: none.'),
  timeoutsMs: {
    type: 'object',
    properties: {
      dependencies: limit('For installing dependencies.'),
      test: limit('For the tests.'),
      build: limit('For the build.'),
    },
    title: 'a mapping of dependencies, test and build to milliseconds',
    description: 'The time limit of each command.',
  },
  retries: {
    ...whole(7),
    default: 3,
    description: 'How often an agent is sent back because of failing tests before the workflow ends.',
  },
  exempt: { ...TEXTS, default: [VALIDATOR], description: 'Agents whose completion does not run the tests.' },
  agents: { ...TEXTS, default: [], description: 'Additional known agents that are not in the registry.' },
  orchestrators: {
    ...TEXTS,
    default: ['orchestrator'],
    description: 'Part of the name of an agent whose message may end a phase.',
  },
  deploymentWords: {
    ...TEXTS,
    default: ['deploy', 'deployed', 'deployment', 'deploying'],
    description: 'Words which say that the phase is already being handed on.',
  },
  routeForms: flag('`ROUTE TO: @agent` and `HANDOFF TO: @agent` also count as handoffs.'),
  modules: {
    ...TEXTS,
    default: ['modules/custom', 'themes/custom', 'profiles/custom'],
    description: 'Folders whose subfolders are modules with their own documentation.',
  },
  docs: {
    type: 'string',
    pattern: '\\S',
    title: 'a folder of the project',
    default: 'docs/semantic',
    description: 'The folder of the documentation.',
  },
  characters: {
    ...whole(100_000),
    default: 9_000,
    description: 'Characters of context that are added at most.',
  },
  tmpLogs: flag('Log lines also go to `/tmp/<hook>.log`.'),
  metrics: {
    type: 'object',
    properties: {
      input: { type: 'boolean', description: 'Also store the input of every call, shortened and masked.' },
      retentionDays: {
        type: 'object',
        properties: Object.fromEntries(
          KINDS.map((kind) => [
            kind,
            { type: 'number', minimum: 1, maximum: 3_650, description: `Days for ${kind}.` },
          ]),
        ),
        description: 'How many days each kind of metrics is kept.',
      },
    },
    description: 'What is measured, and how long it is kept.',
  },
} as const satisfies PackOptions

export function readCollectiveOptions(given: JsonObject): CollectiveOptions {
  const { dependencies, test, build, timeoutsMs, ...others } = usableOptions(given, COLLECTIVE_OPTIONS)
  return {
    ...others,
    commands: { dependencies, test, build },
    timeoutsMs: { ...TIMEOUTS_MS, ...timeoutsMs },
  }
}
