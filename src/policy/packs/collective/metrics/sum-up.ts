import type { Note } from '../../../../core/decision.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { Guard } from '../../../../core/guard.ts'
import type { JsonObject } from '../../../../core/json.ts'
import {
  aggregationOf,
  dayOf,
  parseSnapshot,
  type Snapshot,
  sessionReport,
  snapshotOf,
} from '../../../metrics/documents.ts'
import { foldMetrics } from '../../../metrics/fold.ts'
import { parseMetric } from '../../../metrics/metric.ts'
import {
  documentPath,
  folderOf,
  KINDS,
  type Kind,
  readName,
  sessionName,
  sessionPath,
} from '../../../metrics/places.ts'
import { metricOf } from './metric-of.ts'
import { type MetricOptions, readMetricOptions } from './options.ts'

/**
 * Sums up the collected metrics: sometimes a snapshot of the session, and at its end the day, a report and the
 * removal of old files. Everything can be computed again from the lines, so a failure here loses nothing.
 */
export const sumUp: Guard = {
  id: 'collective/metrics/sum-up',
  title: 'Metrics without a summary',
  why: 'Reports are read from daily sums, not from thousands of single lines.',
  instead: 'no action is needed. `holdpoint report` shows the metrics.',
  on: ['Stop', 'SessionEnd'],
  match: '',
  readsDelivery: true,
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'pass',
  examples: {
    stops: [],
    passes: [
      { kind: 'Stop', fields: { stopHookActive: false } },
      { kind: 'Stop', fields: { stopHookActive: true } },
      { kind: 'Stop', fields: { stopHookActive: false, agentId: 'a1' } },
      { kind: 'Stop', fields: { stopHookActive: false, session: '' } },
      { kind: 'SessionEnd', fields: { reason: 'exit' } },
      { kind: 'SessionEnd', fields: { reason: 'clear', session: '../../etc' } },
      { kind: 'SessionEnd', fields: { reason: 'exit' }, files: lines('{"schema":1}\nnot JSON\n') },
      {
        kind: 'SessionEnd',
        fields: { reason: 'exit' },
        options: { metrics: { retentionDays: { reports: 7 } } },
      },
    ],
  },
  async check({ event, actor, facts, options }) {
    const last = metricOf({ event, actor, facts, options })
    if (last === undefined) return null
    const at = facts.now()
    const known = await namesOf('snapshots', facts)
    const isEnd = event.kind === 'SessionEnd'
    if (!isEnd && isTooSoon(known, event.session, at)) return null
    const text = await facts.readText(inProject(sessionPath(event.session), facts), SESSION_BYTES_MAX)
    // No lines yet, or too many to sum up while the user waits. `holdpoint report` still reads all of them.
    if (text === undefined) return null
    const metrics = text.split('\n').flatMap((line) => (line === '' ? [] : (parseMetric(line) ?? [])))
    const snapshot = snapshotOf(event.session, foldMetrics([...metrics, last]), at)
    const notes = [whole(documentPath('snapshots', at.getTime(), event.session), snapshot)]
    if (isEnd) notes.push(...(await endNotes(snapshot, known, at, facts, readMetricOptions(options))))
    return { effect: 'pass', notes }
  },
}

const SESSION_BYTES_MAX = 8 * 1024 * 1024
const SNAPSHOT_EVERY_MS = 30_000
/** How many sessions are read for a day or a report. */
const SESSIONS_MAX = 200

interface Named {
  readonly name: string
  readonly atMs: number
  readonly session: string
}

function isTooSoon(known: readonly Named[], session: string, at: Date): boolean {
  const name = sessionName(session)
  return known.some((each) => each.session === name && at.getTime() - each.atMs < SNAPSHOT_EVERY_MS)
}

