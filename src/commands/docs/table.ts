import type { Tokens } from 'marked'
import { spansOf, type View } from './inline.ts'
import { type StyledText, unpainted, type WrappedLine, wrap } from './wrap.ts'

/** Below this width rows are printed as blocks: columns of a few letters cannot be read. */
const COLUMNS_FROM_CELLS = 60
const COLUMN_MIN_CELLS = 8
const GAP = '  '

/** A table in lines that fit the width: columns with wrapped cells, or one block a row. */
export function tableLines(table: Tokens.Table, view: View): string[] {
  const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => spansOf(tokens, view))
  const header = table.header.map(({ tokens }) => spansOf(tokens, view, view.style.bold))
  const rows = table.rows.map(cells)
  const widths = columnWidths([header, ...rows], view.width - GAP.length * (header.length - 1))
  if (view.width < COLUMNS_FROM_CELLS || widths === undefined) return blockLines(header, rows, view)
  const rule = view.style.dim(widths.map((width) => '─'.repeat(width)).join(GAP))
  const body = rows.map((row) => rowLines(row, widths, table.align))
  return [
    ...rowLines(header, widths, table.align),
    rule,
    ...body.flatMap((lines, index) => (isApart(body[index - 1], lines) ? ['', ...lines] : lines)),
  ]
}

/** A blank line separates rows that have several lines. */
function isApart(before: readonly string[] | undefined, lines: readonly string[]): boolean {
  return before !== undefined && (before.length > 1 || lines.length > 1)
}

/**
 * Every column gets the width of its longest word, so that no word is cut, and a share of the rest. Undefined
 * if a column would be too narrow to read.
 */
function columnWidths(rows: readonly (readonly StyledText[][])[], available: number): number[] | undefined {
  const columns = [...(rows[0] ?? []).keys()].map((at) => rows.map((row) => row[at] ?? []))
  const wanted = columns.map((cells) => widest(cells, Number.POSITIVE_INFINITY))
  const words = columns.map((cells) => Math.min(widest(cells, 1), Math.floor(available / 2)))
  const left = available - words.reduce((sum, width) => sum + width, 0)
  const widths =
    left < 0
      ? shares(available, wanted)
      : shares(
          left,
          wanted.map((width, at) => width - (words[at] ?? 0)),
        ).map((share, at) => share + (words[at] ?? 0))
  const isReadable = widths.every((width, at) => width >= Math.min(wanted[at] ?? 0, COLUMN_MIN_CELLS))
  return isReadable ? widths : undefined
}

/** The longest line of the cells, wrapped at this width; at 1 that is the longest word. */
function widest(cells: readonly (readonly StyledText[])[], width: number): number {
  return Math.max(1, ...cells.flatMap((spans) => wrap(spans, width).map((line) => line.cells)))
}

/** Narrow columns get what they need; wide ones share the rest equally. */
function shares(available: number, needs: readonly number[]): number[] {
  const given = needs.map(() => 0)
  let left = available
  let open = [...needs.keys()]
  while (open.length > 0) {
    const share = Math.max(0, Math.floor(left / open.length))
    const met = open.filter((at) => (needs[at] ?? 0) <= share)
    for (const at of met.length > 0 ? met : open) {
      given[at] = Math.min(needs[at] ?? 0, share)
      left -= given[at] ?? 0
    }
    open = met.length > 0 ? open.filter((at) => !met.includes(at)) : []
  }
  return given
}

function rowLines(
  row: readonly (readonly StyledText[])[],
  widths: readonly number[],
  align: Tokens.Table['align'],
): string[] {
  const cells = row.map((spans, at) => wrap(spans, widths[at] ?? 1, { cut: true }))
  const height = Math.max(1, ...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, column) => padded(lines[at], widths[column] ?? 0, align[column] === 'right'))
      .join(GAP)
      .trimEnd(),
  )
}

function padded(line: WrappedLine | undefined, width: number, isRight: boolean): string {
  const { shown, cells } = line ?? { shown: '', cells: 0 }
  const space = ' '.repeat(Math.max(0, width - cells))
  return isRight ? `${space}${shown}` : `${shown}${space}`
}

/** `name: value` lines, with a blank line between rows. */
function blockLines(
  header: readonly StyledText[][],
  rows: readonly (readonly StyledText[][])[],
  view: View,
): string[] {
  return rows.flatMap((row, index) => {
    const lines = row.flatMap((value, at) => {
      const name = header[at] ?? []
      const isNamed = name.some(({ text }) => text.trim() !== '')
      if (value.length === 0) return []
      const spans = isNamed ? [...name, { text: ': ', paint: unpainted }, ...value] : value
      return wrap(spans, view.width - GAP.length, { cut: true }).map(({ shown }, line) =>
        line === 0 ? shown : `${GAP}${shown}`,
      )
    })
    return index === 0 ? lines : ['', ...lines]
  })
}
