import type { Home } from '../../system/home.ts'
import type { TranscriptSession } from '../history/find-transcripts.ts'
import { createProjectPlans } from '../history/project-plans.ts'
import { findReader } from '../history/readers.ts'
import { createSessionScanner } from './scan-session.ts'
import { addTally, closeTally, emptyTally, type OpenCall, type ScanTally } from './tally.ts'
import { runThreads } from './threads.ts'

/** What is asked of a scan. Plain data: threads get it as a message. */
export interface ScanRequest {
  readonly home: Home
  /** ISO; older calls are left out. */
  readonly since?: string
  /** Only calls in this folder or below it. */
  readonly project?: string
}

export interface ScanOptions {
  /** The built program of a scanning thread. Missing: everything is done on this thread. */
  readonly threadFile?: string
  readonly threads?: number
  /** A monotonic clock in milliseconds. */
  now(): number
  /** Called now and then with the bytes read so far. */
  onBytes?(bytes: number): void
}

/** Less than this is read faster than a thread starts. */
const ALONE_MAX_BYTES = 4 * 1024 * 1024
/** What a thread is given at a time: enough to be worth a message, little enough that all end together. */
const PART_MAX_BYTES = 8 * 1024 * 1024
const PART_MAX_SESSIONS = 64
const PARTS_PER_THREAD = 32

/** Decides every call of these sessions with the policies that hold now. Reads, and does nothing else. */
export async function scanSessions(
  sessions: readonly TranscriptSession[],
  request: ScanRequest,
  options: ScanOptions,
): Promise<ScanTally> {
  const sum = emptyTally()
  const { threadFile, threads = 2 } = options
  const isShared = threadFile !== undefined && threads > 1 && bytesOf(sessions) > ALONE_MAX_BYTES
  let left = partsOf(sessions, isShared ? threads * PARTS_PER_THREAD : 1)
  if (isShared) {
    left = await runThreads(left, request, { ...options, threadFile, threads }, (tally) =>
      addTally(sum, tally),
    )
  }
  // Alone, or what a thread that died has left.
  const scan = createPartScanner(request, options)
  for (const part of left) addTally(sum, await scan(part, (bytes) => options.onBytes?.(sum.bytes + bytes)))
  return sum
}

/** Scans one part: for a thread, or for this one. */
export function createPartScanner(
  request: ScanRequest,
  { now }: Pick<ScanOptions, 'now'>,
): (part: readonly TranscriptSession[], onBytes: (bytes: number) => void) => Promise<ScanTally> {
  const plans = createProjectPlans(request.home)
  let report: (bytes: number) => void = () => {}
  const scanner = createSessionScanner({
    plans,
    host: findReader,
    home: request.home.user,
    now,
    ...(request.since === undefined ? {} : { since: request.since }),
    ...(request.project === undefined ? {} : { project: request.project }),
    onBytes: (bytes) => report(bytes),
  })
  return async (part, onBytes) => {
    const tally = emptyTally<OpenCall>()
    for (const session of part) {
      report = (bytes) => onBytes(tally.bytes + bytes)
      await scanner.scan(session, tally)
    }
    return closeTally(tally)
  }
}

/** The largest sessions first, so that no thread is left alone with one at the end. At least so many parts, if it can be. */
function partsOf(
  sessions: readonly TranscriptSession[],
  least: number,
): readonly (readonly TranscriptSession[])[] {
  const bytesMax = Math.min(PART_MAX_BYTES, bytesOf(sessions) / least)
  const sessionsMax = Math.min(PART_MAX_SESSIONS, sessions.length / least)
  const parts: TranscriptSession[][] = []
  let open: TranscriptSession[] = []
  let bytes = 0
  for (const session of [...sessions].sort((a, b) => b.bytes - a.bytes)) {
    open.push(session)
    bytes += session.bytes
    if (bytes < bytesMax && open.length < sessionsMax) continue
    parts.push(open)
    open = []
    bytes = 0
  }
  return open.length === 0 ? parts : [...parts, open]
}

function bytesOf(sessions: readonly TranscriptSession[]): number {
  return sessions.reduce((sum, { bytes }) => sum + bytes, 0)
}
