/** How often a function runs in a second: warmed up, then the best of three rounds (other jobs share the machine). */
export function perSecond(run) {
  for (let i = 0; i < 20_000; i += 1) run()
  let best = 0
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now()
    let count = 0
    while (performance.now() - started < 700) {
      for (let i = 0; i < 500; i += 1) run()
      count += 500
    }
    best = Math.max(best, (count * 1000) / (performance.now() - started))
  }
  return best
}

/** The same for an async function. */
export async function asyncPerSecond(run) {
  for (let i = 0; i < 5_000; i += 1) await run()
  let best = 0
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now()
    let count = 0
    while (performance.now() - started < 700) {
      for (let i = 0; i < 100; i += 1) await run()
      count += 100
    }
    best = Math.max(best, (count * 1000) / (performance.now() - started))
  }
  return best
}

export function rate(value) {
  return Math.round(value).toLocaleString('en')
}

export function percentile(values, p) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))]
}
