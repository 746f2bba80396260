import type { Section, Tone } from '../sections.ts'
import { formatCell } from '../words.ts'
import { cut, escaped } from './escape.ts'

const WIDTH = 880
const LABEL_MIN = 90
const LABEL_MAX = 350
const VALUE = 130
const ROW = 26
const BAR = 16
const ROWS_SHOWN = 12
const LABEL_CHARACTERS_MAX = 40
/** The approximate width of a letter; an inner svg clips wider text. */
const LETTER = 8.1

/**
 * One bar for each row, its parts side by side in the tones of the columns. Empty if there is nothing to
 * draw.
 */
export function barChart(section: Section): string {
  const rows = section.rows.slice(0, ROWS_SHOWN).map((row) => barOf(section, row))
  const isRate = section.columns.some(({ kind, bar }) => kind === 'rate' && bar !== undefined)
  const largest = isRate ? 1 : Math.max(0, ...rows.map(({ total }) => total))
  if (largest === 0) return ''
  const longest = Math.max(...rows.map(({ label }) => [...label].length))
  const left = Math.min(LABEL_MAX, Math.max(LABEL_MIN, longest * LETTER + 14))
  const drawn = rows.map((bar, at) => rowSvg(bar, at * ROW, left, largest))
  const more = section.rows.length - rows.length
  const rest =
    more === 0
      ? ''
      : `<text class="dim" x="${fixed(left)}" y="${rows.length * ROW + ROW / 2}" dominant-baseline="central">and ${more} more in the table</text>`
  const height = (rows.length + (more === 0 ? 0 : 1)) * ROW
  const said = `${section.title}, a bar chart. The table below has its numbers.`
  return `<svg role="img" aria-label="${escaped(said)}" viewBox="0 0 ${WIDTH} ${height}">${drawn.join('')}${rest}</svg>`
}

function rowSvg(
  { label, whole, parts, total, text, said }: Bar,
  y: number,
  left: number,
  largest: number,
): string {
  const room = WIDTH - left - VALUE
  let x = left
  const rects = parts.map(({ value, tone }) => {
    // A value above 0 is always visible.
    const width = Math.max(2, (value / largest) * room)
    const rect = `<rect class="${tone}" x="${fixed(x)}" y="${y + (ROW - BAR) / 2}" width="${fixed(width)}" height="${BAR}"/>`
    x += width + 1
    return rect
  })
  const edge = fixed(left - 10)
  const name = `<svg x="0" y="${y}" width="${edge}" height="${ROW}"><text x="${edge}" y="${ROW / 2}" text-anchor="end" dominant-baseline="central">${escaped(label)}</text></svg>`
  const amount =
    total === 0
      ? ''
      : `<text class="dim" x="${fixed(x + 7)}" y="${y + ROW / 2}" dominant-baseline="central">${escaped(text)}</text>`
  return `<g><title>${escaped(`${whole}: ${said}`)}</title>${name}${rects.join('')}${amount}</g>`
}

interface Bar {
  /** Short enough to fit next to the bar. */
  readonly label: string
  readonly whole: string
  readonly parts: readonly { readonly value: number; readonly tone: Tone }[]
  readonly total: number
  readonly text: string
  readonly said: string
}

function barOf({ columns }: Section, row: Section['rows'][number]): Bar {
  const names = columns.flatMap(({ kind }, at) =>
    kind === 'text' && row[at] !== '' ? [String(row[at] ?? '')] : [],
  )
  const each = Math.floor((LABEL_CHARACTERS_MAX - 3 * (names.length - 1)) / Math.max(1, names.length))
  const cells = columns.flatMap((column, at) => {
    const cell = row[at]
    return column.bar === undefined || typeof cell !== 'number'
      ? []
      : [{ column, value: cell, tone: column.bar }]
  })
  const total = cells.reduce((sum, { value }) => sum + value, 0)
  const kind = cells[0]?.column.kind ?? 'count'
  const said = columns.flatMap((column, at) => {
    const cell = row[at]
    return column.kind === 'text' || cell === null || cell === undefined
      ? []
      : [`${column.title.toLowerCase()} ${formatCell(cell, column)}`]
  })
  return {
    label: names.map((name) => cut(name, each)).join(' → '),
    whole: names.join(' → '),
    parts: cells.filter(({ value }) => value > 0),
    total,
    text: formatCell(total, { kind }),
    said: said.join(', '),
  }
}

export function fixed(number: number): string {
  return String(Math.round(number * 10) / 10)
}
