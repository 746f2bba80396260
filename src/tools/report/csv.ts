import type { Report } from './report.ts'
import { type Cell, sectionsOf } from './sections.ts'

/** Every number of the report on a separate line, for spreadsheets. Times are in milliseconds. */
export function csvReport(report: Report): string {
  const lines = sectionsOf(report).flatMap(({ id, columns, rows }) =>
    rows.flatMap((row) => {
      const names = row.filter((_cell, at) => columns[at]?.kind === 'text')
      return columns.flatMap((column, at) => {
        const cell = row[at]
        if (column.kind === 'text' || cell === null || cell === undefined) return []
        const measure = column.kind === 'ms' ? `${column.title} (ms)` : column.title
        return [[id, names[0] ?? '', names[1] ?? '', measure, cell]]
      })
    }),
  )
  return [['section', 'name', 'to', 'measure', 'value'], ...lines]
    .map((line) => line.map(quoted).join(','))
    .join('\r\n')
    .concat('\r\n')
}

/** Control characters and directions, which a terminal or a reader would obey. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Quoted as in RFC 4180. A name that a spreadsheet would run as a formula is turned into text. */
function quoted(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const plain = (cell ?? '').replace(UNSEEN, ' ')
  const text = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
