// `npm run compare [-- file.jsonl ...] [-- --write]`: how many dangerous and how many harmless rows two
// guards flag, on the same rows in the same run. Rows are evaluated, never executed. `--write` renews
// docs/reference/comparison.md, from the corpus of this repository only.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeWithHoldpoint } from './holdpoint.mjs'
import { printTable, writePage } from './report.mjs'
import { readCorpus, readFile } from './rows.mjs'
import { judgeWithSafetyNet, SAFETY_NET } from './safety-net.mjs'

const root = join(import.meta.dirname, '..', '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
})
if (!existsSync(join(root, 'dist', 'holdpoint.cjs'))) throw new Error('Build it first: npm run build')

const corpus = compare('The corpus of this repository', readCorpus(root))
for (const file of positionals) compare(file, readFile(file))
if (values.write) writePage(join(root, 'docs', 'reference', 'comparison.md'), corpus)

function compare(title, rows) {
  const holdpoint = judgeWithHoldpoint(root, rows)
  const safetyNet = judgeWithSafetyNet(rows)
  const table = { title, names: ['Holdpoint', SAFETY_NET], groups: grouped(rows, [holdpoint, safetyNet]) }
  printTable(table)
  return table
}

/** By family: how many rows of each kind there are, and how many each guard flagged. */
function grouped(rows, flags) {
  const groups = new Map()
  for (const [at, { family, dangerous }] of rows.entries()) {
    const group = groups.get(family) ?? { dangerous: empty(flags), harmless: empty(flags) }
    const side = dangerous ? group.dangerous : group.harmless
    side.total += 1
    for (const [guard, flagged] of flags.entries()) if (flagged?.[at]) side.flagged[guard] += 1
    groups.set(family, group)
  }
  return groups
}

/** A guard that is not installed here has no figures. */
function empty(flags) {
  return { total: 0, flagged: flags.map((flagged) => (flagged === undefined ? undefined : 0)) }
}
