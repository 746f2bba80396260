import type { Report } from './report.ts'
import { shownSections } from './sections.ts'
import { caveatsOf, columnSubject, formatCell, totalsOf } from './words.ts'

/** The report as Markdown tables. */
export function markdownReport(report: Report): string {
  const totals = totalsOf(report).map(({ name, value }) => `${value} ${name}`)
  const { sections: shownOnes, missing } = shownSections(report)
  const sections = shownOnes.map(({ title, columns, rows, empty }) => {
    if (rows.length === 0) return `## ${title}\n\n${empty}`
    const head = `| ${columns.map((column) => column.title).join(' | ')} |`
    const rule = `|${columns.map(({ kind }) => (kind === 'text' ? '---' : '---:')).join('|')}|`
    const body = rows.map((row) => {
      const cells = row.map((cell, at) => escaped(formatCell(cell, columns[at] ?? { kind: 'text' })))
      return `| ${cells.join(' | ')} |`
    })
    return [`## ${title}`, '', head, rule, ...body].join('\n')
  })
  return [
    '# Holdpoint report',
    escaped(columnSubject(report)),
    totals.join(' · '),
    ...sections,
    ...(missing === undefined ? [] : [missing]),
    ...caveatsOf(report),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Untrusted text stays one cell of plain text: no table, link, tag or code. */
function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .replace(/[\\`*_{}[\]<>()#|~!&]/g, (sign) => ENTITIES[sign] ?? `\\${sign}`)
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '|': '&#124;' }
