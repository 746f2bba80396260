import type { Facts } from '../../core/facts.ts'
import type { ContractInput, ContractResult } from './check.ts'
import type { FileRequirement } from './contract.ts'
import { type FileState, inspectFile, projectPath } from './inspect-file.ts'
import { shapeFaults } from './json-shape.ts'
import { missingHeadings } from './markdown.ts'
import { pathsFrom } from './names.ts'

/** Largest size of a file whose contents are read. */
const READ_MAX_BYTES = 1024 * 1024

/** What is missing in one file. If the file may have several paths, one complete file is enough. */
export async function fileFindings(
  requirement: FileRequirement,
  input: ContractInput,
): Promise<ContractResult> {
  const paths = pathsFrom(requirement.path, input.names)
  if (paths === undefined) {
    return { missing: [], notices: [`${requirement.path} cannot be checked, because its name is not known.`] }
  }
  let best: Found | undefined
  for (const path of paths) {
    const found = await findingsAt(path, requirement, input)
    if (found.missing.length === 0) return found
    if (best === undefined || (found.isThere && !best.isThere)) best = found
  }
  return best ?? NOTHING
}

interface Found extends ContractResult {
  readonly isThere: boolean
}

const NOTHING: Found = { missing: [], notices: [], isThere: true }

async function findingsAt(
  path: string,
  requirement: FileRequirement,
  { facts, start }: ContractInput,
): Promise<Found> {
  const look = await inspectFile(path, facts)
  if (look.kind === 'closed') return unclear(path)
  if (look.kind !== 'file')
    return { missing: [`${path} ${NOT_THERE[look.kind]}.`], notices: [], isThere: false }
  const size = sizeFaults(look.sizeBytes, requirement)
  const isOld = requirement.fresh === true && start !== undefined && look.modifiedMs < oldestStamp(start.atMs)
  const age = isOld ? ['was not written since you started. Update it'] : []
  if (requirement.signal === true || (size.length > 0 && !isReadable(look)))
    return found(path, [...age, ...size], [])
  if (!isReadable(look)) return found(path, [...age, `is larger than ${READ_MAX_BYTES} bytes`], [])
  const text = await facts.readText(projectPath(path, facts), READ_MAX_BYTES)
  if (text === undefined) return unclear(path)
  const { faults, warnings } = textFaults(text, requirement)
  return found(path, [...age, ...size, ...faults], warnings)
}

const NOT_THERE: Readonly<Record<Exclude<FileState['kind'], 'file' | 'closed'>, string>> = {
  missing: 'does not exist',
  folder: 'is a folder, not a file',
  'no file': 'is not a regular file',
  outside: 'is outside the project',
}

/**
 * The kernel sets file times from a clock that ticks only every few milliseconds, so they may be slightly too early.
 */
const FILE_CLOCK_LAG_MS = 20

/** The earliest time that a file written since then can have. Some file systems store whole seconds only. */
function oldestStamp(sinceMs: number): number {
  return Math.floor((sinceMs - FILE_CLOCK_LAG_MS) / 1000) * 1000
}

function isReadable(look: Extract<FileState, { kind: 'file' }>): boolean {
  return look.sizeBytes <= READ_MAX_BYTES
}

/** Nothing is known to be wrong, and an agent must not be held for something that we cannot check. */
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

function sizeFaults(sizeBytes: number, { minBytes, maxBytes }: FileRequirement): readonly string[] {
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
  { headings = [], minLines, maxLines, json }: FileRequirement,
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
  return { faults, warnings: tooLong ? [`has ${lines} lines; it should have at most ${maxLines}`] : [] }
}

/** Whether such a file exists, and is new enough if the contract says so. */
export async function isThere(path: string, facts: Facts, sinceMs: number | undefined): Promise<boolean> {
  const look = await inspectFile(path, facts)
  return look.kind === 'file' && (sinceMs === undefined || look.modifiedMs >= oldestStamp(sinceMs))
}
