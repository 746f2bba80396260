import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { BLOCKS_DEFAULT } from '../../completion/contract.ts'
import { ANYTHING, optionComplaints } from '../option-complaints.ts'
import { optionReader } from '../option-reader.ts'

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
  /** Reports values that cannot be used, one sentence each. */
  readonly problems: readonly string[]
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
const LIMIT_MAX: Readonly<Record<string, number>> = { commits: 50, blocks: 7 }
const LIMIT_OTHERWISE_MAX = 100_000

export function readPadOptions(options: JsonObject): PadOptions {
  const problems: string[] = []
  const read = optionReader(options, problems)
  const texts = (key: string, otherwise: readonly string[]) =>
    read(key, otherwise, 'a list of strings', (value) =>
      Array.isArray(value) && value.every((each) => typeof each === 'string' && each.trim() !== '')
        ? (value as readonly string[])
        : undefined,
    )
  return {
    folder: read('folder', '.claude/scratchpad', 'a folder of the project', asFolderPath),
    headings: texts('headings', ['What I did', 'Cross-agent observations', 'Unresolved']),
    except: texts('except', []),
    exclude: texts('exclude', [COORDINATOR, EGO]),
    sources: texts('sources', ['startup']),
    sinceSession: read('sinceSession', false, '`true` or `false`', (value) =>
      typeof value === 'boolean' ? value : undefined,
    ),
    limits: { ...DEFAULT_LIMITS, ...read('limits', {}, LIMITS_ACCEPTED, readLimits) },
    problems,
  }
}

const OPTIONS = ['folder', 'headings', 'except', 'exclude', 'sources', 'sinceSession', 'limits']

export function padComplaints(options: JsonObject): readonly string[] {
  const known = Object.fromEntries(OPTIONS.map((key) => [key, ANYTHING]))
  return [...optionComplaints(options, known), ...readPadOptions(options).problems]
}

/** Relative, without `..` and without placeholders. */
function asFolderPath(value: Json): string | undefined {
  if (typeof value !== 'string') return undefined
  const path = value.replace(/^\.\//, '').replace(/\/$/, '')
  const steps = path.split('/')
  const isOdd = steps.some((step) => step === '' || step === '.' || step === '..')
  return isOdd || /[\u0000-\u001f\\{}]|^~/.test(path) ? undefined : path
}

const LIMIT_KEYS: readonly string[] = [...Object.keys(DEFAULT_LIMITS), 'minLines', 'maxLines']
const LIMITS_ACCEPTED = `a mapping of ${LIMIT_KEYS.join(', ')} to whole numbers`

function readLimits(value: Json): Partial<Limits> | undefined {
  if (!isObject(value)) return undefined
  const isLimit = ([key, number]: readonly [string, Json]) =>
    LIMIT_KEYS.includes(key) &&
    Number.isInteger(number) &&
    Number(number) >= 0 &&
    Number(number) <= (LIMIT_MAX[key] ?? LIMIT_OTHERWISE_MAX)
  return Object.entries(value).every(isLimit) ? (value as Partial<Limits>) : undefined
}
