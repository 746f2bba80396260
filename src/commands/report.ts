import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import pc from 'picocolors'
import { HoldpointError } from '../errors.ts'
import { openJournal } from '../journal.ts'
import { foldRecords } from '../report/decisions.ts'
import { readMetrics } from '../report/read-metrics.ts'
import { type About, type Report, reportOf } from '../report/report.ts'
import { type Screen, terminalReport } from '../report/terminal.ts'
import type { JournalRecord, Store } from '../stores/store.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { findProject } from '../world/project.ts'
import { sinceTime } from './log.ts'
import { visible } from './visible.ts'

interface ReportOptions {
  readonly since?: string
  readonly session?: string
  readonly project?: string
  readonly all?: boolean
  readonly json?: boolean
  readonly csv?: boolean
  readonly markdown?: boolean
  readonly html?: string
  readonly home?: string
}

/** What the guards and the agents did, in figures: from the journal, and from the metrics of the project. */
export async function report(options: ReportOptions): Promise<void> {
  checkForms(options)
  const about = aboutFrom(options)
  const made = await makeReport(homeLayout(options.home, process.env), about)
  if (options.html !== undefined) await writePage(made, options.html)
  if (options.html === undefined || isForm(options)) process.stdout.write(await textOf(made, options))
}

const FORMS = ['json', 'csv', 'markdown'] as const

function isForm(options: ReportOptions): boolean {
  return FORMS.some((form) => options[form] === true)
}

function checkForms(options: ReportOptions): void {
  const asked = FORMS.filter((form) => options[form] === true)
  if (asked.length < 2) return
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: `--${asked[1]}`,
    message: `a report has one form, and both --${asked[0]} and --${asked[1]} are asked for.`,
    fix: 'Leave one of them out.',
  })
}

function aboutFrom({ all, project, since, session }: ReportOptions): About {
  return {
    ...(all === true ? {} : { project: findProject(resolve(project ?? process.cwd())) }),
    ...(since === undefined ? {} : { since: sinceTime(since, new Date()) }),
    ...(session === undefined ? {} : { session }),
  }
}

async function makeReport(home: Home, about: About): Promise<Report> {
  const journal = await openJournal(home)
  const projects = new Set<string>(about.project === undefined ? [] : [about.project])
  try {
    journal.takeIn()
    const decisions = foldRecords(recordsOf(journal.store, about, projects))
    const metrics = await Promise.all(
      [...projects].slice(0, PROJECTS_MAX).map((each) => readMetrics(each, about)),
    )
    return reportOf(about, decisions, metrics, new Date())
  } finally {
    journal.store.close()
  }
}

const PROJECTS_MAX = 200

/** What a person did to the guards stands in the journal too, and is no decision. */
function* recordsOf(store: Store, about: About, projects: Set<string>): Generator<JournalRecord> {
  for (const { record } of store.read(about)) {
    if (record.host === 'person') continue
    if (about.project === undefined && projects.size < PROJECTS_MAX) projects.add(record.project)
    yield record
  }
}

async function textOf(made: Report, { json, csv, markdown }: ReportOptions): Promise<string> {
  if (json === true) return `${JSON.stringify(made, null, 2)}\n`
  if (csv === true) return (await import('../report/csv.ts')).csvReport(made)
  if (markdown === true) return (await import('../report/markdown.ts')).markdownReport(made)
  return terminalReport(made, SCREEN)
}

async function writePage(made: Report, file: string): Promise<void> {
  const { pageReport } = await import('../report/page/page.ts')
  try {
    writeFileSync(file, pageReport(made))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--html',
      message: `the page could not be written: ${why}.`,
      fix: 'Name a file in a folder that exists and is yours.',
    })
  }
  process.stderr.write(`Written to ${visible(file)}; open it in a browser.\n`)
}

const COLUMNS_OTHERWISE = 100

const SCREEN: Screen = {
  columns: process.stdout.columns ?? COLUMNS_OTHERWISE,
  colour: {
    deny: pc.red,
    ask: pc.yellow,
    allow: pc.green,
    pass: pc.dim,
    plain: pc.blue,
    dim: pc.dim,
    bold: pc.bold,
  },
  visible: (text) => visible(text, 200),
}
