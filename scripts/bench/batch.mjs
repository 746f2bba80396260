import { spawnSync } from 'node:child_process'
import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { percentile, rate } from './rate.mjs'

/**
 * `check` on all rows of the corpus, from the start of the process to its last line.
 * @param {string} root
 * @param {import('./installation.mjs').Installation} installation
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export function measureBatch(root, installation, { batchRounds: rounds, batchRows }) {
  const corpus = join(root, 'test', 'corpus')
  const rows = readdirSync(corpus)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(corpus, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .slice(0, batchRows)
  const file = join(installation.folder, 'corpus.jsonl')
  writeFileSync(file, `${rows.join('\n')}\n`)
  /** @type {Record<'check' | 'node', number[]>} */
  const times = { check: [], node: [] }
  // Once without a measure: the first program of an installation makes the code cache.
  run(installation, file, [installation.home.command, 'check', '--jsonl'])
  for (let round = 0; round < rounds; round += 1) {
    times.check.push(run(installation, file, [installation.home.command, 'check', '--jsonl']))
    times.node.push(run(installation, file, [process.execPath, '-e', '0']))
  }
  const ms = percentile(times.check, 50)
  return {
    rounds,
    rows: rows.length,
    ms,
    nodeMs: percentile(times.node, 50),
    perSecond: (rows.length * 1000) / ms,
  }
}

/**
 * @param {import('./installation.mjs').Installation} installation
 * @param {string} file
 * @param {readonly [program: string, ...args: string[]]} command
 */
function run({ env, project }, file, [program, ...args]) {
  const started = performance.now()
  const { status } = spawnSync(program, args, {
    ...{ env, cwd: project, maxBuffer: 1 << 28 },
    stdio: [openSync(file, 'r'), 'pipe', 'inherit'],
  })
  // Rows that must not be readable are part of the corpus.
  if (status !== 0 && status !== 65) throw new Error(`${program} ${args.join(' ')}: exit ${status}`)
  return performance.now() - started
}

/**
 * @param {ReturnType<typeof measureBatch>} measured
 * @returns {import('./report.mjs').Section}
 */
export function batchRows({ rounds, rows, ms, nodeMs, perSecond }) {
  return {
    title: 'Many commands at once',
    head: ['what', 'rows/s', 'ms', '/ `node -e 0`'],
    rows: [
      [
        `\`check\` on the ${rows.toLocaleString('en')} rows of the corpus`,
        rate(perSecond),
        ms.toFixed(0),
        `${(ms / nodeMs).toFixed(0)}x`,
      ],
    ],
    note: `The installed program, from its start to its last line; the median of ${rounds} runs. It uses both processors.`,
  }
}
