import { HoldpointError } from '../core/errors.ts'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A length of time: 10m, 2h, 7d. */
export function durationMs(text: string, key: string): number {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  const isUnit = unit === 'm' || unit === 'h' || unit === 'd'
  const found = isUnit ? Number(count) * UNIT_MS[unit] : 0
  if (found > 0) return found
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key,
    message: `"${text}" is not a length of time.`,
    fix: 'Write 10m, 2h or 7d.',
  })
}
