import { describe, expect, test } from 'vitest'
import type { JournalRecord } from '../../storage/journal/store.ts'
import { auditBefore, auditDuring, worstFirst } from './audit.ts'

let seconds = 0
function call(
  tool: string,
  effect: JournalRecord['effect'],
  more: Partial<JournalRecord> = {},
): JournalRecord {
  seconds += 10
  return {
    id: String(seconds),
    at: new Date(Date.UTC(2026, 0, 31) + seconds * 1_000).toISOString(),
    host: 'claude-code',
    event: 'PreToolUse',
    session: 's',
    tool,
    input: 'x',
    cwd: '/srv/project',
    project: '/srv/project',
    effect,
    because: [],
    durationMs: 1,
    revision: '',
    extra: { skills: ['mux'] },
    ...more,
  }
}

const said = (records: readonly JournalRecord[]) =>
  worstFirst(auditDuring(records)).map(({ severity, what }) => `${severity} ${what}`)

describe('an audit of what happened', () => {
  test('separates calls that ran, failed, polled and were stopped', () => {
    const records = [
      call('Read', 'deny'),
      call('Read', 'deny'),
      call('Bash', 'deny', { reason: 'POLLING DETECTED: Bash' }),
      call('Bash', 'pass', { failed: ['mux/orchestrator: timeout'] }),
      call('Write', 'pass'),
    ]
    expect(said(records)).toEqual([
      'CRITICAL Write ran once although mux was active.',
      'HIGH A guard failed once for Bash.',
      'MEDIUM Bash polled once and was stopped.',
      'LOW Read was tried 2 times and stopped.',
    ])
  })

  test('is only about orchestrators, and counts each call once', () => {
    const twice = call('WebFetch', 'deny')
    expect(
      said([
        call('Write', 'pass', { extra: { skills: ['mux-subagent'] } }),
        call('Write', 'pass', { extra: {} }),
        call('Write', 'pass', { event: 'PostToolUse' }),
        call('Write', 'ask'),
        call('Agent', 'pass'),
        twice,
        { ...twice, id: 'again' },
      ]),
    ).toEqual(['LOW WebFetch was tried once and stopped.'])
  })
})

test('an audit before an orchestration says what is missing', () => {
  const none = auditBefore({ packIsOn: false, hooksInstalled: false, skillsFound: [] })
  expect(none.map(({ severity }) => severity)).toEqual(['CRITICAL', 'CRITICAL', 'HIGH', 'HIGH'])
  expect(auditBefore({ packIsOn: true, hooksInstalled: true, skillsFound: ['mux', 'mux-subagent'] })).toEqual(
    [],
  )
})
