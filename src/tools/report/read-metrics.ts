import { constants, createReadStream, promises } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { dayOf, parseAggregation, parseSnapshot, type Snapshot } from '../../policy/metrics/documents.ts'
import { addFigures, type Figures } from '../../policy/metrics/figures.ts'
import { foldMetrics } from '../../policy/metrics/fold.ts'
import { type Metric, parseMetric } from '../../policy/metrics/metric.ts'
import { folderOf, type Kind, readName, sessionName } from '../../policy/metrics/places.ts'

/** The sums of a project's metrics, and what could not be read. */
export interface ReadMetrics {
  readonly figures: Figures
  readonly brokenLines: number
  readonly brokenFiles: number
}

export interface Wanted {
  /** ISO time. */
  readonly since?: string
  readonly until?: string
  readonly session?: string
}

/**
 * Uses the lines of each session while they exist, then its newest snapshot, then the day. Each session is
 * counted once. Nothing here throws: what cannot be read is counted.
 */
export async function readMetrics(project: string, wanted: Wanted): Promise<ReadMetrics> {
  const lines = await readSessions(project, wanted)
  const snapshots = await newestSnapshots(project)
  const told = snapshots.found.filter(({ sessionId }) => !lines.seen.has(sessionName(sessionId)))
  const days = await readDays(project, snapshots.found)
  const kept = [
    ...told.filter(({ sessionId }) => wanted.session === undefined || sessionId === wanted.session),
    // A day belongs to no single session.
    ...(wanted.session === undefined ? days.found : []),
  ]
  const figures = kept.map((each) => each.figures).filter((each) => isWithin(each, wanted))
  return {
    figures: addFigures([...lines.figures, ...figures]),
    brokenLines: lines.brokenLines,
    brokenFiles: lines.brokenFiles + snapshots.broken + days.broken,
  }
}

/** A summary can only be used if no part of it is filtered out. */
function isWithin({ from, to }: Figures, { since, until }: Wanted): boolean {
  const isSince = since === undefined || (from !== null && from >= since)
  return isSince && (until === undefined || (to !== null && to < until))
}

interface Sessions {
  readonly figures: readonly Figures[]
  readonly seen: ReadonlySet<string>
  readonly brokenLines: number
  readonly brokenFiles: number
}

async function readSessions(project: string, wanted: Wanted): Promise<Sessions> {
  const figures: Figures[] = []
  const seen = new Set<string>()
  let brokenLines = 0
  let brokenFiles = 0
  for (const name of await namesIn(project, 'sessions')) {
    const [, session] = /^([\w=-]{1,200})\.jsonl$/.exec(name) ?? []
    if (session === undefined) continue
    const isWanted = wanted.session === undefined || sessionName(wanted.session) === session
    const read = isWanted ? await readLines(pathOf(project, 'sessions', name), wanted) : NO_LINES
    seen.add(session)
    if (read === undefined) brokenFiles += 1
    else {
      brokenLines += read.broken
      if (read.metrics.length > 0) figures.push(foldMetrics(read.metrics))
    }
  }
  return { figures, seen, brokenLines, brokenFiles }
}

interface Lines {
  readonly metrics: readonly Metric[]
  readonly broken: number
}

const NO_LINES: Lines = { metrics: [], broken: 0 }
/** No writer makes a longer line. */
const LINE_CHARACTERS_MAX = 128 * 1024

async function readLines(path: string, { since, until }: Wanted): Promise<Lines | undefined> {
  const metrics: Metric[] = []
  let broken = 0
  try {
    // Reading a pipe instead of a file could wait forever.
    if (!(await promises.lstat(path)).isFile()) return undefined
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
    const file = await promises.open(path, flags)
    const stream = createReadStream('', { fd: file, encoding: 'utf8' })
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === '') continue
      const metric = line.length > LINE_CHARACTERS_MAX ? undefined : parseMetric(line)
      if (metric === undefined) broken += 1
      else if (
        (since === undefined || metric.timestamp >= since) &&
        (until === undefined || metric.timestamp < until)
      )
        metrics.push(metric)
    }
    return { metrics, broken }
  } catch {
    return undefined
  }
}

interface Documents<T> {
  readonly found: readonly T[]
  readonly broken: number
}

async function newestSnapshots(project: string): Promise<Documents<Snapshot>> {
  const newest = new Map<string, { readonly name: string; readonly atMs: number }>()
  for (const name of await namesIn(project, 'snapshots')) {
    const said = readName('snapshots', name)
    if (said === undefined) continue
    const { atMs, session } = said
    if (atMs >= (newest.get(session)?.atMs ?? 0)) newest.set(session, { name, atMs })
  }
  return readAll(
    project,
    'snapshots',
    [...newest.values()].map(({ name }) => name),
    parseSnapshot,
  )
}

/**
 * Days on which every session that is still stored separately began are left out, because those sessions are
 * counted.
 */
async function readDays(project: string, snapshots: readonly Snapshot[]) {
  const known = new Set(snapshots.map(({ figures }) => dayOf(figures)))
  const names = (await namesIn(project, 'aggregations')).filter(
    (name) => readName('aggregations', name) !== undefined,
  )
  const days = await readAll(project, 'aggregations', names, parseAggregation)
  return { ...days, found: days.found.filter(({ day }) => !known.has(day)) }
}

const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024

async function readAll<T>(
  project: string,
  kind: Kind,
  names: readonly string[],
  parse: (text: string) => T | undefined,
): Promise<Documents<T>> {
  const found: T[] = []
  let broken = 0
  for (const name of names) {
    const path = pathOf(project, kind, name)
    const info = await promises.lstat(path).catch(() => undefined)
    const isReadable = info?.isFile() === true && info.size <= DOCUMENT_BYTES_MAX
    const text = isReadable ? await promises.readFile(path, 'utf8').catch(() => '') : ''
    const document = parse(text)
    if (document === undefined) broken += 1
    else found.push(document)
  }
  return { found, broken }
}

function pathOf(project: string, kind: Kind, name: string): string {
  return join(project, folderOf(kind), name)
}

/** A folder that other programs fill is only read up to a limit. */
const NAMES_MAX = 20_000

async function namesIn(project: string, kind: Kind): Promise<readonly string[]> {
  const names = await promises.readdir(join(project, folderOf(kind))).catch(() => [])
  return names.sort().slice(-NAMES_MAX)
}
