import { existsSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { redact } from '../core/redact/redact.ts'
import { HOSTS } from '../hosts/index.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { programFile } from '../system/package.ts'
import { findTranscripts } from '../tools/history/find-transcripts.ts'
import { transcriptReaders } from '../tools/history/readers.ts'
import { buildScanReport, type ReportContext, type ScanReport } from '../tools/scan/report.ts'
import { scanSessions } from '../tools/scan/scan.ts'
import { terminalScan } from '../tools/scan/terminal.ts'
import type { Caller } from './caller.ts'
import { sinceTime } from './log.ts'
import { megabytes, openProgress } from './progress.ts'
import { fitted, reportScreen, screenWidth } from './screen.ts'
import { hostsWithTranscripts } from './transcript-hosts.ts'
import { visible } from './visible.ts'

interface ScanCommandOptions {
  readonly since: string
  readonly project?: string
  readonly host?: readonly string[]
  readonly json?: boolean
  readonly html?: string
  readonly home?: string
}

/** What the policies of this machine would have done with what agents did here. Reads transcripts; changes nothing. */
export async function scan(caller: Caller, options: ScanCommandOptions): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  const at = new Date()
  const since = options.since === 'all' ? undefined : sinceTime(options.since, at)
  const readers = await transcriptReaders(await hostsWithTranscripts(options.host))
  const { sessions, skipped } = findTranscripts(readers, {
    places: { home: home.user, project: caller.cwd, env: caller.env },
    ...(since === undefined ? {} : { sinceMs: Date.parse(since) }),
  })
  const total = sessions.reduce((sum, { bytes }) => sum + bytes, 0)
  const progress = openProgress(caller, total, megabytes)
  const threadFile = programFile('scanner')
  const tally = await scanSessions(
    sessions,
    {
      home,
      ...(since === undefined ? {} : { since }),
      ...(options.project === undefined ? {} : { project: resolve(caller.cwd, options.project) }),
    },
    {
      now: () => performance.now(),
      onBytes: progress.at,
      threads: Math.min(THREADS_MAX, availableParallelism()),
      ...(existsSync(threadFile) ? { threadFile } : {}),
    },
  )
  progress.end()
  const report = buildScanReport(tally, {
    ...(since === undefined ? {} : { since }),
    at: at.toISOString(),
    installed: existsSync(home.installs),
    skipped,
    hosts: await hostFacts(),
    folder: (path) => shortFolder(path, home),
  })
  if (options.html !== undefined) await writePage(caller, report, options.html)
  if (options.json === true) caller.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else if (options.html === undefined)
    caller.stdout.write(fitted(terminalScan(report, reportScreen(caller)), screenWidth(caller.stdout)))
}

/** More threads than this wait for the disk. */
const THREADS_MAX = 8

async function hostFacts(): Promise<ReportContext['hosts']> {
  return Promise.all(
    (await transcriptReaders()).map(async ({ host, versions }) => ({
      id: host,
      title: (await HOSTS[host]?.())?.host.title ?? host,
      versions,
    })),
  )
}

function shortFolder(path: string, { user }: Home): string {
  const short = path === user || path.startsWith(`${user}/`) ? `~${path.slice(user.length)}` : path
  return redact(short)
}

async function writePage(caller: Caller, report: ScanReport, file: string): Promise<void> {
  const { pageScan } = await import('../tools/scan/page.ts')
  try {
    writeFileSync(caller.path(file), pageScan(report))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--html',
      message: `The page could not be written: ${why}.`,
      fix: 'Name a file in a folder that exists and that you can write to.',
    })
  }
  caller.stderr.write(`The page is in ${visible(file)}. Open it in a browser.\n`)
}
