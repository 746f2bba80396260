import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { drawPlots } from './plots.mjs'

/**
 * @typedef {object} Section
 * @property {string} title
 * @property {readonly string[]} head
 * @property {readonly (readonly string[])[]} rows
 * @property {string} note
 */

/** @param {Section} section */
export function printSection({ title, head, rows }) {
  process.stdout.write(`\n${title} (${head.join(', ')})\n`)
  for (const row of rows) process.stdout.write(`  ${row.join('  ')}\n`)
}

/**
 * benchmarks.md and the plots it shows.
 * @param {string} folder
 * @param {readonly Section[]} sections
 * @param {import('./plots.mjs').Figures} figures
 */
export function writeReport(folder, sections, figures) {
  const plots = drawPlots(figures)
  for (const [name, text] of Object.entries(plots)) writeFileSync(join(folder, name), text)
  /** @type {Readonly<Record<string, string>>} */
  const shown = {
    'One hook call': 'latency.svg',
    'Decisions of one daemon': 'throughput.svg',
    Growth: 'growth.svg',
  }
  const parts = sections.map((section) => {
    const plot = shown[section.title]
    return table(section, plot !== undefined && plot in plots ? plot : undefined)
  })
  writeFileSync(join(folder, 'benchmarks.md'), `${introduction()}\n${parts.join('\n')}`)
}

function introduction() {
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} processors`
  return `# Benchmarks

Written by \`npm run bench -- --write\` (${machine}), all in one run under \`env -i PATH HOME\`.
Machines differ and are shared: read the ratios, not the milliseconds. p50 is the median; 99 of 100 calls are faster than p99.
\`/bin/true\` does nothing, so its time is what it takes to start any program.
`
}

/**
 * @param {Section} section
 * @param {string | undefined} plot
 */
function table({ title, head, rows, note }, plot) {
  return [
    `## ${title}`,
    '',
    ...(plot === undefined ? [] : [`![${title}](${plot})`, '']),
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    note,
    '',
  ].join('\n')
}
