// `npm run compare [-- file.jsonl ...] [-- --write] [-- --rows 5]`: how many dangerous and how many harmless rows two
// guards flag, on the same rows in the same run. Rows are evaluated, never executed. `--write` renews
// docs/reference/comparison.md, from the corpus of this repository only. `--rows` takes that many of each family.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeWithHoldpoint } from './holdpoint.mjs'
import { printTable, writePage } from './report.mjs'
import { readCorpus, readFile } from './rows.mjs'
import { judgeWithSafetyNet, SAFETY_NET } from './safety-net.mjs'

/** @typedef {import('./rows.mjs').Row} Row */
/** @typedef {readonly (readonly boolean[] | undefined)[]} Flags of each guard, by row */

const root = join(import.meta.dirname, '..', '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, rows: { type: 'string' } },
})
const rowsMax = values.rows === undefined ? Number.POSITIVE_INFINITY : Number(values.rows)
if (Number.isNaN(rowsMax) || rowsMax < 1) throw new Error('--rows takes a number of rows')
if (values.write && values.rows !== undefined) throw new Error('--write needs all rows')

const corpus = compare('The corpus of this repository', firstOfEach(readCorpus(root)))
for (const file of positionals) compare(file, readFile(file))
if (values.write) writePage(join(root, 'docs', 'reference', 'comparison.md'), corpus)

/**
 * @param {string} title
 * @param {readonly Row[]} rows
 */
function compare(title, rows) {
  const holdpoint = judgeWithHoldpoint(root, rows)
  const safetyNet = judgeWithSafetyNet(rows)
  const table = { title, names: ['Holdpoint', SAFETY_NET], groups: grouped(rows, [holdpoint, safetyNet]) }
  printTable(table)
  return table
}

/**
 * By family: how many rows of each kind there are, and how many each guard flagged.
 * @param {readonly Row[]} rows
 * @param {Flags} flags
 */
function grouped(rows, flags) {
  /** @type {Map<string, import('./report.mjs').Group>} */
  const groups = new Map()
  for (const [at, { family, dangerous }] of rows.entries()) {
    const group = groups.get(family) ?? { dangerous: empty(flags), harmless: empty(flags) }
    const side = dangerous ? group.dangerous : group.harmless
    side.total += 1
    for (const [guard, flagged] of flags.entries())
      if (flagged?.[at]) side.flagged[guard] = (side.flagged[guard] ?? 0) + 1
    groups.set(family, group)
  }
  return groups
}

/**
 * A guard that is not installed here has no figures.
 * @param {Flags} flags
 * @returns {import('./report.mjs').Side}
 */
function empty(flags) {
  return { total: 0, flagged: flags.map((flagged) => (flagged === undefined ? undefined : 0)) }
}

/** @param {readonly Row[]} rows */
function firstOfEach(rows) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  return rows.filter(({ family }) => {
    counts.set(family, (counts.get(family) ?? 0) + 1)
    return (counts.get(family) ?? 0) <= rowsMax
  })
}
