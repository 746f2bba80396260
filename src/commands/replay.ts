import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BUILD_ID } from '../core/build-id.ts'
import { HoldpointError } from '../core/errors.ts'
import { fingerprint } from '../core/fingerprint.ts'
import { openJournal } from '../storage/journal/journal.ts'
import type { Query } from '../storage/journal/store.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import { findTranscripts } from '../tools/history/find-transcripts.ts'
import { linesOf } from '../tools/history/lines.ts'
import { createProjectPlans } from '../tools/history/project-plans.ts'
import { nothingUnread } from '../tools/history/read-transcript.ts'
import { findReader, transcriptReaders } from '../tools/history/readers.ts'
import { type Checkpoint, openCheckpoint } from '../tools/replay/checkpoint.ts'
import { eventOfRecord } from '../tools/replay/from-journal.ts'
import { createAnonymiser, eventOfRow } from '../tools/replay/from-rows.ts'
import { eventsOfSession } from '../tools/replay/from-transcripts.ts'
import type { RecordedEvent } from '../tools/replay/recorded.ts'
import { createReplay, type Replay } from '../tools/replay/replay.ts'
import { buildReplayReport, type FailOn, mustFail, type ReplayReport } from '../tools/replay/report.ts'
import { markdownReplay, terminalReplay } from '../tools/replay/words.ts'
import type { Caller } from './caller.ts'
import { sinceTime } from './log.ts'
import { openProgress, type Progress } from './progress.ts'
import { type PolicyOptions, replayPolicies } from './replay-policies.ts'
import { fitted, screenWidth } from './screen.ts'
import { visible } from './visible.ts'

interface ReplayCommandOptions extends PolicyOptions {
  readonly transcripts?: boolean
  readonly file?: string
  readonly since?: string
  readonly project?: string
  readonly all?: boolean
  readonly session?: string
  readonly failOn?: FailOn
  readonly json?: boolean
  readonly markdown?: boolean
  readonly save?: string
  readonly restart?: boolean
  readonly home?: string
}

/**
 * Decides again what was recorded, with another policy. A rehearsal: nothing is committed, read from a
 * project or started.
 */
export async function replay(caller: Caller, options: ReplayCommandOptions): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  const project = findProject(resolve(caller.cwd, options.project ?? '.'))
  const hasVerdicts = options.transcripts !== true && options.file === undefined
  const policies = await replayPolicies(caller, options, project, home, hasVerdicts)
  const { against } = policies
  const key = JSON.stringify([
    BUILD_ID,
    [options.since, options.all === true ? '' : project, options.session],
    policies.plan.plan.revision,
    typeof against === 'string' ? against : against.plan.revision,
  ])
  const checkpoint = openCheckpoint(join(home.cache, `replay-${fingerprint(key)}`), key)
  const resume =
    hasVerdicts && options.restart !== true && options.save === undefined ? checkpoint.read() : undefined
  if (resume !== undefined)
    caller.stderr.write(`Continuing an interrupted replay behind record ${resume.position}.\n`)
  const run = await createReplay({
    plan: policies.plan,
    against,
    home: home.user,
    now: () => performance.now(),
    ...(resume === undefined ? {} : { resume }),
  })
  const sample =
    options.save === undefined ? undefined : openSample(caller, options.save, home, policies.plan.maskers)
  const work: Work = { run, project, home, options, ...(sample === undefined ? {} : { sample }) }
  if (options.file !== undefined) await replayFile(caller, options.file, work)
  else if (options.transcripts === true) await replayTranscripts(caller, work)
  else await replayJournal(caller, work, checkpoint, resume?.position)
  sample?.close()
  const report = buildReplayReport(run.tally, {
    policy: policies.policy,
    ...(policies.againstWords === undefined ? {} : { against: policies.againstWords }),
    leftOut: [...new Set(policies.plan.leftOut.map(({ id }) => id))],
  })
  caller.stdout.write(textOf(caller, report, options))
  if (options.failOn !== undefined && mustFail(run.tally, options.failOn)) caller.exitCode = 1
}

interface Work {
  readonly run: Replay
  readonly project: string
  readonly home: Home
  readonly options: ReplayCommandOptions
  readonly sample?: Sample
}

async function take({ run, sample }: Work, event: RecordedEvent): Promise<void> {
  await run.take(event)
  sample?.add(event)
}

/** A replay is saved this often; what is lost at a kill is at most this much. */
const SAVE_EVERY = 20_000

