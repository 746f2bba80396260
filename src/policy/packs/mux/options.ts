import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { POLLING } from '../../mux/polling-options.ts'
import {
  type Accepted,
  acceptMapping,
  acceptOneOf,
  isPositive,
  optionComplaints,
  TEXTS,
  YES_OR_NO,
} from '../option-complaints.ts'

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

const OPTIONS: Readonly<Record<string, Accepted>> = {
  unknownTool: acceptOneOf('ask', 'deny', 'allow'),
  allow: TEXTS,
  skillAllow: TEXTS,
  subagentSkillAllow: TEXTS,
  taskBackground: acceptMapping({ missing: (value) => value === 'ask' || value === 'deny' }),
  toolRoots: TEXTS,
  commands: TEXTS,
  watchdog: acceptMapping({ afterMinutes: isPositive, everyMinutes: isPositive }, true, false),
  polling: acceptMapping(POLLING, false),
  enforce: {
    words: `\`true\`, \`false\` or a list of ${SOFT_RULES.join(', ')}`,
    is: (value) =>
      YES_OR_NO.is(value) ||
      (Array.isArray(value) && value.every((each) => SOFT_RULES.some((rule) => rule === each))),
  },
  headings: TEXTS,
}

export function muxComplaints(options: JsonObject): readonly string[] {
  return optionComplaints(options, OPTIONS)
}

export function readMuxOptions(options: JsonObject): MuxOptions {
  const { toolRoots, taskBackground, watchdog } = options
  const background = isObject(taskBackground) ? taskBackground.missing : undefined
  return {
    unknownTool:
      options.unknownTool === 'deny' || options.unknownTool === 'allow' ? options.unknownTool : 'ask',
    allow: texts(options.allow) ?? [],
    skillAllow: texts(options.skillAllow) ?? [],
    subagentSkillAllow: texts(options.subagentSkillAllow) ?? [],
    missingBackground: background === 'ask' ? 'ask' : 'deny',
    ...(toolRoots === undefined ? {} : { toolRoots: texts(toolRoots) ?? [] }),
    commands: (texts(options.commands) ?? []).map((text) => text.trim().split(/\s+/)),
    ...readWatchdog(watchdog),
    enforce: new Set(readEnforce(options.enforce)),
    headings: texts(options.headings) ?? ['Table of Contents', 'Executive Summary', 'Next Steps'],
  }
}

function readWatchdog(value: Json | undefined): Pick<MuxOptions, 'watchdog'> {
  if (value !== true && !isObject(value)) return {}
  const minutes = (key: string) => {
    const given = isObject(value) ? value[key] : undefined
    return (typeof given === 'number' && given > 0 ? given : WATCHDOG_MINUTES) * 60_000
  }
  return { watchdog: { afterMs: minutes('afterMinutes'), everyMs: minutes('everyMinutes') } }
}

function readEnforce(value: Json | undefined): readonly SoftRule[] {
  if (value === true) return SOFT_RULES
  return SOFT_RULES.filter((rule) => texts(value)?.includes(rule) === true)
}

function texts(value: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((each): each is string => typeof each === 'string' && each.trim() !== '')
}
