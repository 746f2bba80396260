import type { JsonObject } from '../../../core/json.ts'
import { type PackOptions, usableOptions } from '../../../core/pack-options.ts'
import { BLOCKS_DEFAULT } from '../../completion/contract.ts'
import { TEXTS } from '../option-texts.ts'

/** The options of the pack, with defaults filled in. */
export interface PadOptions {
  /** Every agent has a folder inside it. */
  readonly folder: string
  readonly headings: readonly string[]
  /** Agent types that need no entry, for example agents that cannot write. */
  readonly except: readonly string[]
  /** Folders whose entries do not count as delegation. */
  readonly exclude: readonly string[]
  /** Session starts that add context. */
  readonly sources: readonly string[]
  /** Only entries written since the start of the session count as delegation. */
  readonly sinceSession: boolean
  readonly limits: Limits
}

export type Limits = Readonly<Record<keyof typeof DEFAULT_LIMITS, number>> & {
  readonly minLines?: number
  readonly maxLines?: number
}

export const COORDINATOR = 'coordinator'
export const EGO = 'ego'

const DEFAULT_LIMITS = {
  /** How many lines of the newest coordinator entry, lines of the ego entry, and commits a session start shows. */
  coordinator: 25,
  ego: 20,
  commits: 5,
  /** How many lines of both entries a sub-agent start shows. */
  tail: 3,
  /** Agents move a longer text into a file, which they often do not read. */
  characters: 9_000,
  blocks: BLOCKS_DEFAULT,
}
const lines = (description: string, maximum = 100_000) =>
  ({ type: 'integer', minimum: 0, maximum, description }) as const

export const PAD_OPTIONS = {
  folder: {
    type: 'string',
    // Relative, without `..` and without placeholders.
    pattern:
      '^(?:\\./)?(?!~)(?:(?!\\.{1,2}(?:/|$))[^/\\u0000-\\u001f\\\\{}]+/)*(?!\\.{1,2}/?$)[^/\\u0000-\\u001f\\\\{}]+/?$',
    title: 'a folder of the project',
    default: '.claude/scratchpad',
    description: 'Every agent has a folder inside it.',
  },
  headings: {
    ...TEXTS,
    default: ['What I did', 'Cross-agent observations', 'Unresolved'],
    description: 'The headings that an entry must have.',
  },
  except: { ...TEXTS, default: [], description: 'Agent types that need no entry.' },
  exclude: {
    ...TEXTS,
    default: [COORDINATOR, EGO],
    description: 'Folders whose entries do not count as delegation.',
  },
  sources: { ...TEXTS, default: ['startup'], description: 'Session starts that add context.' },
  sinceSession: {
    type: 'boolean',
    default: false,
    description: 'Only entries written since the start of the session count as delegation.',
  },
  limits: {
    type: 'object',
    properties: {
      coordinator: lines('Lines of the newest coordinator entry that a session start shows.'),
      ego: lines('Lines of the ego entry that a session start shows.'),
      commits: lines('Commits that a session start shows.', 50),
      tail: lines('Lines of both entries that a sub-agent start shows.'),
      characters: lines('Characters that are shown at most.'),
      blocks: lines('How often an agent is sent back.', 7),
      minLines: lines('Lines that an entry must have.'),
      maxLines: lines('Lines that an entry may have.'),
    },
    description: 'How much is shown and asked for.',
  },
} as const satisfies PackOptions

export function readPadOptions(given: JsonObject): PadOptions {
  const { folder, limits, ...others } = usableOptions(given, PAD_OPTIONS)
  return {
    ...others,
    folder: folder.replace(/^\.\//, '').replace(/\/$/, ''),
    limits: { ...DEFAULT_LIMITS, ...limits },
  }
}
