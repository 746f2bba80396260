// `npm run bench [-- --write]`: every figure as a ratio or a rate measured in this one run, in a clean environment,
// because variables set on a machine can triple Node's start-up. `--write` renews docs/reference/benchmarks.md.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineRows } from './engine.mjs'
import { journalRows } from './journal.mjs'
import { processRows } from './process.mjs'
import { shellRows } from './shell.mjs'

const root = join(import.meta.dirname, '..', '..')
const CLEAN = 'HOLDPOINT_BENCH_CLEAN'

if (process.env[CLEAN] === undefined) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, [CLEAN]: '1' }
  const { status } = spawnSync(process.execPath, [import.meta.filename, ...process.argv.slice(2)], {
    env,
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const sections = []
for (const measure of [processRows, engineRows, shellRows, journalRows]) {
  const section = await measure(root)
  process.stdout.write(`\n${section.title}\n`)
  for (const row of section.rows) process.stdout.write(`  ${row.join('  ')}\n`)
  sections.push(section)
}

if (process.argv.includes('--write')) {
  const table = ({ title, head, rows, note }) =>
    [
      `## ${title}`,
      '',
      `| ${head.join(' | ')} |`,
      `|${head.map(() => '---').join('|')}|`,
      ...rows.map((row) => `| ${row.join(' | ')} |`),
      '',
      note,
      '',
    ].join('\n')
  const text = `# Benchmarks\n\nWritten by \`npm run bench -- --write\` (Node ${process.version}, ${process.platform} ${process.arch}), all in one run under \`env -i PATH HOME\`.\nMachines differ and are shared: read the ratios, not the milliseconds.\n\n${sections.map(table).join('\n')}`
  writeFileSync(join(root, 'docs', 'reference', 'benchmarks.md'), text)
}
