import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const GROUND = { cwd: '/srv/project', home: '/home/dev', project: '/srv/project', platform: 'linux' }
/** @typedef {import('./rows.mjs').Row} Row */

const PACKS = ['safety', 'secrets', 'self']

/**
 * Which rows the built program flags, at the standard level.
 * @param {string} root
 * @param {readonly Row[]} rows
 */
export function judgeWithHoldpoint(root, rows) {
  /** @type {boolean[]} */
  const flags = new Array(rows.length).fill(false)
  for (const [packs, placed] of groupByPacks(rows)) {
    const effects = run(
      root,
      packs.split(' '),
      placed.map(({ row }) => row),
    )
    for (const [i, { at }] of placed.entries()) flags[at] = effects[i] === 'deny' || effects[i] === 'ask'
  }
  return flags
}

/**
 * The pack `production` is opt-in: it is only used for its own family.
 * @param {Row} row
 */
function packsFor({ family }) {
  return (family === 'production' ? [...PACKS, 'production'] : PACKS).join(' ')
}

/** @param {readonly Row[]} rows */
function groupByPacks(rows) {
  /** @type {Map<string, { readonly at: number, readonly row: Row }[]>} */
  const groups = new Map()
  for (const [at, row] of rows.entries()) {
    const packs = packsFor(row)
    groups.set(packs, [...(groups.get(packs) ?? []), { at, row }])
  }
  return groups
}

/**
 * @param {string} root
 * @param {readonly string[]} packs
 * @param {readonly Row[]} rows
 * @returns {(string | undefined)[]}
 */
function run(root, packs, rows) {
  const program = join(root, 'dist', 'holdpoint.cjs')
  const options = packs.flatMap((pack) => ['--pack', pack])
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'check', '--jsonl', ...options], {
    input: rows
      .map(({ family, dangerous, ...input }) => `${JSON.stringify({ ...GROUND, ...input })}\n`)
      .join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const answers = stdout.split('\n').filter((line) => line !== '')
  if (answers.length !== rows.length)
    throw new Error(`${answers.length} answers to ${rows.length} rows: ${stderr}`)
  return answers.map((line) => JSON.parse(line).effect)
}
