import { HoldpointError } from '../../../core/errors.ts'
import type { Store } from '../../../storage/journal/store.ts'
import { makeReport } from '../../report/make-report.ts'
import { shownSections } from '../../report/sections.ts'
import type { ReportPage, ReportRequest } from '../api.ts'

const DAY_MS = 86_400_000
/** Periods by name; the length of `all` is not known, so it has none before it. */
const PERIODS: Readonly<Record<string, number | undefined>> = {
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  all: undefined,
}

export async function describeReport(
  store: Store,
  { period, project, compare }: ReportRequest,
  now: Date,
): Promise<ReportPage> {
  if (!Object.hasOwn(PERIODS, period)) {
    const message = `"${period}" is not a period. Periods: ${Object.keys(PERIODS).join(', ')}.`
    throw new HoldpointError({ code: 'OPTION_INVALID', key: 'period', message })
  }
  const lengthMs = PERIODS[period]
  const about = project === undefined ? {} : { project }
  const since = lengthMs === undefined ? undefined : new Date(now.getTime() - lengthMs).toISOString()
  const report = await makeReport(store, { ...about, ...(since === undefined ? {} : { since }) }, now)
  const { sections, missing } = shownSections(report)
  const page: ReportPage = {
    ...(since === undefined ? {} : { from: since }),
    decisions: report.decisions,
    sections,
    ...(missing === undefined ? {} : { missing }),
  }
  if (!compare || lengthMs === undefined || since === undefined) return page
  const earlier = new Date(now.getTime() - 2 * lengthMs).toISOString()
  const before = await makeReport(store, { ...about, since: earlier, until: since }, now)
  return { ...page, before: before.decisions }
}
