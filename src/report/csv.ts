import type { Report } from './report.ts'
import { type Cell, sectionsOf } from './sections.ts'

/** Every number of the report on a line of its own, for a spreadsheet to sort. Times are milliseconds. */
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

/** As RFC 4180 says; and a name that a spreadsheet would take for a formula is made a text. */
function quoted(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell ?? '') ? `'${cell}` : (cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
