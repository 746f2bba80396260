import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { openJournal } from '../storage/journal/journal.ts'
import { homeLayout } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import { makeReport } from '../tools/report/make-report.ts'
import type { Report, ReportScope } from '../tools/report/report.ts'
import { terminalReport } from '../tools/report/terminal.ts'
import type { Caller } from './caller.ts'
import { sinceTime } from './log.ts'
import { fitted, reportScreen, screenWidth, tilde } from './screen.ts'
import { visible, visibleJson } from './visible.ts'

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

/**
 * Statistics about what the guards and the agents did, from the journal and from the metrics of the project.
 */
export async function report(caller: Caller, options: ReportOptions): Promise<void> {
  checkForms(options)
  const about = aboutFrom(caller, options)
  const journal = await openJournal(homeLayout(options.home, caller.env).journal)
  journal.importSpool()
  const made = await makeReport(journal.store, about, new Date()).finally(() => journal.store.close())
  if (options.html !== undefined) await writePage(caller, made, options.html)
  if (options.html === undefined || isForm(options)) caller.stdout.write(await textOf(caller, made, options))
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
    message: `--${asked[0]} and --${asked[1]} cannot be used together.`,
    fix: 'Remove one of them.',
  })
}

function aboutFrom(caller: Caller, { all, project, since, session }: ReportOptions): ReportScope {
  return {
    ...(all === true ? {} : { project: findProject(resolve(caller.cwd, project ?? '.')) }),
    ...(since === undefined ? {} : { since: sinceTime(since, new Date()) }),
    ...(session === undefined ? {} : { session }),
  }
}

async function textOf(caller: Caller, made: Report, { json, csv, markdown }: ReportOptions): Promise<string> {
  if (json === true) return `${visibleJson(JSON.stringify(made, null, 2))}\n`
  if (csv === true) return (await import('../tools/report/csv.ts')).csvReport(made)
  if (markdown === true) return (await import('../tools/report/markdown.ts')).markdownReport(made)
  return fitted(tilde(caller, terminalReport(made, reportScreen(caller))), screenWidth(caller.stdout))
}

async function writePage(caller: Caller, made: Report, file: string): Promise<void> {
  const { pageReport } = await import('../tools/report/page/page.ts')
  try {
    writeFileSync(caller.path(file), pageReport(made))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--html',
      message: `the page could not be written: ${why}.`,
      fix: 'Choose a file in an existing folder that you can write to.',
    })
  }
  caller.stderr.write(`Written to ${visible(file)}; open it in a browser.\n`)
}
