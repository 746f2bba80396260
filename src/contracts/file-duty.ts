import type { Facts } from '../facts.ts'
import type { FileDuty } from './contract.ts'
import { shapeFaults } from './json-shape.ts'
import type { Scene, Verdict } from './judge.ts'
import { inProject, type Look, lookAt } from './look.ts'
import { missingHeadings } from './markdown.ts'
import { pathsFrom } from './names.ts'

/** A file that is read for what is in it may be this large. */
const READ_MAX_BYTES = 1024 * 1024

/** What is missing of one file. Of the paths it may have, one that has everything is enough. */
export async function fileFindings(duty: FileDuty, scene: Scene): Promise<Verdict> {
  const paths = pathsFrom(duty.path, scene.names)
  if (paths === undefined) {
    return { missing: [], notices: [`${duty.path} cannot be looked for: its name is not known.`] }
  }
  let best: Found | undefined
  for (const path of paths) {
    const found = await findingsAt(path, duty, scene)
    if (found.missing.length === 0) return found
    if (best === undefined || (found.isThere && !best.isThere)) best = found
  }
  return best ?? NOTHING
}

interface Found extends Verdict {
  readonly isThere: boolean
}

const NOTHING: Found = { missing: [], notices: [], isThere: true }

async function findingsAt(path: string, duty: FileDuty, { facts, start }: Scene): Promise<Found> {
  const look = await lookAt(path, facts)
  if (look.is === 'closed') return unclear(path)
  if (look.is !== 'file') return { missing: [`${path} ${NOT_THERE[look.is]}.`], notices: [], isThere: false }
  const size = sizeFaults(look.sizeBytes, duty)
  const isOld = duty.fresh === true && start !== undefined && look.modifiedMs < oldestStamp(start.atMs)
  const age = isOld ? ['was not written since you began; bring it up to date'] : []
  if (duty.signal === true || (size.length > 0 && !isReadable(look)))
    return found(path, [...age, ...size], [])
  if (!isReadable(look)) return found(path, [...age, `is larger than ${READ_MAX_BYTES} bytes`], [])
  const text = await facts.readText(inProject(path, facts), READ_MAX_BYTES)
  if (text === undefined) return unclear(path)
  const { faults, warnings } = textFaults(text, duty)
  return found(path, [...age, ...size, ...faults], warnings)
}

const NOT_THERE: Readonly<Record<Exclude<Look['is'], 'file' | 'closed'>, string>> = {
  missing: 'does not exist',
  folder: 'is a folder, not a file',
  'no file': 'is not a regular file',
  outside: 'leads outside of the project',
}

/** A kernel stamps files by a clock that ticks only every few milliseconds, and so lags behind the one we read. */
const FILE_CLOCK_LAG_MS = 20

/** The oldest time a file written since then can bear: some file systems keep whole seconds only. */
function oldestStamp(sinceMs: number): number {
  return Math.floor((sinceMs - FILE_CLOCK_LAG_MS) / 1000) * 1000
}

function isReadable(look: Extract<Look, { is: 'file' }>): boolean {
  return look.sizeBytes <= READ_MAX_BYTES
}

/** Nothing was found wrong: an agent must not be held for what we cannot see. */
function unclear(path: string): Found {
  return { missing: [], notices: [`${path} cannot be read, so it counts as complete.`], isThere: true }
}

function found(path: string, faults: readonly string[], warnings: readonly string[]): Found {
  return {
    missing: faults.map((fault) => `${path} ${fault}.`),
    notices: warnings.map((warning) => `${path} ${warning}.`),
    isThere: true,
  }
}

function sizeFaults(sizeBytes: number, { minBytes, maxBytes }: FileDuty): readonly string[] {
  return [
    ...(minBytes !== undefined && sizeBytes < minBytes
      ? [`has ${sizeBytes} bytes; at least ${minBytes} are needed`]
      : []),
    ...(maxBytes !== undefined && sizeBytes > maxBytes
      ? [`has ${sizeBytes} bytes; at most ${maxBytes} are allowed`]
      : []),
  ]
}

function textFaults(
  text: string,
  { headings = [], minLines, maxLines, json }: FileDuty,
): { readonly faults: readonly string[]; readonly warnings: readonly string[] } {
  if (text.trim() === '') return { faults: ['is empty'], warnings: [] }
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '').length
  const faults = [
    ...missingHeadings(text, headings).map((heading) => `lacks the heading "${heading}"`),
    ...(minLines !== undefined && lines < minLines
      ? [`has ${lines} lines that are not blank; at least ${minLines} are needed`]
      : []),
    ...(json === undefined ? [] : shapeFaults(text, json)),
  ]
  const tooLong = maxLines !== undefined && lines > maxLines
  return { faults, warnings: tooLong ? [`has ${lines} lines; ${maxLines} are meant to be enough`] : [] }
}

/** Whether such a file is there at all, fresh where that is asked. */
export async function isThere(path: string, facts: Facts, sinceMs: number | undefined): Promise<boolean> {
  const look = await lookAt(path, facts)
  return look.is === 'file' && (sinceMs === undefined || look.modifiedMs >= oldestStamp(sinceMs))
}
