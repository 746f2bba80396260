import type { Caller } from './caller.ts'
/** A line on a terminal that shows how far a long task is. On anything else it writes nothing. */
export interface Progress {
  at(done: number): void
  end(): void
}

const WIDTH = 24
const EVERY_MS = 100
/** A task that is done sooner shows no line. */
const FIRST_MS = 500

/** `unit` formats an amount: bytes, records. */
export function openProgress(caller: Caller, total: number, unit: (amount: number) => string): Progress {
  const out = caller.stderr
  if (!out.isTTY || total <= 0) return { at: () => {}, end: () => {} }
  const startedMs = performance.now()
  let nextMs = startedMs + FIRST_MS
  let isShown = false
  return {
    at(done) {
      const nowMs = performance.now()
      if (nowMs < nextMs) return
      nextMs = nowMs + EVERY_MS
      isShown = true
      out.write(`\r\u001b[K${progressLine(Math.min(done, total), total, (nowMs - startedMs) / 1000, unit)}`)
    },
    end: () => {
      if (isShown) out.write('\r\u001b[K')
    },
  }
}

/** `████░░ 41 % · 120 MB of 290 MB · 35 MB/s · 5 s left`. */
export function progressLine(
  done: number,
  total: number,
  seconds: number,
  unit: (amount: number) => string,
): string {
  const share = done / total
  const full = Math.round(share * WIDTH)
  const rate = seconds > 0 ? done / seconds : 0
  const left = rate > 0 ? `${Math.ceil((total - done) / rate)} s left` : ''
  const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`
  return [
    `${bar} ${Math.floor(share * 100)} %`,
    `${unit(done)} of ${unit(total)}`,
    ...(rate > 0 ? [`${unit(rate)}/s`, left] : []),
  ].join(' · ')
}

/** `12.3 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
