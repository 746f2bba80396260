import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ReportSummary, summaryJson, summaryText } from './summary.ts'

const reportOf = (text: string, path = 'r.md'): ReportSummary => ({
  path,
  text,
  sizeBytes: Buffer.byteLength(text),
})

describe('a summary', () => {
  test.each([
    ['# A\n## Executive Summary\n- x\n## B\n- y', '- x'],
    ['# A\n## 1. Executive Summary\n- x\n### More\nz\n# B', '- x\n\n### More\nz'.replace('\n\n', '\n')],
    ['## executive summary\r\n- x\r\n', '- x'],
    [
      '```\n## Executive Summary\nfalse\n```\n## Executive Summary\n```\n# code\n```\ntrue',
      '```\n# code\n```\ntrue',
    ],
  ])('%j', (text, summary) => {
    expect(JSON.parse(summaryJson(reportOf(text))).summary).toBe(summary)
  })

  test('never exceeds its maximum, and is always valid text', () => {
    const parts = fc.array(
      fc.constantFrom(
        '# ',
        '## ',
        'Executive Summary',
        '\n',
        '🐈',
        '"',
        '\\',
        'é',
        '\u0001',
        '```\n',
        'word ',
      ),
    )
    fc.assert(
      fc.property(parts, fc.integer({ min: 64, max: 1_024 }), fc.string(), (words, max, path) => {
        const report = reportOf(`## Executive Summary\n${words.join('').repeat(40)}`, path)
        for (const text of [summaryText(report, max), summaryJson(report, max)]) {
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max)
          expect(text.endsWith('\n')).toBe(true)
        }
        JSON.parse(summaryJson(report, max))
      }),
    )
  })
})
