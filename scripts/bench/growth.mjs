// How time grows with the number of rules, hooks, sessions and records and with the length of a command. The laws
// themselves are held by test/growth, which counts work and never measures time; here the same subjects are timed.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { percentile } from './rate.mjs'

/** The curves that are timed, each with its name in the plot if it is drawn. */
const CURVES = new Map([
  ['rules-elsewhere', 'rules for other tools'],
  ['rules-commands', 'rules that look at the call'],
  ['rules-load', undefined],
  ['hooks-elsewhere', undefined],
  ['hooks-silent', 'hooks that run'],
  ['hooks-deny', undefined],
  ['sessions-kept', 'sessions'],
  ['sessions-first', undefined],
  ['session-memory', undefined],
  ['journal-append', 'records, append'],
  ['journal-newest', undefined],
  ['journal-find', undefined],
  ['journal-session', undefined],
  ['journal-sessions', undefined],
  ['journal-since', 'records, by time'],
  ['judge-words', 'characters of a command'],
  ['judge-options', undefined],
  ['judge-list', undefined],
  ['judge-pipeline', 'characters of a pipeline'],
])

/** @typedef {import('../../test/growth/dimension.ts').Dimension} Dimension */

/** For one point. */
const RUNS_MAX = 3_000

/**
 * The median time of each curve at each of its sizes.
 * @param {string} root
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export async function measureGrowth(root, amounts) {
  // Inside the repository, where Node finds the packages that the bundle does not contain.
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'holdpoint-growth-'))
  try {
    const outfile = join(folder, 'dimensions.mjs')
    await build({
      entryPoints: [join(root, 'test', 'growth', 'dimensions.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      mainFields: ['module', 'main'],
      format: 'esm',
      external: ['libsql'],
      banner: {
        js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
      },
    })
    /** @type {typeof import('../../test/growth/dimensions.ts')} */
    const { DIMENSIONS } = await import(pathToFileURL(outfile).href)
    const measured = []
    for (const [id, label] of CURVES) {
      const dimension = DIMENSIONS.find((each) => each.id === id)
      if (dimension === undefined) throw new Error(`there is no dimension ${id}`)
      measured.push({ ...dimension, label, points: await timedPoints(dimension, amounts.growth) })
    }
    return measured
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {Dimension} dimension
 * @param {import('./amounts.mjs').Amounts['growth']} growth
 */
async function timedPoints(dimension, { pointMs, sizes: atMost }) {
  const points = []
  const sizes = [...dimension.sizes, ...(dimension.more ?? [])].slice(0, atMost)
  // The smallest comes twice: at first its code is not compiled yet, and all ratios would look too good.
  for (const size of [...sizes.slice(0, 1), ...sizes]) {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-growth-'))
    const { warmUp, run, close } = await dimension.prepare(size, folder)
    await warmUp?.()
    points.push({ size, us: await medianUs(run, pointMs) })
    close?.()
    rmSync(folder, { recursive: true, force: true })
  }
  return points.slice(1)
}

/**
 * What runs often is compiled by then, so the first runs do not count, unless there is time for few.
 * @param {() => unknown} run
 * @param {number} pointMs
 */
async function medianUs(run, pointMs) {
  const times = []
  const endMs = performance.now() + pointMs
  while (times.length < RUNS_MAX && (times.length < 3 || performance.now() < endMs)) {
    const started = performance.now()
    await run()
    times.push((performance.now() - started) * 1_000)
  }
  return percentile(times.slice(Math.floor(times.length / 3)), 50)
}

/**
 * @param {Awaited<ReturnType<typeof measureGrowth>>} measured
 * @returns {import('./report.mjs').Section}
 */
export function growthRows(measured) {
  return {
    title: 'Growth',
    head: ['what', 'grows with', 'law', 'smallest', 'ten times', 'a hundred times', 'a thousand times'],
    rows: measured.map(({ does, unit, law, upTo, points }) => {
      const first = points[0]?.us ?? Number.NaN
      const cells = points.map(({ size, us }, index) =>
        index === 0 ? `${shownTime(us)} at ${size.toLocaleString('en')}` : `${ratio(us / first)}`,
      )
      while (cells.length < 4) cells.push('')
      return [does.padEnd(72), unit, upTo === undefined ? law : `${law}, up to ${upTo}`, ...cells]
    }),
    note: `Median times as ratios to the smallest size, in one process. ${WORDS}`,
  }
}

const WORDS =
  'Flat: ten times as many cost the same. Logarithmic: each ten times add the same, as a tree gains a level. Linear: ten times as many cost at most ten times as much. Each law is held by a test that counts work (blocks entered, elements gone through, bytes read and written), not time, and fails when the law breaks: see test/growth. Time also contains garbage collection and whatever else the machine does, so a single ratio may be above its law. The native client is not timed here: test/native counts its instructions with valgrind, at most 0.1 for each byte more.'

/** @param {number} value */
function ratio(value) {
  return `${value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en')}x`
}

/** @param {number} us */
function shownTime(us) {
  return us < 1_000 ? `${us < 10 ? us.toFixed(1) : Math.round(us)} µs` : `${(us / 1_000).toFixed(1)} ms`
}
