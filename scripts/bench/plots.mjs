import { NAMES } from './contenders.mjs'
import { curvePlot } from './curve-plot.mjs'
import { labelOf } from './daemon.mjs'
import { barPlot } from './plot.mjs'
import { percentile, rate } from './rate.mjs'

const OURS = [NAMES.session, NAMES.native, NAMES.nativeNew, NAMES.nativeDenied, NAMES.http, NAMES.oneShot]

/** The plots of one run by file name; a part that was not measured has none. */
export function drawPlots({ calls, throughput, growth }) {
  return {
    'latency.svg': latencyPlot(calls.times),
    ...(throughput === undefined ? {} : { 'throughput.svg': throughputPlot(throughput) }),
    ...(growth === undefined ? {} : { 'growth.svg': growthPlot(growth) }),
  }
}

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

/** Exported for a run of this part alone. */
export function growthPlot(measured) {
  const ratios = (points) =>
    points.map(({ size, us }) => ({ x: size / points[0].size, y: us / points[0].us }))
  return curvePlot({
    title: 'Growth',
    subtitle: 'Time against size, both as ratios to the smallest. A flat curve stays at the bottom.',
    curves: measured.flatMap(({ label, points }) =>
      label === undefined ? [] : [{ label, points: ratios(points) }],
    ),
  })
}
