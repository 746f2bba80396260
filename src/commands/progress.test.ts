import { expect, test } from 'vitest'
import { megabytes, progressLine } from './progress.ts'

test.each([
  [0, 100, 0, '░░░░░░░░░░░░░░░░░░░░░░░░ 0 % · 0 of 100'],
  [50, 100, 10, '████████████░░░░░░░░░░░░ 50 % · 50 of 100 · 5/s · 10 s left'],
  [100, 100, 4, '████████████████████████ 100 % · 100 of 100 · 25/s · 0 s left'],
])('%i of %i after %i seconds', (done, total, seconds, line) => {
  expect(progressLine(done, total, seconds, String)).toBe(line)
})

test('megabytes have one decimal', () => {
  expect(megabytes(12_345_678)).toBe('12.3 MB')
})
