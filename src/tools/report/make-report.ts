import type { JournalRecord, Store } from '../../storage/journal/store.ts'
import { foldRecords } from './decisions.ts'
import { readMetrics } from './read-metrics.ts'
import { buildReport, type Report, type ReportScope } from './report.ts'

const PROJECTS_MAX = 200

/** The report about a part of the journal, with the metrics of the projects in it. */
export async function makeReport(store: Store, about: ReportScope, now: Date): Promise<Report> {
  const projects = new Set<string>(about.project === undefined ? [] : [about.project])
  const decisions = foldRecords(recordsOf(store, about, projects))
  const metrics = await Promise.all(
    [...projects].slice(0, PROJECTS_MAX).map((each) => readMetrics(each, about)),
  )
  return buildReport(about, decisions, metrics, now)
}

/** Actions of people are in the journal too, but they are not decisions. */
function* recordsOf(store: Store, about: ReportScope, projects: Set<string>): Generator<JournalRecord> {
  for (const { record } of store.read(about)) {
    if (record.host === 'person') continue
    if (about.project === undefined && projects.size < PROJECTS_MAX) projects.add(record.project)
    yield record
  }
}
