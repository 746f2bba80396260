import { expect, it } from 'vitest'
import { localTime } from './local-time.ts'

it('shows a time as the local time, and what is not a time as it is', () => {
  const at = new Date(2026, 0, 5, 9, 7, 3)
  expect(localTime(at.getTime())).toBe('2026-01-05 09:07:03')
  expect(localTime(at.toISOString())).toBe('2026-01-05 09:07:03')
  expect(localTime('soon')).toBe('soon')
})
