/** How many tests passed and failed, from the summary that the test run printed. */
export interface Counts {
  readonly passed: number
  readonly failed: number
}

/** The summary is at the end of the output. */
const READ_CHARACTERS = 20_000
const COLOURS = /\u001b\[[0-9;]{0,20}m/g
/** Lines that count files, suites or snapshots, not tests. */
const NOT_TESTS = /^\s*(?:test files|test suites|snapshots|files|suites)\b/i

export function countsIn(output: string): Counts | undefined {
  const lines = output.slice(-READ_CHARACTERS).replace(COLOURS, '').split(/\r?\n/)
  let found: Counts | undefined
  for (const line of lines) {
    const counts = line.length > 500 || NOT_TESTS.test(line) ? undefined : summaryIn(line)
    if (counts !== undefined) found = added(found, counts, line)
  }
  return found
}

/**
 * Some tools print one summary for each package, or print passed and failed on separate lines; others repeat the
 * summary.
 */
function added(before: Counts | undefined, now: Counts, line: string): Counts {
  if (
    before === undefined ||
    !/^\s*(?:test result:|# (?:pass|fail) |ℹ (?:pass|fail) |\d+ (?:passing|failing)\b)/.test(line)
  )
    return now
  return { passed: before.passed + now.passed, failed: before.failed + now.failed }
}

const SUMMARIES: readonly ((line: string) => Counts | undefined)[] = [
  // PHPUnit, Maven, NUnit: `Tests: 12, Assertions: 30, Failures: 1, Errors: 2.`
  (line) => {
    const all = number(line, /\btests(?: run)?: {0,9}(\d{1,9}),/i)
    const isThis = all !== undefined && /\b(?:assertions|failures|errors|skipped): {0,9}\d/i.test(line)
    if (!isThis) return undefined
    const failed =
      (number(line, /\bfailures: {0,9}(\d{1,9})/i) ?? 0) + (number(line, /\berrors: {0,9}(\d{1,9})/i) ?? 0)
    return { passed: Math.max(0, all - failed), failed }
  },
  // PHPUnit: `OK (12 tests, 30 assertions)`
  (line) => counts(number(line, /^\s*OK \((\d{1,9}) tests?,/), 0),
  // RSpec, ExUnit: `12 examples, 1 failure`
  (line) => {
    const all = number(line, /\b(\d{1,9}) (?:examples?|tests?), /)
    const failed = number(line, /, (\d{1,9}) failures?\b/)
    return all === undefined || failed === undefined
      ? undefined
      : { passed: Math.max(0, all - failed), failed }
  },
  // unittest: `FAILED (failures=1, errors=2)`
  (line) => {
    if (!/^FAILED \(/.test(line)) return undefined
    return {
      passed: 0,
      failed: (number(line, /failures=(\d{1,9})/) ?? 0) + (number(line, /errors=(\d{1,9})/) ?? 0),
    }
  },
  // .NET: `Failed: 1, Passed: 10`
  (line) => {
    const passed = number(line, /\bpassed: {0,9}(\d{1,9})/i)
    return passed === undefined
      ? undefined
      : { passed, failed: number(line, /\bfailed: {0,9}(\d{1,9})/i) ?? 0 }
  },
  // node --test: `# pass 3`, `# fail 1`
  (line) => {
    const passed = number(line, /^(?:#|ℹ) pass (\d{1,9})$/)
    const failed = number(line, /^(?:#|ℹ) fail (\d{1,9})$/)
    return passed === undefined && failed === undefined
      ? undefined
      : { passed: passed ?? 0, failed: failed ?? 0 }
  },
  // vitest, jest, pytest, cargo, mocha: `2 failed | 10 passed`, `3 passed; 1 failed`, `10 passing`
  (line) => {
    const passed = number(line, /\b(\d{1,9}) (?:passed|passing)\b/)
    const failed = number(line, /\b(\d{1,9}) (?:failed|failing)\b/)
    return passed === undefined && failed === undefined
      ? undefined
      : { passed: passed ?? 0, failed: failed ?? 0 }
  },
]

function summaryIn(line: string): Counts | undefined {
  for (const read of SUMMARIES) {
    const found = read(line)
    if (found !== undefined) return found
  }
  return undefined
}

function counts(passed: number | undefined, failed: number): Counts | undefined {
  return passed === undefined ? undefined : { passed, failed }
}

function number(line: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(line)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
