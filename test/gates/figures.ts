/** A figure that a page repeats from docs/reference/benchmarks.md. */
export interface Figure {
  readonly page: string
  /** The sentence, with the number in a group. */
  readonly says: RegExp
  readonly section: string
  readonly row: string
  readonly column: string
}

/**
 * Pages say a figure with one digit that counts, because machines differ. Compared with what was measured: complaints, or
 * nothing.
 */
export function wrongFigures(
  pages: ReadonlyMap<string, string>,
  figures: readonly Figure[],
  benchmarks: string,
): string[] {
  return figures.flatMap(({ page, says, section, row, column }) => {
    const said = says.exec(pages.get(page) ?? '')?.[1]
    if (said === undefined) return [`${page}: no sentence is like ${says}`]
    const measured = cellOf(benchmarks, section, row, column)
    if (measured === undefined)
      return [`docs/reference/benchmarks.md: "${section}" has no row "${row}" with a column "${column}"`]
    const rounded = Number(Number.parseFloat(measured.replaceAll(',', '')).toPrecision(1))
    if (Number(said) === rounded) return []
    return [
      `${page}: it says ${said} for "${row}", and docs/reference/benchmarks.md says ${measured}: write ${rounded}`,
    ]
  })
}

/** Times in a page, or in its paragraphs about benchmarks, that no figure of the table covers. */
export function unknownTimes(page: string, text: string, figures: readonly Figure[]): string[] {
  const own = figures.filter((figure) => figure.page === page)
  const known = own
    .map(({ says }) => says.exec(text))
    .flatMap((match) => (match === null ? [] : [...timesIn(match[0])]))
  return text
    .split('\n\n')
    .filter((part) => page === 'README.md' || part.includes('reference/benchmarks.md'))
    .flatMap((part) => timesIn(part))
    .filter((time) => !known.includes(time))
    .map((time) => `${page}: "${time}" is compared with no figure of docs/reference/benchmarks.md`)
}

function timesIn(text: string): readonly string[] {
  return [...text.matchAll(/\d[\d.,]* (?:ms|µs)\b/g)].map(([time]) => time)
}

function cellOf(page: string, section: string, row: string, column: string): string | undefined {
  const [, part = ''] = page.split(`\n## ${section}\n`)
  const [table = ''] = part.split('\n## ')
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  const at = rows[0]?.indexOf(column) ?? -1
  return at === -1 ? undefined : rows.find(([, name]) => name === row)?.[at]
}
