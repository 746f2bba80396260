import type { JsonObject } from '../../core/json.ts'
import { proseLines } from '../../policy/completion/markdown.ts'

/** A report as an orchestrator may see it: a short summary of limited size. */
export interface ReportSummary {
  /** From the root of the project. */
  readonly path: string
  readonly text: string
  readonly sizeBytes: number
}

export const SUMMARY_MAX_BYTES = 1_024
/** Limited, so that a long table of contents leaves room for the summary. */
const HEADINGS_MAX_BYTES = 360
const PATH_MAX_BYTES = 200

interface Heading {
  readonly level: number
  readonly text: string
  readonly line: number
}

/** Never longer than the maximum in bytes, including the last newline. */
export function summaryText(report: ReportSummary, maxBytes = SUMMARY_MAX_BYTES): string {
  const { headings, summary } = partsOf(report.text)
  const list = headings.map(({ level, text }) => `${'  '.repeat(level - 1)}- ${text}`).join('\n')
  const text = [
    `File: ${cut(report.path, PATH_MAX_BYTES)}`,
    `Size: ${report.sizeBytes} bytes, ${wordsIn(report.text)} words`,
    `Headings:${headings.length === 0 ? ' none' : `\n${cut(list, HEADINGS_MAX_BYTES)}`}`,
    `Executive Summary:${summary === '' ? ' none' : `\n${summary}`}`,
  ].join('\n')
  return `${cut(text, maxBytes - 1)}\n`
}

/** The same as one JSON object, within the same maximum. */
export function summaryJson(report: ReportSummary, maxBytes = SUMMARY_MAX_BYTES): string {
  const { headings, summary } = partsOf(report.text)
  const of = (headingsMax: number, summaryMax: number): string => {
    const data: JsonObject = {
      path: cut(report.path, PATH_MAX_BYTES),
      size: report.sizeBytes,
      words: wordsIn(report.text),
      headings: cut(headings.map(({ text }) => text).join('\n'), headingsMax).split('\n'),
      summary: cut(summary, summaryMax),
    }
    return `${JSON.stringify(data)}\n`
  }
  // JSON escapes can make a text six times as long.
  for (let share = maxBytes; share > 1; share = Math.floor(share * 0.8)) {
    const text = of(Math.min(HEADINGS_MAX_BYTES, share), share)
    if (Buffer.byteLength(text) <= maxBytes) return text
  }
  return '{}\n'
}

/** What a gate can compare with the file later. */
export function evidenceOf(
  path: string,
  report: ReportSummary | undefined,
  modified: Date | undefined,
  now: Date,
): JsonObject {
  return {
    report_path: cut(path, PATH_MAX_BYTES),
    found: report !== undefined,
    size: report?.sizeBytes ?? 0,
    words: report === undefined ? 0 : wordsIn(report.text),
    mtime: modified?.toISOString() ?? null,
    generated_at: now.toISOString(),
  }
}

function partsOf(text: string): { headings: readonly Heading[]; summary: string } {
  const lines = text.split(/\r\n|\r|\n/)
  // The same length as the text, but lines of code and comments are empty.
  const headings = proseLines(text).flatMap((line, index) => headingAt(line, index))
  const at = headings.findIndex((heading) => /^(?:\d+[.)]\s*)?executive summary\b/i.test(heading.text))
  const start = headings[at]
  if (start === undefined) return { headings, summary: '' }
  const next = headings.find((heading) => heading.line > start.line && heading.level <= start.level)
  return {
    headings,
    summary: lines
      .slice(start.line + 1, next?.line)
      .join('\n')
      .trim(),
  }
}

function headingAt(line: string, index: number): readonly Heading[] {
  const [, signs = '', text = ''] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
  const plain = text.replace(/[ \t]#+[ \t]*$/, '').trim()
  return signs === '' || plain === '' ? [] : [{ level: signs.length, text: plain, line: index }]
}

function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** At most this many bytes of UTF-8; a mark shows that text was cut. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = Math.max(0, maxBytes - Buffer.byteLength(CUT))
  // Not in the middle of a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return `${bytes.toString('utf8', 0, end)}${CUT}`
}

const CUT = '…'
