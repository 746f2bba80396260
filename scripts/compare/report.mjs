import { writeFileSync } from 'node:fs'

/**
 * Rows of one kind: how many there are, and how many each guard flagged; undefined for one that is not installed here.
 * @typedef {{ total: number, readonly flagged: (number | undefined)[] }} Side
 */

/** @typedef {{ readonly dangerous: Side, readonly harmless: Side }} Group */

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {readonly string[]} names Of the guards.
 * @property {ReadonlyMap<string, Group>} groups By family.
 */

/** @param {Table} table */
export function printTable({ title, names, groups }) {
  process.stdout.write(`\n${title}\n`)
  const rows = [headOf(names), ...rowsOf(groups)]
  const widths = headOf(names).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of rows) {
    process.stdout.write(`  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`)
  }
}

/**
 * The table as a page.
 * @param {string} file
 * @param {Table} table
 */
export function writePage(file, { names, groups }) {
  const table = [headOf(names), headOf(names).map(() => '---'), ...rowsOf(groups)]
  writeFileSync(file, `${introduction(names)}\n${table.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`)
}

/** @param {readonly string[]} names */
function headOf(names) {
  return ['family', ...names.map((name) => `dangerous: ${name}`), ...names.map((name) => `harmless: ${name}`)]
}

/** @param {ReadonlyMap<string, Group>} groups */
function rowsOf(groups) {
  const all = [...groups, /** @type {const} */ (['all', sum([...groups.values()])])]
  return all.map(([family, { dangerous, harmless }]) => [family, ...cellsOf(dangerous), ...cellsOf(harmless)])
}

/** @param {Side} side */
function cellsOf({ flagged, total }) {
  return flagged.map((count) => {
    if (count === undefined) return 'not installed'
    return total === 0 ? '' : `${count} of ${total} (${((100 * count) / total).toFixed(1)} %)`
  })
}

/**
 * @param {readonly Group[]} groups
 * @returns {Group}
 */
function sum(groups) {
  /** @type {(name: keyof Group) => Side} */
  const side = (name) => ({
    total: groups.reduce((total, group) => total + group[name].total, 0),
    flagged: (groups[0]?.[name].flagged ?? []).map((first, guard) =>
      first === undefined
        ? undefined
        : groups.reduce((count, group) => count + (group[name].flagged[guard] ?? 0), 0),
    ),
  })
  return { dangerous: side('dangerous'), harmless: side('harmless') }
}

/** @param {readonly string[]} names */
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
