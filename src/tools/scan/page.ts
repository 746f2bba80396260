import { escaped } from '../report/page/escape.ts'
import { STYLE } from '../report/page/style.ts'
import type { ScanReport } from './report.ts'
import { caveats, headline, whatHappened } from './words.ts'

/** The scan as one page that needs nothing else. Every text in it is a stranger's and is escaped where it is put in. */
export function pageScan(report: ScanReport): string {
  const { effects, calls, sessions, ran } = report
  const totals: readonly (readonly [string, number, string])[] = [
    ['calls', calls, ''],
    ['sessions', sessions, ''],
    ['would be stopped', effects.deny, 'deny'],
    ['would be asked about', effects.ask, 'ask'],
    ['of those stopped, ran', ran.deny, 'deny'],
  ]
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Holdpoint scan</title>',
    `<style>${STYLE}pre{overflow-x:auto;background:var(--card);padding:.75rem}td code{overflow-wrap:anywhere}</style>`,
    '</head>',
    '<body>',
    `<header><h1>Holdpoint scan</h1>${headline(report)
      .map((line) => `<p>${escaped(line)}</p>`)
      .join('')}`,
    `<ul class="totals">${totals.map(([name, count, tone]) => `<li class="${tone}"><b>${count.toLocaleString('en')}</b><span>${escaped(name)}</span></li>`).join('')}</ul></header>`,
    '<main>',
    section(
      'The worst',
      ['When', 'Verdict', 'Call', 'Guard', 'What happened', 'Who', 'Folder'],
      report.worst.map((call) => [
        call.at.slice(0, 16).replace('T', ' '),
        call.effect,
        call.input,
        call.guard,
        whatHappened(call),
        `${call.host} ${call.session} ${call.agent}`,
        call.cwd,
      ]),
    ),
    section(
      'Guards',
      ['Guard', 'Stopped', 'Asked', 'Ran', 'Sessions'],
      report.guards.map(({ guard, deny, ask, ran: went, sessions: some }) => [guard, deny, ask, went, some]),
    ),
    section(
      'Projects',
      ['Folder', 'Calls'],
      report.projects.map(({ project, calls: made }) => [project, made]),
    ),
    list('Left out', caveats(report)),
    report.next.length === 0
      ? ''
      : `<section><h2>Next</h2>${report.next.map((step) => `<p>${escaped(step.why)}</p><pre>${escaped(step.do)}</pre>`).join('')}</section>`,
    '</main>',
    `<footer>Made by Holdpoint, ${escaped(report.at.slice(0, 16).replace('T', ' '))} UTC. Nothing was sent anywhere.</footer>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function section(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  if (rows.length === 0) return ''
  const head = columns.map((column) => `<th scope="col" class="text">${escaped(column)}</th>`).join('')
  const body = rows.map(
    (row) => `<tr>${row.map((cell) => `<td class="text">${escaped(String(cell))}</td>`).join('')}</tr>`,
  )
  return `<section><h2>${escaped(title)}</h2><div class="table" tabindex="0" role="region" aria-label="${escaped(title)}"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div></section>`
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  return `<section><h2>${escaped(title)}</h2><ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul></section>`
}
