import type { Report } from './report.ts'
import { type Column, type Section, shownSections, type Tone } from './sections.ts'
import { caveatsOf, shown, subjectOf, totalsOf } from './words.ts'

/** How a terminal shows it: its width, its colours, and what makes a stranger's text harmless there. */
export interface Screen {
  readonly columns: number
  readonly colour: Readonly<Record<Tone | 'dim' | 'bold', (text: string) => string>>
  visible(text: string): string
}

const ROWS_SHOWN = 12
const NAME_MIN = 12
const BAR_MAX = 20

export function terminalReport(report: Report, screen: Screen): string {
  const { bold, dim } = screen.colour
  const totals = totalsOf(report).map(
    ({ name, value, tone }) => `${screen.colour[tone ?? 'bold'](value)} ${name}`,
  )
  const head = [bold('Holdpoint report'), dim(screen.visible(subjectOf(report))), totals.join(' · ')]
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
  // Of a time the end matters, of everything else the beginning.
  const rows = section.id === 'time' ? section.rows.slice(-ROWS_SHOWN) : section.rows.slice(0, ROWS_SHOWN)
  const more = section.rows.length - rows.length
  const cells = rows.map((row) =>
    row.map((cell, at) => screen.visible(shown(cell, columns[at] ?? { kind: 'text' }).replaceAll('\t', ' '))),
  )
  const widths = widthsFor(columns, cells, screen.columns)
  const line = (texts: readonly string[]) =>
    texts.map((text, at) => fitted(text, widths[at] ?? 0, columns[at]?.kind === 'text')).join('  ')
  const isRate = columns.some(({ kind, bar }) => kind === 'rate' && bar !== undefined)
  const largest = isRate ? 1 : Math.max(...rows.map((row) => barTotal(row, columns)))
  const body = rows.map((row, at) =>
    `${line(cells[at] ?? [])}  ${barOf(row, columns, largest, screen)}`.trimEnd(),
  )
  const rest = more === 0 ? [] : [dim(`and ${more} more; \`--json\` and \`--csv\` have them all`)]
  return [bold(title), dim(line(columns.map((column) => column.title))), ...body, ...rest].join('\n')
}

/** Numbers get what they need; names share what is left. */
function widthsFor(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  screen: number,
): number[] {
  const wanted = columns.map((column, at) =>
    Math.max(column.title.length, ...cells.map((row) => lengthOf(row[at] ?? ''))),
  )
  const names = columns.flatMap((column, at) => (column.kind === 'text' ? [at] : []))
  const fixed = wanted.reduce((sum, width, at) => sum + 2 + (names.includes(at) ? 0 : width), BAR_MAX)
  const share = Math.max(NAME_MIN, Math.floor((screen - fixed) / Math.max(1, names.length)))
  return wanted.map((width, at) => (names.includes(at) ? Math.min(width, share) : width))
}

function fitted(text: string, width: number, isName: boolean): string {
  let cut = text
  if (lengthOf(text) > width) {
    const signs = [...text]
    while (signs.length > 0 && lengthOf(signs.join('')) > width - 1) signs.pop()
    cut = `${signs.join('')}…`
  }
  const pad = ' '.repeat(Math.max(0, width - lengthOf(cut)))
  return isName ? `${cut}${pad}` : `${pad}${cut}`
}

/** Signs that take two places of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/gu

function lengthOf(text: string): number {
  return [...text].length + (text.match(WIDE)?.length ?? 0)
}

function barTotal(row: Section['rows'][number], columns: readonly Column[]): number {
  return columns.reduce((sum, column, at) => {
    const cell = row[at]
    return column.bar !== undefined && typeof cell === 'number' ? sum + cell : sum
  }, 0)
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/** The parts of a row side by side, to the scale of the largest row; what is there at all is seen. */
function barOf(
  row: Section['rows'][number],
  columns: readonly Column[],
  largest: number,
  screen: Screen,
): string {
  if (largest === 0) return ''
  return columns
    .map((column, at) => {
      const cell = row[at]
      if (column.bar === undefined || typeof cell !== 'number' || cell === 0) return ''
      const eighths = Math.max(1, Math.round((cell / largest) * BAR_MAX * 8))
      return screen.colour[column.bar](`${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8]}`)
    })
    .join('')
}
