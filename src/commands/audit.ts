import { isAbsolute, relative, resolve } from 'node:path'
import type { TranscriptCall } from '../core/transcript.ts'
import { HOSTS } from '../hosts/index.ts'
import { forgetHoles } from '../storage/journal/holes.ts'
import { openJournal } from '../storage/journal/journal.ts'
import type { JournalRecord, Store } from '../storage/journal/store.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { readInstalls } from '../system/installs.ts'
import { type AuditContext, type AuditTally, compareSession, emptyAudit } from '../tools/audit/compare.ts'
import { describeCall } from '../tools/audit/describe-call.ts'
import { buildAuditReport, terminalAudit } from '../tools/audit/report.ts'
import { findTranscripts, type TranscriptSession } from '../tools/history/find-transcripts.ts'
import { createProjectPlans } from '../tools/history/project-plans.ts'
import { nothingUnread, readTranscript, type Unread } from '../tools/history/read-transcript.ts'
import { findReader, transcriptReaders } from '../tools/history/readers.ts'
import type { Caller } from './caller.ts'
import { sinceTime } from './log.ts'
import { megabytes, openProgress } from './progress.ts'
import { fitted, screenWidth } from './screen.ts'
import { hostsWithTranscripts } from './transcript-hosts.ts'
import { visible } from './visible.ts'

interface AuditCommandOptions {
  readonly since: string
  readonly project?: string
  readonly host?: readonly string[]
  readonly json?: boolean
  readonly home?: string
}

/**
 * Proof of enforcement: every call that agents ran, against the decisions in the journal. Exit 1 if one is
 * unaccounted for.
 */
export async function audit(caller: Caller, options: AuditCommandOptions): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  const since = options.since === 'all' ? undefined : sinceTime(options.since, new Date())
  const readers = await transcriptReaders(await hostsWithTranscripts(options.host))
  const { sessions } = findTranscripts(readers, {
    places: { home: home.user, project: caller.cwd, env: caller.env },
    ...(since === undefined ? {} : { sinceMs: Date.parse(since) }),
  })
  const { store, importSpool } = await openJournal(home.journal)
  try {
    // Checked before and after the import: the import changes the chain's end mark.
    const before = store.verify()
    importSpool()
    const chain = before.ok ? store.verify() : before
    const guarded = new Set(readInstalls(home.installs).map(({ host }) => host))
    const tally = emptyAudit()
    const unguarded = new Map<string, number>()
    const unread = nothingUnread()
    const context = await contextOf(caller, store, home, options, since)
    const progress = openProgress(
      caller,
      sessions.reduce((sum, { bytes }) => sum + bytes, 0),
      megabytes,
    )
    let done = 0
    for (const session of sessions) {
      progress.at(done)
      done += session.bytes
      if (guarded.has(session.host)) await auditSession(session, store, context, tally, unread)
      else {
        const other = emptyAudit()
        await auditSession(session, store, context, other, unread)
        unguarded.set(session.host, (unguarded.get(session.host) ?? 0) + other.ran)
      }
    }
    progress.end()
    const report = buildAuditReport(tally, {
      ...(since === undefined ? {} : { since }),
      chain,
      notRead: unread,
      unguardedHosts: await Promise.all(
        [...unguarded]
          .filter(([, calls]) => calls > 0)
          .map(async ([host, calls]) => ({
            host,
            calls,
            title: (await HOSTS[host]?.())?.host.title ?? host,
          })),
      ),
    })
    const screen = {
      visible,
      bold: caller.colours.bold,
      dim: caller.colours.dim,
      bad: caller.colours.red,
      good: caller.colours.green,
    }
    caller.stdout.write(
      options.json === true
        ? `${JSON.stringify(report, null, 2)}\n`
        : fitted(terminalAudit(report, screen), screenWidth(caller.stdout)),
    )
    if (options.json !== true) forgetHoles(home.journal)
    if (!report.ok) caller.exitCode = 1
  } finally {
    store.close()
  }
}

type SharedContext = Omit<AuditContext, 'host' | 'unreported' | 'untold' | 'describe'>

async function contextOf(
  caller: Caller,
  store: Store,
  home: Home,
  { project }: AuditCommandOptions,
  since: string | undefined,
): Promise<SharedContext> {
  const [oldest] = store.read({})
  const folder = project === undefined ? undefined : resolve(caller.cwd, project)
  return {
    oldest: oldest?.record.at,
    isCurrent: await currentPolicies(store, home),
    ...(since === undefined ? {} : { since }),
    ...(folder === undefined
      ? {}
      : {
          includes: ({ cwd }) => {
            const below = relative(folder, cwd)
            return !below.startsWith('..') && !isAbsolute(below)
          },
        }),
  }
}

const PROJECTS_MAX = 200

/** The policy of each project as it is now. A project that is gone has none to compare with. */
async function currentPolicies(store: Store, home: Home): Promise<(record: JournalRecord) => boolean> {
  const plans = createProjectPlans(home)
  const projects = new Set<string>()
  for (const { record } of store.read({})) if (projects.size < PROJECTS_MAX) projects.add(record.project)
  const revisions = new Map<string, string>()
  for (const project of projects) revisions.set(project, (await plans.planOf(project)).plan.revision)
  return ({ project, revision }) => (revisions.get(project) ?? revision) === revision
}

async function auditSession(
  session: TranscriptSession,
  store: Store,
  context: SharedContext,
  tally: AuditTally,
  unread: Unread,
): Promise<void> {
  const member = await findReader(session.host)
  if (member === undefined) return
  const { reader, host } = member
  const items = function* () {
    for (const { file, path } of session.files) yield* readTranscript(file, path, reader, unread)
  }
  const records = function* () {
    for (const { record } of store.read({ session: session.session })) yield record
  }
  const own = {
    ...context,
    host: session.host,
    unreported: reader.unreported ?? [],
    untold: reader.untold ?? [],
    describe: (call: TranscriptCall) => describeCall(call, host),
  }
  compareSession(items(), records(), own, tally)
}