async function endNotes(
  snapshot: Snapshot,
  known: readonly Named[],
  at: Date,
  facts: Facts,
  options: MetricOptions,
): Promise<readonly Note[]> {
  const all = [...(await newestSnapshots(snapshot, known, facts)), snapshot]
  // Two sessions that end at the same time do not see each other, so the neighbouring days are summed up again.
  const days = new Set(all.filter((each) => isRecent(each, at)).flatMap((each) => dayOf(each.figures) ?? []))
  return [
    ...[...days].map((day) =>
      whole(documentPath('aggregations', Date.parse(`${day}T00:00:00Z`)), aggregationOf(day, all, at)),
    ),
    whole(documentPath('reports', at.getTime(), snapshot.sessionId), sessionReport(snapshot, all, at)),
    ...(await tooOld(snapshot.sessionId, at, facts, options)),
  ]
}

function isRecent(snapshot: Snapshot, at: Date): boolean {
  return at.getTime() - Date.parse(snapshot.at) <= 2 * DAY_MS
}

/** The latest snapshot of every other session. */
async function newestSnapshots(
  own: Snapshot,
  known: readonly Named[],
  facts: Facts,
): Promise<readonly Snapshot[]> {
  const newest = new Map<string, Named>()
  for (const each of [...known].sort((a, b) => a.atMs - b.atMs)) newest.set(each.session, each)
  newest.delete(sessionName(own.sessionId))
  const wanted = [...newest.values()].sort((a, b) => b.atMs - a.atMs).slice(0, SESSIONS_MAX)
  const read = wanted.map(async ({ name }) =>
    parseSnapshot(await facts.readText(inProject(`${folderOf('snapshots')}/${name}`, facts))),
  )
  return (await Promise.all(read)).filter((each) => each !== undefined)
}

async function namesOf(kind: Kind, facts: Facts): Promise<readonly Named[]> {
  const names = await facts.list(inProject(folderOf(kind), facts))
  return names.flatMap((name) => {
    const said = readName(kind, name)
    return said === undefined ? [] : [{ name, ...said }]
  })
}

/** At most this many files are deleted at the end of a session, so a full folder is emptied over several sessions. */
const REMOVED_MAX = 200

/** Only files with a name that we give. The age of a session is the time of its last write. */
async function tooOld(
  session: string,
  at: Date,
  facts: Facts,
  { retentionDays }: MetricOptions,
): Promise<readonly Note[]> {
  const found = await Promise.all(
    KINDS.map(async (kind) => {
      const oldestMs = at.getTime() - retentionDays[kind] * DAY_MS
      const dated = kind === 'sessions' ? await datedSessions(facts) : await namesOf(kind, facts)
      return dated.filter(({ atMs }) => atMs < oldestMs).map(({ name }) => `${folderOf(kind)}/${name}`)
    }),
  )
  return found
    .flat()
    .filter((path) => path !== sessionPath(session))
    .slice(0, REMOVED_MAX)
    .map((path): Note => ({ kind: 'delete', path }))
}

const DAY_MS = 24 * 60 * 60 * 1000

async function datedSessions(
  facts: Facts,
): Promise<readonly { readonly name: string; readonly atMs: number }[]> {
  const folder = folderOf('sessions')
  const names = (await facts.list(inProject(folder, facts))).filter((name) =>
    /^[\w=-]{1,200}\.jsonl$/.test(name),
  )
  const dated = names.map(async (name) => {
    const info = await facts.stat(inProject(`${folder}/${name}`, facts))
    return info?.kind === 'file' ? [{ name, atMs: info.modifiedMs }] : []
  })
  return (await Promise.all(dated)).flat()
}

function inProject(path: string, { project }: Facts): string {
  return `${project === '/' ? '' : project}/${path}`
}

function whole(path: string, document: object): Note {
  return { kind: 'replace', path, json: document as JsonObject }
}

function lines(text: string): Readonly<Record<string, string>> {
  return { '/srv/project/.claude-collective/metrics/sessions/session-1.jsonl': text }
}
