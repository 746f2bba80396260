import type { Report } from './report.ts'
import { type Column, type Section, shownSections, type Tone } from './sections.ts'
import { cellsOf } from './terminal-width.ts'
import { caveatsOf, columnSubject, formatCell, totalsOf } from './words.ts'

/**
 * The properties of the terminal: its width, its colours, and the function that makes untrusted text safe.
 */
export interface Screen {
  readonly columns: number
  readonly colour: Readonly<Record<Tone | 'dim' | 'bold', (text: string) => string>>
  visible(text: string): string
}

const ROWS_SHOWN = 12
const NAME_MIN = 12
/** A name that is cut to less than this is hard to tell from others; then the bar is shorter, or left out. */
const NAME_GOOD = 32
const BAR_MAX = 20
const BAR_MIN = 6
/** Each part of a bar is rounded up to a sign. */
const BAR_MORE = 3

export function terminalReport(report: Report, screen: Screen): string {
  const { bold, dim } = screen.colour
  const totals = totalsOf(report).map(
    ({ name, value, tone }) => `${screen.colour[tone ?? 'bold'](value)} ${name}`,
  )
  const head = [bold('Holdpoint report'), dim(screen.visible(columnSubject(report))), totals.join(' · ')]
  const { sections, missing } = shownSections(report)
  const tables = sections.map((section) => table(section, screen))
  const caveats = caveatsOf(report).map((text) => screen.colour.ask(text))
  return [
    head.join('\n'),
    ...tables,
    ...(missing === undefined ? [] : [dim(missing)]),
    ...(caveats.length === 0 ? [] : [caveats.join('\n')]),
  ]
    .join('\n\n')
    .concat('\n')
}

function table(section: Section, screen: Screen): string {
  const { title, columns, empty } = section
  const { bold, dim } = screen.colour
  if (section.rows.length === 0) return `${bold(title)}\n${dim(empty)}`
  // For a time the end matters, for everything else the beginning.
  const rows = section.id === 'time' ? section.rows.slice(-ROWS_SHOWN) : section.rows.slice(0, ROWS_SHOWN)
  const more = section.rows.length - rows.length
  const cells = rows.map((row) =>
    row.map((cell, at) =>
      screen.visible(formatCell(cell, columns[at] ?? { kind: 'text' }).replaceAll('\t', ' ')),
    ),
  )
  const { widths, barMax } = layoutFor(columns, cells, screen.columns)
  const line = (texts: readonly string[]) =>
    texts.map((text, at) => fitted(text, widths[at] ?? 0, columns[at]?.kind === 'text')).join('  ')
  const isRate = columns.some(({ kind, bar }) => kind === 'rate' && bar !== undefined)
  const largest = isRate ? 1 : Math.max(...rows.map((row) => barTotal(row, columns)))
  const body = rows.map((row, at) =>
    `${line(cells[at] ?? [])}  ${barOf(row, columns, barMax / largest, screen)}`.trimEnd(),
  )
  const rest = more === 0 ? [] : [dim(`and ${more} more; \`--json\` and \`--csv\` have them all`)]
  return [bold(title), dim(line(columns.map((column) => column.title))), ...body, ...rest].join('\n')
}

/** Numbers get the width they need, names what they need up to `NAME_GOOD`, and the bar what is left of the line. */
function layoutFor(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  screen: number,
): { readonly widths: readonly number[]; readonly barMax: number } {
  const wanted = columns.map((column, at) =>
    Math.max(column.title.length, ...cells.map((row) => cellsOf(row[at] ?? ''))),
  )
  const names = columns.flatMap((column, at) => (column.kind === 'text' ? [at] : []))
  const isName = (at: number) => names.includes(at)
  const fixed = wanted.reduce((sum, width, at) => sum + 2 + (isName(at) ? 0 : width), 0)
  const needed = wanted.reduce((sum, width, at) => sum + (isName(at) ? Math.min(width, NAME_GOOD) : 0), 0)
  const room = Math.min(BAR_MAX, screen - fixed - needed - BAR_MORE)
  const barMax = room < BAR_MIN ? 0 : room
  const taken = barMax === 0 ? 0 : barMax + BAR_MORE
  const share = Math.max(NAME_MIN, Math.floor((screen - fixed - taken) / Math.max(1, names.length)))
  return { widths: wanted.map((width, at) => (isName(at) ? Math.min(width, share) : width)), barMax }
}

function fitted(text: string, width: number, isName: boolean): string {
  let cut = text
  if (cellsOf(text) > width) {
    const signs = [...text]
    while (signs.length > 0 && cellsOf(signs.join('')) > width - 1) signs.pop()
    cut = `${signs.join('')}…`
  }
  const pad = ' '.repeat(Math.max(0, width - cellsOf(cut)))
  return isName ? `${cut}${pad}` : `${pad}${cut}`
}

function barTotal(row: Section['rows'][number], columns: readonly Column[]): number {
  return columns.reduce((sum, column, at) => {
    const cell = row[at]
    return column.bar !== undefined && typeof cell === 'number' ? sum + cell : sum
  }, 0)
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/** The parts of a row side by side, `scale` signs for each 1; a value above 0 is always visible. */
function barOf(
  row: Section['rows'][number],
  columns: readonly Column[],
  scale: number,
  screen: Screen,
): string {
  if (scale === 0 || !Number.isFinite(scale)) return ''
  return columns
    .map((column, at) => {
      const cell = row[at]
      if (column.bar === undefined || typeof cell !== 'number' || cell === 0) return ''
      const eighths = Math.max(1, Math.round(cell * scale * 8))
      return screen.colour[column.bar](`${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8]}`)
    })
    .join('')
}
