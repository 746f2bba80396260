import { expect, test } from 'vitest'
import { deadlinesOf, installedDeadlines } from './deadlines.ts'

test('hooks are written to wait longer than a person may take', () => {
  expect(installedDeadlines('PreToolUse')).toEqual(deadlinesOf('PreToolUse'))
  expect(installedDeadlines('PreToolUse', 20_000)).toEqual(deadlinesOf('PreToolUse'))
  expect(installedDeadlines('PreToolUse', 120_000)).toMatchObject({ clientMs: 128_000, hostMs: 130_000 })
  expect(installedDeadlines('Stop', 500_000)).toEqual(deadlinesOf('Stop'))
})
