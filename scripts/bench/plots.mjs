import { NAMES } from './contenders.mjs'
import { curvePlot } from './curve-plot.mjs'
import { labelOf } from './daemon.mjs'
import { barPlot } from './plot.mjs'
import { percentile, rate } from './rate.mjs'

/** @type {readonly string[]} */
const OURS = [NAMES.session, NAMES.native, NAMES.nativeNew, NAMES.nativeDenied, NAMES.http, NAMES.oneShot]

/**
 * What a run measured; a part that cannot be measured here is undefined.
 * @typedef {object} Figures
 * @property {Awaited<ReturnType<typeof import('./process.mjs').measureCalls>>} calls
 * @property {ReturnType<typeof import('./start-up.mjs').measureStartUp>} startUp
 * @property {ReturnType<typeof import('./daemon.mjs').measureThroughput> | undefined} throughput
 * @property {Awaited<ReturnType<typeof import('./daemon.mjs').measureBursts>> | undefined} bursts
 * @property {Awaited<ReturnType<typeof import('./memory.mjs').measureMemory>> | undefined} memory
 * @property {ReturnType<typeof import('./batch.mjs').measureBatch>} batch
 * @property {Awaited<ReturnType<typeof import('./library.mjs').measureLibrary>>} library
 * @property {Awaited<ReturnType<typeof import('./python.mjs').measurePython>>} python
 * @property {Awaited<ReturnType<typeof import('./learn.mjs').measureLearning>>} learn
 * @property {Awaited<ReturnType<typeof import('./growth.mjs').measureGrowth>>} growth
 */

/**
 * The plots of one run by file name; a part that was not measured has none.
 * @param {Figures} figures
 * @returns {Readonly<Record<string, string>>}
 */
export function drawPlots({ calls, throughput, growth }) {
  return {
    'latency.svg': latencyPlot(calls.times),
    ...(throughput === undefined ? {} : { 'throughput.svg': throughputPlot(throughput) }),
    'growth.svg': growthPlot(growth),
  }
}

/** @param {Figures['calls']['times']} times */
function latencyPlot(times) {
  const rows = [...times].map(([label, all]) => {
    const [value, most] = [percentile(all, 50) / 1e6, percentile(all, 99) / 1e6]
    return { label, value, most, isOurs: OURS.includes(label), text: `${value.toFixed(2)} ms` }
  })
  rows.sort((a, b) => a.value - b.value)
  const most = Math.max(...rows.map((row) => row.most))
  const ticks = [0.1, 1, 10, 100, 1_000, 10_000].map((at) => ({ at, text: `${at.toLocaleString('en')} ms` }))
  return barPlot({
    title: 'One hook call',
    subtitle:
      'Bars end at the median, whiskers at the 99th percentile. Each step to the right is ten times slower.',
    rows,
    scale: 'log',
    ticks: ticks.slice(0, ticks.findIndex(({ at }) => at >= most) + 1 || ticks.length),
  })
}

/** @param {NonNullable<Figures['throughput']>} results */
function throughputPlot(results) {
  const most = Math.max(...results.map((each) => each.perSecond))
  const step = [500, 1_000, 2_000, 5_000, 10_000].find((size) => most / size <= 6) ?? 20_000
  const count = Math.ceil(most / step)
  return barPlot({
    title: 'Decisions of one daemon',
    subtitle: 'A second, by the number of connections that ask at once.',
    rows: results.map((each) => ({
      label: labelOf(each),
      value: each.perSecond,
      isOurs: true,
      text: `${rate(each.perSecond)}/s`,
    })),
    scale: 'linear',
    ticks: Array.from({ length: count + 1 }, (_, i) => ({ at: i * step, text: rate(i * step) })),
  })
}

/**
 * @param {Figures['growth']} measured
 */
function growthPlot(measured) {
  /** @param {Figures['growth'][number]['points']} points */
  const ratios = (points) => {
    const first = points[0] ?? { size: 1, us: 1 }
    return points.map(({ size, us }) => ({ x: size / first.size, y: us / first.us }))
  }
  return curvePlot({
    title: 'Growth',
    subtitle: 'Time against size, both as ratios to the smallest. A flat curve stays at the bottom.',
    curves: measured.flatMap(({ label, points }) =>
      label === undefined ? [] : [{ label, points: ratios(points) }],
    ),
  })
}
