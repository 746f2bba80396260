import { writeFileSync } from 'node:fs'

export function printTable({ title, names, groups }) {
  process.stdout.write(`\n${title}\n`)
  const rows = [headOf(names), ...rowsOf(groups)]
  const widths = headOf(names).map((_, at) => Math.max(...rows.map((row) => row[at].length)))
  for (const row of rows) {
    process.stdout.write(`  ${row.map((cell, at) => cell.padEnd(widths[at])).join('  ')}\n`)
  }
}

/** The table as a page. */
export function writePage(file, { names, groups }) {
  const table = [headOf(names), headOf(names).map(() => '---'), ...rowsOf(groups)]
  writeFileSync(file, `${introduction(names)}\n${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`)
}

function headOf(names) {
  return ['family', ...names.map((name) => `dangerous: ${name}`), ...names.map((name) => `harmless: ${name}`)]
}

function rowsOf(groups) {
  const all = [...groups, ['all', sum([...groups.values()])]]
  return all.map(([family, { dangerous, harmless }]) => [family, ...cellsOf(dangerous), ...cellsOf(harmless)])
}

function cellsOf({ flagged, total }) {
  return flagged.map((count) => {
    if (count === undefined) return 'not installed'
    return total === 0 ? '' : `${count} of ${total} (${((100 * count) / total).toFixed(1)} %)`
  })
}

function sum(groups) {
  const side = (name) => ({
    total: groups.reduce((total, group) => total + group[name].total, 0),
    flagged: (groups[0]?.[name].flagged ?? []).map((first, guard) =>
      first === undefined
        ? undefined
        : groups.reduce((count, group) => count + group[name].flagged[guard], 0),
    ),
  })
  return { dangerous: side('dangerous'), harmless: side('harmless') }
}

function introduction([ours, theirs]) {
  return `# Comparison

Written by \`npm run compare -- --write\`: ${ours} at its standard level (packs \`safety\`, \`secrets\` and \`self\`; for the
family \`production\` also that pack) and ${theirs} with its default settings, on the same rows in the same run. Each cell shows how many rows
were flagged: denied, or passed to the user to decide. Dangerous rows should be flagged, harmless ones should not.

The comparison is not neutral. The rows were written for this repository ([how they were made](corpus.md)), and Holdpoint's guards were
finished with most of the rows in view. The other guard does not try to cover some families, such as databases, clouds and services; low
figures there say nothing about its quality. Nothing is executed.
`
}