async function replayJournal(
  caller: Caller,
  work: Work,
  checkpoint: Checkpoint,
  after: number | undefined,
): Promise<void> {
  const { run, home, options, project } = work
  const { store, importSpool } = await openJournal(home.journal)
  try {
    importSpool()
    const query: Query = {
      ...(options.since === undefined ? {} : { since: sinceTime(options.since, new Date()) }),
      ...(options.all === true ? {} : { project }),
      ...(options.session === undefined ? {} : { session: options.session }),
    }
    const [last] = store.read({ ...query, limit: 1 })
    const progress = openProgress(
      caller,
      (last?.seq ?? 0) - (after ?? 0),
      (amount) => `${Math.round(amount)} records`,
    )
    let count = 0
    for (const stored of store.read({ ...query, ...(after === undefined ? {} : { after }) })) {
      const event = eventOfRecord(stored)
      if (event === undefined) run.skip(stored.seq)
      else await take(work, event)
      count += 1
      progress.at(stored.seq - (after ?? 0))
      if (count % SAVE_EVERY === 0) checkpoint.write(run.progress())
    }
    progress.end()
    checkpoint.remove()
  } finally {
    store.close()
  }
}

async function replayTranscripts(caller: Caller, work: Work): Promise<void> {
  const { home, options, project } = work
  const since = options.since === undefined ? undefined : sinceTime(options.since, new Date())
  const { sessions } = findTranscripts(await transcriptReaders(), {
    places: { home: home.user, project, env: caller.env },
    ...(since === undefined ? {} : { sinceMs: Date.parse(since) }),
  })
  const plans = createProjectPlans(home)
  const unread = nothingUnread()
  const progress = openProgress(caller, sessions.length, (amount) => `${Math.round(amount)} sessions`)
  for (const [index, session] of sessions.entries()) {
    progress.at(index)
    if (options.session !== undefined && session.session !== options.session) continue
    const member = await findReader(session.host)
    if (member === undefined) continue
    let of: string | undefined
    for (const event of eventsOfSession(session, member, '', unread)) {
      of ??= plans.projectOf(event.event.cwd)
      if (options.all !== true && of !== project) break
      if (since === undefined || event.isContext === true || event.at.toISOString() >= since) {
        await take(work, { ...event, project: of })
      }
    }
  }
  progress.end()
  const lost = Object.entries(unread).filter(([, count]) => count > 0)
  if (lost.length > 0) {
    const words = lost.map(([kind, count]) => `${kind} ${count}`).join(', ')
    caller.stderr.write(`holdpoint: not everything in the transcripts could be read: ${words}.\n`)
  }
}

async function replayFile(caller: Caller, file: string, work: Work): Promise<void> {
  const { project } = work
  let size = 0
  try {
    size = statSync(caller.path(file)).size
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--file',
      message: `The file cannot be read: ${why}.`,
    })
  }
  let done = 0
  const progress: Progress = openProgress(caller, size, (amount) => `${Math.round(amount / 1000)} kB`)
  let position = 0
  for (const line of linesOf(caller.path(file), { onBytes: (bytes) => (done = bytes) })) {
    position += 1
    progress.at(done)
    if (line.kind === 'too-long') throw tooLong(position)
    if (line.text.trim() === '') continue
    const event = await eventOfRow(line.text, position, project)
    // A sample is committed and small: a line that cannot be read is a mistake in it, not an accident.
    if (!event.ok) throw new HoldpointError({ ...event.problem, file, line: position })
    await take(work, event.value)
  }
  progress.end()
}

function tooLong(line: number): HoldpointError {
  return new HoldpointError({ code: 'ROW_INVALID', message: `Line ${line} is longer than 16 MiB.` })
}

interface Sample {
  add(event: RecordedEvent): void
  close(): void
}

function openSample(
  caller: Caller,
  path: string,
  home: Home,
  maskers: Parameters<typeof createAnonymiser>[1],
): Sample {
  const anonymiser = createAnonymiser(home.user, maskers)
  // An existing file is somebody's work.
  const file = openSync(caller.path(path), 'wx', 0o600)
  return {
    add: (event) => void writeSync(file, `${JSON.stringify(anonymiser.rowOf(event))}\n`),
    close: () => {
      closeSync(file)
      caller.stderr.write(
        `Written to ${visible(path)}. Folders, sessions and agents have invented names and secrets are masked. Read it before you publish it.\n`,
      )
    },
  }
}

function textOf(caller: Caller, report: ReplayReport, { json, markdown }: ReplayCommandOptions): string {
  if (json === true) return `${JSON.stringify(report, null, 2)}\n`
  if (markdown === true) return markdownReplay(report)
  return fitted(
    terminalReplay(report, {
      visible: (text) => visible(text, 200),
      bold: caller.colours.bold,
      dim: caller.colours.dim,
    }),
    screenWidth(caller.stdout),
  )
}
