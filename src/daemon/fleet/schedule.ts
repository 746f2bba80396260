/** When a machine asks again: with chance, so that ten thousand machines do not ask at once. */
export interface Schedule {
  /** How long to wait after this result. */
  afterMs(result: Result): number
}

type Result =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed' }
  /** The server asked for a pause. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }

const JITTER = 0.2
const BACK_OFF_MAX_MS = 60 * 60 * 1000
/** 2 to this power is more than the longest wait. */
const DOUBLINGS_MAX = 12

/** `chance` returns a number from 0 to 1. */
export function createSchedule(periodMs: number, chance: () => number): Schedule {
  let failures = 0
  const around = (ms: number) => ms * (1 - JITTER + 2 * JITTER * chance())
  return {
    afterMs(result) {
      failures = result.kind === 'done' ? 0 : Math.min(failures + 1, DOUBLINGS_MAX)
      if (result.kind === 'done') return around(periodMs)
      const backOffMs = Math.min(periodMs * 2 ** (failures - 1), Math.max(BACK_OFF_MAX_MS, periodMs))
      // From half of it upwards: machines that failed together must not come back together.
      const waitMs = backOffMs * (0.5 + 0.5 * chance())
      return result.kind === 'later'
        ? Math.max(waitMs, result.retryAfterMs * (1 + JITTER * chance()))
        : waitMs
    },
  }
}
