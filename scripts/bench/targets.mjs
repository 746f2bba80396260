import { NAMES } from './contenders.mjs'
import { percentile, rate } from './rate.mjs'
import { START_UPS } from './start-up.mjs'

/**
 * The targets of this project, each with a figure of this run.
 * @param {import('./plots.mjs').Figures} figures
 * @returns {import('./report.mjs').Section}
 */
export function targetRows({ calls, startUp, throughput, bursts, memory, batch, library, learn, python }) {
  /** @type {(name: string, p: number) => number | undefined} */
  const at = (name, p) => {
    const all = calls.times.get(name)
    return all === undefined ? undefined : percentile(all, p)
  }
  /** @type {(above: string, below: string, p: number) => number | undefined} */
  const ratio = (above, below, p) => {
    const [a, b] = [at(above, p), at(below, p)]
    return a === undefined || b === undefined ? undefined : a / b
  }
  const eight = throughput?.find(
    ({ connections, kind, areNew }) => connections === 8 && kind === 'kept' && !areNew,
  )
  /** @param {string} name */
  const hooks = (name) => library.find(({ what }) => what === name)?.perSecond
  /** @param {number} value */
  const times = (value) => `${value.toFixed(2)}x`
  const rows = [
    target('session / `/bin/true`, p50', 'at most', 1.4, ratio(NAMES.session, NAMES.true, 50), times),
    target('session / `/bin/true`, p99', 'at most', 3.5, ratio(NAMES.session, NAMES.true, 99), times),
    target('call seen before, p50', 'at most', 1.4, ratio(NAMES.native, NAMES.true, 50), times),
    target('call seen before, p99', 'at most', 3.5, ratio(NAMES.native, NAMES.true, 99), times),
    target('new call, p50', 'at most', 1.4, ratio(NAMES.nativeNew, NAMES.true, 50), times),
    target('new call, p99', 'at most', 3.5, ratio(NAMES.nativeNew, NAMES.true, 99), times),
    target('without daemon / `node -e 0`', 'at most', 1.7, ratio(NAMES.oneShot, NAMES.node, 50), times),
    target('cc-safety-net / call, p50', 'at least', 15, ratio(NAMES.safetyNet, NAMES.native, 50), times),
    target('without daemon / call, p50', 'at least', 15, ratio(NAMES.oneShot, NAMES.native, 50), times),
    ...startUpTargets(startUp),
    target('decisions/s, 8 connections', 'at least', 5_000, eight?.perSecond, rate),
    target('p99 / p50 of these', 'at most', 5, eight && eight.p99 / eight.p50, times),
    target('rows/s of `check`, the corpus', 'at least', 6_990, batch.perSecond, rate),
    target('MB of a daemon after 100,000 events', 'at most', 110, memory && memory.quiet / 1e6, rate),
    ...(bursts ?? []).flatMap(({ clients, denied, byDaemon }) => [
      target(`answered of ${rate(clients)} at once`, 'at least', clients, denied, rate),
      target('of these by the daemon', 'at least', clients, byDaemon, rate),
    ]),
    target('library, 10 sync functions', 'at least', 500_000, hooks('10 sync functions'), rate),
    target('library, 10 async functions', 'at least', 150_000, hooks('10 async functions'), rate),
    target('scan / check, both cores', 'at least', 0.8, learn.many.perSecond / learn.checked, times),
    target('scan memory, 10x the calls', 'at most', 1.5, learn.many.maxBytes / learn.few.maxBytes, times),
    target('replay, two policies / one', 'at most', 1.3, learn.diff.ratio, times),
    target(
      'python worker / cold start',
      'at most',
      0.1,
      python && percentile(python.warm, 50) / percentile(python.cold, 50),
      times,
    ),
  ]
  return {
    title: 'Targets',
    head: ['figure', 'target', 'measured', 'reached'],
    rows,
    note: '"Session" is the native client with a warm daemon, on all events of sessions as hooks get them; a "call" is one of these before it runs. Both are divided by `/bin/true`.',
  }
}

/** What a start may take, as a multiple of `node -e 0`: a command that only prints, and one that reads the policy. */
const START_UP_MOST = { 'holdpoint --version': 1.5, otherwise: 5 }

/** @param {ReturnType<typeof import('./start-up.mjs').measureStartUp>} startUp */
function startUpTargets({ before, after }) {
  const [base = '', ...commands] = START_UPS
  return commands.flatMap((name) =>
    Object.entries({ 'fresh home': before, 'after `init`': after }).map(([home, times]) => {
      const most = name === 'holdpoint --version' ? START_UP_MOST[name] : START_UP_MOST.otherwise
      const ratio = (times.get(name) ?? Number.NaN) / (times.get(base) ?? Number.NaN)
      return target(`\`${name}\`, ${home}`, 'at most', most, ratio, (value) => `${value.toFixed(2)}x`)
    }),
  )
}

/**
 * @param {string} name
 * @param {'at most' | 'at least'} side
 * @param {number} limit
 * @param {number | undefined} measured
 * @param {(value: number) => string} show
 */
function target(name, side, limit, measured, show) {
  const aim = `${side} ${show(limit)}`
  if (measured === undefined) return [name.padEnd(28), aim, 'not measured', 'no']
  const reached = side === 'at most' ? measured <= limit : measured >= limit
  return [name.padEnd(28), aim, show(measured), reached ? 'yes' : 'no']
}
