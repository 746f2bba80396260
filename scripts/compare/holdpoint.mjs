import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const GROUND = { cwd: '/srv/project', home: '/home/dev', project: '/srv/project' }
const PACKS = ['safety', 'secrets', 'self']

/** Which rows the built program flags, at the standard level. */
export function judgeWithHoldpoint(root, rows) {
  const flags = new Array(rows.length).fill(false)
  for (const [packs, places] of groupByPacks(rows)) {
    const answers = run(
      root,
      packs.split(' '),
      places.map((at) => rows[at]),
    )
    for (const [i, at] of places.entries())
      flags[at] = answers[i].effect === 'deny' || answers[i].effect === 'ask'
  }
  return flags
}

/** The pack `production` is opt-in: it is only used for its own family. */
function packsFor({ family }) {
  return (family === 'production' ? [...PACKS, 'production'] : PACKS).join(' ')
}

function groupByPacks(rows) {
  const groups = new Map()
  for (const [at, row] of rows.entries()) {
    const packs = packsFor(row)
    groups.set(packs, [...(groups.get(packs) ?? []), at])
  }
  return groups
}

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
  return answers.map((line) => JSON.parse(line))
}
