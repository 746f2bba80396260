import type { JsonObject } from '../../../core/json.ts'
import { type OptionsOf, type PackOptions, usableOptions } from '../../../core/pack-options.ts'
import { POLLING } from '../../mux/polling-options.ts'
import { TEXTS } from '../option-texts.ts'

/**
 * The options of the pack, with defaults filled in. A value that cannot be used is replaced by the strict default.
 */
export interface MuxOptions {
  /** What happens to a tool that is on no list. */
  readonly unknownTool: 'ask' | 'deny' | 'allow'
  /** Additional tools that the orchestrator may use. */
  readonly allow: readonly string[]
  /** Additional skills that the orchestrator and a sub-agent may load. */
  readonly skillAllow: readonly string[]
  readonly subagentSkillAllow: readonly string[]
  /** What happens if an agent is started without saying whether it runs in the background. */
  readonly missingBackground: 'ask' | 'deny'
  readonly toolRoots?: readonly string[]
  readonly commands: readonly (readonly string[])[]
  /** When TaskOutput may be used to check an agent that does not report. */
  readonly watchdog?: { readonly afterMs: number; readonly everyMs: number }
  /** The soft rules that hold an agent, instead of only warning. */
  readonly enforce: ReadonlySet<SoftRule>
  readonly headings: readonly string[]
}

export const SOFT_RULES = ['return', 'signal', 'report'] as const
export type SoftRule = (typeof SOFT_RULES)[number]

const WATCHDOG_MINUTES = 10

const minutes = (description: string) =>
  ({ type: 'number', exclusiveMinimum: 0, default: WATCHDOG_MINUTES, description }) as const

export const MUX_OPTIONS = {
  unknownTool: {
    type: 'string',
    enum: ['ask', 'deny', 'allow'],
    default: 'ask',
    description: 'What happens to a tool that is on no list.',
  },
  allow: { ...TEXTS, default: [], description: 'Additional tools that the orchestrator may use.' },
  skillAllow: { ...TEXTS, default: [], description: 'Additional skills that the orchestrator may load.' },
  subagentSkillAllow: { ...TEXTS, default: [], description: 'Additional skills that a sub-agent may load.' },
  taskBackground: {
    type: 'object',
    properties: { missing: { type: 'string', enum: ['ask', 'deny'], description: 'Default: deny.' } },
    description: 'What happens if an agent is started without saying whether it runs in the background.',
  },
  toolRoots: { ...TEXTS, ifWrong: [], description: 'Folders whose tools the orchestrator may run.' },
  commands: { ...TEXTS, default: [], description: 'Additional commands that the orchestrator may run.' },
  watchdog: {
    anyOf: [
      { type: 'boolean' },
      {
        type: 'object',
        properties: {
          afterMinutes: minutes('How long an agent must be silent.'),
          everyMinutes: minutes('How long to wait before the next check.'),
        },
      },
    ],
    description: 'When TaskOutput may be used to check an agent that does not report.',
  },
  polling: POLLING,
  enforce: {
    anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string', enum: SOFT_RULES } }],
    title: `\`true\`, \`false\` or a list of ${SOFT_RULES.join(', ')}`,
    description: 'The soft rules that hold an agent, instead of only warning.',
  },
  headings: {
    ...TEXTS,
    default: ['Table of Contents', 'Executive Summary', 'Next Steps'],
    description: 'The headings that a report must have.',
  },
} as const satisfies PackOptions

export function readMuxOptions(given: JsonObject): MuxOptions {
  const { taskBackground, commands, watchdog, enforce, toolRoots, ...others } = usableOptions(
    given,
    MUX_OPTIONS,
  )
  return {
    ...others,
    missingBackground: taskBackground?.missing ?? 'deny',
    ...(toolRoots === undefined ? {} : { toolRoots }),
    commands: commands.map((text) => text.trim().split(/\s+/)),
    ...readWatchdog(watchdog),
    enforce: new Set(enforce === true ? SOFT_RULES : enforce === false ? [] : enforce),
  }
}

function readWatchdog(value: OptionsOf<typeof MUX_OPTIONS>['watchdog']): Pick<MuxOptions, 'watchdog'> {
  if (value === undefined || value === false) return {}
  const { afterMinutes = WATCHDOG_MINUTES, everyMinutes = WATCHDOG_MINUTES } = value === true ? {} : value
  return { watchdog: { afterMs: afterMinutes * 60_000, everyMs: everyMinutes * 60_000 } }
}
