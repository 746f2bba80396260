import type { Report } from '../report.ts'
import { type Column, type Section, shownSections } from '../sections.ts'
import { caveatsOf, columnSubject, formatCell, totalsOf } from '../words.ts'
import { barChart } from './bars.ts'
import { timeChart } from './columns.ts'
import { escaped } from './escape.ts'
import { flowChart } from './flow.ts'
import { STYLE } from './style.ts'

/**
 * The report as one HTML file without external files: no script, font or image. Every chart has its numbers
 * in a table below it. All names are untrusted and are escaped where they are inserted.
 */
export function pageReport(report: Report): string {
  const { sections, missing } = shownSections(report)
  const totals = totalsOf(report).map(
    ({ name, value, tone }) =>
      `<li${tone === undefined ? '' : ` class="${tone}"`}><b>${escaped(value)}</b><span>${escaped(name)}</span></li>`,
  )
  const links = sections.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`)
  const caveats = caveatsOf(report).map((text) => `<p class="caveat">${escaped(text)}</p>`)
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Holdpoint report</title>',
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<a class="skip" href="#main">Skip to the charts</a>',
    `<header><h1>Holdpoint report</h1><p class="dim">${escaped(columnSubject(report))}</p><ul class="totals">${totals.join('')}</ul>${caveats.join('')}<nav aria-label="Sections"><ul>${links.join('')}</ul></nav></header>`,
    '<main id="main" tabindex="-1">',
    ...sections.map((section) => sectionHtml(section, report)),
    ...(missing === undefined ? [] : [`<section><p class="dim">${escaped(missing)}</p></section>`]),
    '</main>',
    `<footer>Made by Holdpoint, ${escaped(report.at.slice(0, 16).replace('T', ' '))} UTC. Times are UTC.</footer>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function sectionHtml(section: Section, report: Report): string {
  const { id, title, rows, empty } = section
  const head = `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${escaped(title)}</h2>`
  if (rows.length === 0) return `${head}<p class="dim">${escaped(empty)}</p></section>`
  const chart = chartOf(section, report)
  const figure =
    chart === ''
      ? ''
      : `${legend(section)}<figure tabindex="0" aria-label="${escaped(title)}">${chart}</figure>`
  return `${head}${figure}<details${chart === '' ? ' open' : ''}><summary>Table</summary>${table(section)}</details></section>`
}

function chartOf(section: Section, { decisions, work }: Report): string {
  switch (section.id) {
    case 'time':
      return timeChart(decisions.slots)
    case 'routes':
      return flowChart(work.routes)
    default:
      return barChart(section)
  }
}

/** A legend is needed only if a bar has more than one part. */
function legend({ id, columns, rows }: Section): string {
  const parts = columns.filter(
    (column, at) =>
      column.bar !== undefined && rows.some((row) => typeof row[at] === 'number' && row[at] > 0),
  )
  const all = id === 'time' ? [...parts, { title: 'All decisions', bar: 'pass' }] : parts
  if (all.length < 2) return ''
  const items = all.map(({ title, bar }) => `<li><i class="${bar}"></i>${escaped(title)}</li>`)
  return `<ul class="legend" aria-label="Colours">${items.join('')}</ul>`
}

const ROWS_MAX = 100

function table({ title, columns, rows }: Section): string {
  const head = columns.map((column) => `<th scope="col"${textClass(column)}>${escaped(column.title)}</th>`)
  const body = rows.slice(0, ROWS_MAX).map((row) => {
    const cells = row.map((cell, at) => {
      const column = columns[at] ?? { title: '', kind: 'text' }
      const text = escaped(formatCell(cell, column))
      return at === 0 ? `<th scope="row">${text}</th>` : `<td${textClass(column)}>${text}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  const more = rows.length - body.length
  const rest = more <= 0 ? '' : `<p class="dim">${more} more rows; <code>--csv</code> has them all.</p>`
  return `<div class="table" tabindex="0" role="region" aria-label="${escaped(title)}"><table><caption>${escaped(title)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>${rest}`
}

function textClass({ kind }: Column): string {
  return kind === 'text' ? ' class="text"' : ''
}
