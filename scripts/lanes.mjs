// Prints what each lane of `.ci/run` took, and the files with the slowest tests. `.ci/run` writes `<lane>.time` (seconds,
// CPU-seconds of the user and of the system) and `<lane>.exit`; Vitest writes its reports, `<lane>-*.json`.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const SLOWEST = 20

/**
 * What Vitest's JSON reporter writes about a run, as far as it is used here.
 * @typedef {{ numTotalTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { name: string, startTime: number, endTime: number, assertionResults: object[] }[] }} Report
 */

const [folder = '.'] = process.argv.slice(2)
const root = join(import.meta.dirname, '..')
const names = readdirSync(folder)

const lanes = names
  .filter((name) => name.endsWith('.time'))
  .map((name) => readLane(name.slice(0, -'.time'.length)))
const files = lanes.flatMap(({ lane, reports }) =>
  reports.flatMap(({ testResults }) =>
    testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      lane,
      file: relative(root, name),
      tests: assertionResults.length,
      seconds: (endTime - startTime) / 1000,
    })),
  ),
)

print(
  ['lane', 'tests', 'skipped', 'CPU-seconds', 'seconds', 'result'],
  lanes.map(({ lane, reports, seconds, cpuSeconds, exitCode }) => [
    lane,
    String(reports.reduce((sum, { numTotalTests }) => sum + numTotalTests, 0)),
    String(
      reports.reduce((sum, { numPendingTests, numTodoTests }) => sum + numPendingTests + numTodoTests, 0),
    ),
    cpuSeconds.toFixed(0),
    seconds.toFixed(0),
    exitCode === 0 ? 'passed' : `FAILED (exit code ${exitCode})`,
  ]),
)
print(
  ['slowest files', 'lane', 'tests', 'seconds'],
  files
    .sort((left, right) => right.seconds - left.seconds)
    .slice(0, SLOWEST)
    .map(({ file, lane, tests, seconds }) => [file, lane, String(tests), seconds.toFixed(1)]),
)

/** @param {string} lane */
function readLane(lane) {
  const text = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8')
  const [seconds = 0, user = 0, system = 0] = text(`${lane}.time`).trim().split(' ').map(Number)
  const reports = names
    .filter((name) => name.startsWith(`${lane}-`) && name.endsWith('.json'))
    .map((name) => /** @type {Report} */ (JSON.parse(text(name))))
  const exitCode = Number(text(`${lane}.exit`))
  return { lane, reports, seconds, cpuSeconds: user + system, exitCode }
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function print(head, rows) {
  const widths = head.map((word, column) =>
    Math.max(word.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (/** @type {string[]} */ row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  console.log(['', line(head), ...rows.map(line)].join('\n'))
}
