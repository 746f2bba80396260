import { statSync } from 'node:fs'
import type { JsonObject } from '../../core/json.ts'
import type { FoundSignal, Signals } from './find-signals.ts'
import { resolveInProject, type Workspace } from './place.ts'

/** What the signals of a session say, and whether the orchestrator may continue. */
export interface GateResult {
  readonly lines: readonly string[]
  readonly data: JsonObject
  readonly ok: boolean
}

export const ACTIONS = [
  'summary',
  'count',
  'failures',
  'paths',
  'sizes',
  'total-size',
  'missing',
  'gate',
] as const
export type Action = (typeof ACTIONS)[number]

/** `expected`: how many agents must have signalled; undefined if not given. */
export function verify(
  action: Action,
  found: Signals,
  expected: number | undefined,
  place: Workspace,
): GateResult {
  const { signals } = found
  const failures = signals.filter(({ status }) => status === 'fail')
  const done = signals.filter(({ status }) => status === 'success')
  const missing = Math.max(0, (expected ?? 0) - signals.length)
  switch (action) {
    case 'count':
      return plain([`${done.length}`], { count: done.length })
    case 'failures':
      return plain(failures.map(failureLine), {
        failures: failures.map(({ name, path, error = '' }) => ({ name, path, error })),
      })
    case 'paths':
      return plain(
        done.map(({ path }) => path),
        { paths: done.map(({ path }) => path) },
      )
    case 'sizes':
      return plain(
        done.map(({ path, sizeBytes = 0 }) => `${path}: ${sizeBytes}`),
        { sizes: Object.fromEntries(done.map(({ path, sizeBytes = 0 }) => [path, sizeBytes])) },
      )
    case 'total-size': {
      const total = done.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0)
      return plain([`${total}`], { totalSize: total })
    }
    case 'missing':
      return { lines: [`${missing}`], data: { expected: expected ?? 0, missing }, ok: missing === 0 }
    case 'gate':
      return gate(found, failures, missing, place)
    default:
      return summary(done, failures, missing, wrongReports(done, place))
  }
}

function plain(lines: readonly string[], data: JsonObject): GateResult {
  return { lines, data, ok: true }
}

function failureLine({ name, error }: FoundSignal): string {
  return error === undefined ? name : `${name}: ${error}`
}

/**
 * ADVANCE: everything is complete. RECOVER: an agent failed and must be started again. BLOCK: wait, or find
 * out what is wrong.
 */
function gate(
  found: Signals,
  failures: readonly FoundSignal[],
  missing: number,
  place: Workspace,
): GateResult {
  const reasons = [
    ...(missing > 0 ? [`${missing} of the agents have not signalled.`] : []),
    ...(found.signals.length === 0 && missing === 0 ? ['No agent has signalled.'] : []),
    ...found.complaints,
    ...wrongReports(
      found.signals.filter(({ status }) => status === 'success'),
      place,
    ),
  ]
  const failed = failures.map((signal) => `Failed: ${failureLine(signal)}`)
  const word = failed.length > 0 ? 'RECOVER' : reasons.length > 0 ? 'BLOCK' : 'ADVANCE'
  const why = [...failed, ...reasons]
  return { lines: [word, ...why], data: { gate: word, reasons: why }, ok: word === 'ADVANCE' }
}

function summary(
  done: readonly FoundSignal[],
  failures: readonly FoundSignal[],
  missing: number,
  wrong: readonly string[],
): GateResult {
  const total = done.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0)
  const data = { complete: done.length, failed: failures.length, missing, totalSize: total, problems: wrong }
  const lines = [
    `complete: ${done.length}`,
    `failed: ${failures.length}`,
    ...(missing > 0 ? [`missing: ${missing}`] : []),
    `total size: ${total}`,
    ...done.map(({ name, path, sizeBytes = 0 }) => `done ${name}: ${path} (${sizeBytes})`),
    ...failures.map((signal) => `fail ${failureLine(signal)}`),
    ...wrong,
  ]
  return plain(lines, data)
}

/** The signal only names the report, so the report itself is checked too. */
export function wrongReports(done: readonly FoundSignal[], place: Workspace): readonly string[] {
  return done.flatMap(({ name, path, sizeBytes }) => {
    const report = resolveInProject(path, place)
    if (!report.ok) return [`${name}: its report ${path} is outside the project.`]
    const found = statSync(report.value, { throwIfNoEntry: false })
    if (found?.isFile() !== true) return [`${name}: its report ${path} does not exist.`]
    if (sizeBytes === undefined || sizeBytes === found.size) return []
    return [`${name}: its report ${path} has ${found.size} bytes, but the signal says ${sizeBytes}.`]
  })
}

/** One check, for a caller that waits for a number of agents. */
export function checkSignals({ signals }: Signals, expected: number, now: Date): GateResult {
  const failed = signals.filter(({ status }) => status === 'fail').length
  const complete = signals.length - failed
  const all = complete >= expected && failed === 0
  const status = all ? 'complete' : signals.length >= expected ? 'partial' : 'incomplete'
  const data = { complete, failed, expected, status, checked_at: now.toISOString() }
  return { lines: [JSON.stringify(data)], data, ok: all }
}
