import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aggregationOf, snapshotOf } from '../../policy/metrics/documents.ts'
import { foldMetrics } from '../../policy/metrics/fold.ts'
import { parseMetric } from '../../policy/metrics/metric.ts'
import { documentPath, sessionPath } from '../../policy/metrics/places.ts'
import { readMetrics } from './read-metrics.ts'

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'holdpoint-metrics-'))
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}
const line = (session: string, day: number, id = 'x') =>
  JSON.stringify({
    schema: 1,
    id,
    sessionId: session,
    timestamp: `2026-01-${String(day).padStart(2, '0')}T12:00:00.000Z`,
    eventType: 'tool',
    data: { tool: 'Bash', ok: true },
    metadata: {},
  })
const figuresOf = (...lines: string[]) => foldMetrics(lines.flatMap((each) => parseMetric(each) ?? []))
function snapshot(session: string, day: number, atMs = day): void {
  const document = snapshotOf(session, figuresOf(line(session, day)), new Date(Date.UTC(2026, 0, day)))
  put(documentPath('snapshots', atMs, session), JSON.stringify(document))
}
function aggregation(day: number, ...sessions: string[]): void {
  const at = new Date(Date.UTC(2026, 0, day))
  const all = sessions.map((session) => snapshotOf(session, figuresOf(line(session, day)), at))
  put(
    documentPath('aggregations', at.getTime()),
    JSON.stringify(aggregationOf(at.toISOString().slice(0, 10), all, at)),
  )
}
const calls = async (wanted = {}) => (await readMetrics(project, wanted)).figures.tools[0]?.calls ?? 0

describe('the metrics of a project (R-002-58)', () => {
  it('are empty if there are none', async () => {
    expect(await readMetrics(project, {})).toMatchObject({
      brokenLines: 0,
      brokenFiles: 0,
      figures: { sessions: 0 },
    })
  })

  it('come from lines, otherwise from the newest snapshot, otherwise from the day: each session once', async () => {
    put(sessionPath('a'), `${line('a', 10)}\n${line('a', 11, 'y')}\n`)
    snapshot('a', 10)
    snapshot('b', 9, 1)
    snapshot('b', 9, 2)
    aggregation(9, 'b')
    aggregation(10, 'a')
    aggregation(2, 'c', 'd')
    const { figures } = await readMetrics(project, {})
    expect([figures.sessions, figures.tools[0]?.calls]).toEqual([4, 5])
    expect([
      await calls({ session: 'a' }),
      await calls({ session: 'b' }),
      await calls({ session: 'q' }),
    ]).toEqual([2, 1, 0])
    expect(await calls({ since: '2026-01-11T00:00:00.000Z' })).toBe(1)
    expect(await calls({ since: '2026-01-09T00:00:00.000Z' })).toBe(3)
  })

  it('count unreadable lines and continue', async () => {
    put(sessionPath('a'), `${line('a', 10)}\nbroken\n\n{"schema":1}\n${line('a', 11, 'y')}\n{"torn`)
    put(sessionPath('b'), Buffer.from([0xff, 0xfe, 0x00, 0x0a]).toString('latin1'))
    put(documentPath('snapshots', 5, 'c'), 'broken')
    put(documentPath('aggregations', 5), '{}')
    mkdirSync(join(project, sessionPath('folder')))
    symlinkSync('/etc/passwd', join(project, sessionPath('link')))
    execFileSync('mkfifo', [join(project, sessionPath('pipe'))])
    put('.claude-collective/metrics/sessions/notes.txt', 'mine')
    const { figures, brokenLines, brokenFiles } = await readMetrics(project, {})
    expect(figures.tools[0]?.calls).toBe(2)
    expect([brokenLines, brokenFiles]).toEqual([4, 5])
  })

  it('can be hundreds of thousands of lines', async () => {
    put(
      sessionPath('big'),
      `${Array.from({ length: 100_000 }, (_, n) => line('big', 10, `x${n}`)).join('\n')}\n`,
    )
    expect(await calls()).toBe(100_000)
  })
})
