/** @typedef {import('./amounts.mjs').Amounts['rate']} Rate */

/**
 * How often a function runs in a second: warmed up, then the best of some rounds (other jobs share the machine).
 * @param {() => unknown} run
 * @param {Rate} rate
 */
export function perSecond(run, { warmUps, rounds, roundMs }) {
  for (let i = 0; i < warmUps; i += 1) run()
  let best = 0
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    let count = 0
    while (performance.now() - started < roundMs) {
      for (let i = 0; i < 500; i += 1) run()
      count += 500
    }
    best = Math.max(best, (count * 1000) / (performance.now() - started))
  }
  return best
}

/**
 * The same for an async function.
 * @param {() => unknown} run
 * @param {Rate} rate
 */
export async function asyncPerSecond(run, { warmUps, rounds, roundMs }) {
  for (let i = 0; i < warmUps / 4; i += 1) await run()
  let best = 0
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    let count = 0
    while (performance.now() - started < roundMs) {
      for (let i = 0; i < 100; i += 1) await run()
      count += 100
    }
    best = Math.max(best, (count * 1000) / (performance.now() - started))
  }
  return best
}

/** @param {number} value */
export function rate(value) {
  return Math.round(value).toLocaleString('en')
}

/**
 * @param {readonly number[]} values
 * @param {number} p
 */
export function percentile(values, p) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))] ?? Number.NaN
}
