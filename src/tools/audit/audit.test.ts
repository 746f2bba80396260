import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { TranscriptItem } from '../../core/transcript.ts'
import { createJournalWorker } from '../../daemon/journal-worker.ts'
import { host as claudeCode } from '../../hosts/claude-code/host.ts'
import { forgetHoles, noteHole, readHoles } from '../../storage/journal/holes.ts'
import { appendAllToSpool } from '../../storage/journal/spool.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'
import { nothingUnread } from '../history/read-transcript.ts'
import { type AuditContext, compareSession, emptyAudit, hasHole } from './compare.ts'
import { describeCall } from './describe-call.ts'
import { buildAuditReport, terminalAudit } from './report.ts'
import { holeAfter } from './session-end.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-audit-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const AT = '2026-11-16T10:00:00.000Z'

function record(call: string | undefined, more: Partial<JournalRecord> = {}): JournalRecord {
  return {
    id: `r-${call ?? 'x'}-${more.event ?? ''}`,
    at: AT,
    host: 'claude-code',
    event: 'PreToolUse',
    session: 's1',
    tool: 'Bash',
    cwd: '/srv/project',
    project: '/srv/project',
    effect: 'pass',
    because: [],
    durationMs: 1,
    revision: 'now',
    ...(call === undefined ? {} : { extra: { call } }),
    ...more,
  }
}

interface Made {
  readonly id: string
  readonly outcome?: 'ran' | 'failed' | 'refused' | 'unclear' | 'none'
  readonly tool?: string
  readonly command?: string
  readonly at?: string
  readonly agentId?: string
}

function items(calls: readonly Made[]): readonly TranscriptItem[] {
  return calls.flatMap(
    ({ id, outcome = 'ran', tool = 'Bash', command, at = AT, agentId }): readonly TranscriptItem[] => {
      const payload = { tool_name: tool, tool_input: command === undefined ? {} : { command } }
      const who = agentId === undefined ? {} : { agentId }
      const call = { useId: id, at, session: 's1', cwd: '/srv/project', payload, ...who }
      return [
        { kind: 'call', call },
        ...(outcome === 'none' ? [] : [{ kind: 'outcome' as const, useId: id, outcome }]),
      ]
    },
  )
}

function audited(
  calls: readonly Made[],
  records: readonly JournalRecord[],
  more: Partial<AuditContext> = {},
) {
  const tally = emptyAudit()
  const context: AuditContext = {
    host: 'claude-code',
    oldest: '2026-01-01',
    unreported: ['write_stdin'],
    describe: (call) => describeCall(call, claudeCode),
    ...more,
  }
  compareSession(items(calls), records, context, tally)
  return tally
}

describe('an audit', () => {
  it('finds that everything was decided', () => {
    const tally = audited([{ id: 'a' }, { id: 'b', outcome: 'failed' }], [record('a'), record('b')])
    expect(tally).toMatchObject({ ran: 2, decided: 2, sessions: 1 })
    expect(hasHole(tally)).toBe(false)
  })

  describe('of an agent that does not tell its hooks everything', () => {
    const untold = ['call id', 'agent'] as const
    const decision = (input: string, more: Partial<JournalRecord> = {}) =>
      record('another-id', { input, ...more })

    it('finds a decision by its tool and input, each once', () => {
      const calls = [
        { id: 'a', command: 'ls', agentId: 'helper' },
        { id: 'b', command: 'make' },
        { id: 'c', command: 'make', at: '2026-11-16T10:05:00.000Z' },
      ]
      const tally = audited(calls, [decision('make'), decision('ls')], { untold })
      expect(tally).toMatchObject({ ran: 3, decided: 2, gaps: { hole: 1 } })
    })

    it('finds a call that waited for others of its message', () => {
      const calls = [{ id: 'a', command: 'make', at: '2026-11-16T09:40:00.000Z' }]
      expect(audited(calls, [decision('make')], { untold })).toMatchObject({ decided: 1 })
      expect(audited(calls, [decision('ls')], { untold })).toMatchObject({ decided: 0 })
    })

    it('does not let a refused call lend its decision to one that ran', () => {
      const calls: readonly Made[] = [
        { id: 'a', command: 'git push --force', outcome: 'refused' },
        { id: 'b', command: 'rm -rf /srv', at: '2026-11-16T10:00:10.000Z' },
      ]
      const tally = audited(calls, [decision('git push --force', { effect: 'deny' })], { untold })
      expect(tally).toMatchObject({ ran: 1, decided: 0, gaps: { hole: 1 } })
    })

    it('counts no second delivery as a second decision', () => {
      const again = record('x', { input: 'ls', extra: { repeated: true } })
      const calls = [
        { id: 'a', command: 'ls' },
        { id: 'b', command: 'ls' },
      ]
      expect(audited(calls, [decision('ls'), again], { untold })).toMatchObject({
        decided: 1,
        gaps: { hole: 1 },
      })
    })

    it('compares what was masked up to there', () => {
      const calls = [{ id: 'a', command: 'curl -H secret-value', at: '2026-11-16T10:20:00.000Z' }]
      const masked = decision('curl -H [redacted:header]')
      expect(audited(calls, [masked], { untold })).toMatchObject({ decided: 1 })
    })

    it('accounts for nothing that may have been refused', () => {
      const calls: readonly Made[] = [{ id: 'a', command: 'make', outcome: 'unclear' }]
      const tally = audited(calls, [decision('make', { effect: 'deny' })], { untold })
      expect(tally).toMatchObject({ ran: 0, ranAlthoughDenied: 0 })
    })

    it('takes an agent with a session to itself for the only one in it', () => {
      const tally = audited([{ id: 'a' }], [record('a', { agent: 's1' })])
      expect(tally).toMatchObject({ decided: 1 })
    })
  })

  it.each<[string, Made, readonly JournalRecord[], object]>([
    ['a hole in a guarded session', { id: 'a' }, [record('b')], { hole: 1 }],
    ['a session without any hook', { id: 'a' }, [], { 'no hooks in this session': 1 }],
    [
      'a tool that the agent asks nobody about',
      { id: 'a', tool: 'write_stdin' },
      [],
      { 'the agent cannot ask': 1 },
    ],
    ['a call from before', { id: 'a', at: '2025-01-01T00:00:00Z' }, [], { 'before the journal begins': 1 }],
    ['the id of another agent', { id: 'a', agentId: 'sub' }, [record('a')], { hole: 1 }],
  ])('tells why a call has no verdict: %s', (_what, call, records, gaps) => {
    const tally = audited([call], records)
    expect(tally.gaps).toMatchObject(gaps)
    expect(tally.examples).toHaveLength(1)
  })

  it('names the folders in which no hook was asked, and what it could not read', () => {
    const tally = audited([{ id: 'a' }, { id: 'b' }], [])
    expect(tally.unguardedFolders).toEqual({ '/srv/project': 2 })
    const chain = { ok: true, message: 'whole', records: 0 }
    const notRead = { ...nothingUnread(), garbled: 2, files: 1 }
    const report = buildAuditReport(tally, { unguardedHosts: [], notRead, chain })
    const plain = (text: string) => text
    const text = terminalAudit(report, { visible: plain, bold: plain, dim: plain, bad: plain, good: plain })
    expect(text).toContain('/srv/project: 2 calls')
    expect(text).toContain('2 lines and 1 files of transcripts could not be read.')
  })

  it('praises nothing where nothing ran', () => {
    const chain = { ok: true, message: 'whole', records: 0 }
    const report = buildAuditReport(emptyAudit(), { unguardedHosts: [], notRead: nothingUnread(), chain })
    const plain = (text: string) => text
    const good = (text: string) => `GOOD ${text}`
    const text = terminalAudit(report, { visible: plain, bold: plain, dim: plain, bad: plain, good })
    expect(text).toMatch(/^The transcripts have no calls of a guarded agent/m)
    expect(text).not.toMatch(/100 %|GOOD/)
  })

  it('finds what ran although it was denied', () => {
    const tally = audited([{ id: 'a' }], [record('a', { effect: 'deny' })])
    expect(tally.ranAlthoughDenied).toBe(1)
    expect(hasHole(tally)).toBe(true)
  })

  it('does not count what did not run, or has no end', () => {
    expect(
      audited(
        [
          { id: 'a', outcome: 'refused' },
          { id: 'b', outcome: 'none' },
        ],
        [],
      ).ran,
    ).toBe(0)
  })

  it('finds records of 0.1.0 by tool and time, each once', () => {
    const tally = audited([{ id: 'a' }, { id: 'b' }], [record(undefined)])
    expect(tally).toMatchObject({ decided: 1, gaps: { hole: 1 } })
    const late = record(undefined, { at: '2026-11-16T11:00:00.000Z' })
    expect(audited([{ id: 'a' }], [late])).toMatchObject({ decided: 0 })
  })

  it('counts verdicts of an earlier policy', () => {
    const isCurrent = ({ revision }: JournalRecord) => revision === 'now'
    const records = [record('a'), record('b', { revision: 'then' })]
    expect(audited([{ id: 'a' }, { id: 'b' }], records, { isCurrent }).earlierPolicy).toBe(1)
  })

  it('says 100 % only when it is', () => {
    const chain = { ok: true, records: 1, message: '1 record' }
    const tally = audited(
      Array.from({ length: 2_000 }, (_, n) => ({ id: `c${n}` })),
      Array.from({ length: 1_999 }, (_, n) => record(`c${n}`)),
    )
    const report = buildAuditReport(tally, { chain, notRead: nothingUnread(), unguardedHosts: [] })
    expect(report).toMatchObject({ percent: 99.9, ok: false })
    const plain = (text: string) => text
    const text = terminalAudit(report, { visible: plain, bold: plain, dim: plain, bad: plain, good: plain })
    expect(text).toContain('Holdpoint decided 1,999 of them: 99.9 %')
    expect(text).toContain('1 hole')
    const whole = audited([{ id: 'a' }], [record('a')])
    expect(buildAuditReport(whole, { chain, notRead: nothingUnread(), unguardedHosts: [] })).toMatchObject({
      percent: 100,
      ok: true,
    })
    expect(
      buildAuditReport(whole, {
        chain: { ...chain, ok: false },
        notRead: nothingUnread(),
        unguardedHosts: [],
      }).ok,
    ).toBe(false)
  })
})

describe('at the end of a session', () => {
  const line = (id: string, outcome = true) => {
    const base = { sessionId: 's1', cwd: '/srv/project', timestamp: AT, version: '2.1.325' }
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: id } }
    const result = { type: 'tool_result', tool_use_id: id, content: '' }
    return [
      { ...base, type: 'assistant', message: { content: [use] } },
      ...(outcome ? [{ ...base, type: 'user', message: { content: [result] } }] : []),
    ]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join('')
  }

  async function ended(transcript: string, records: readonly JournalRecord[]) {
    const folder = mkdtempSync(join(root, 'end-'))
    const folders = { journal: join(folder, 'journal'), state: join(folder, 'state') }
    mkdirSync(folders.journal)
    const worker = createJournalWorker(folders, holeAfter)
    expect(appendAllToSpool(folders.journal, [record('first', { event: 'SessionStart' })]).ok).toBe(true)
    expect(await worker.importSpool()).toBeUndefined()
    const end = record(undefined, { event: 'SessionEnd', extra: { transcript } })
    expect(appendAllToSpool(folders.journal, [...records, end]).ok).toBe(true)
    expect(await worker.importSpool()).toBeUndefined()
    return { holes: readHoles(folders.journal), journal: folders.journal }
  }

  function transcript(text: string, below: Readonly<Record<string, string>> = {}): string {
    const folder = mkdtempSync(join(root, 'transcript-'))
    const file = join(folder, 's1.jsonl')
    writeFileSync(file, text)
    for (const [name, content] of Object.entries(below)) {
      mkdirSync(join(folder, 's1', 'subagents'), { recursive: true })
      writeFileSync(join(folder, 's1', 'subagents', name), content)
    }
    return file
  }

  it('the daemon notes a call that nobody decided, and forgets it when a person has looked', async () => {
    const { holes, journal } = await ended(transcript(line('a') + line('b')), [record('a')])
    expect(holes).toMatchObject([{ session: 's1', ran: 2, missed: 1, ranAlthoughDenied: 0 }])
    forgetHoles(journal)
    expect(readHoles(journal)).toEqual([])
  })

  it('it notes nothing where all was decided, also by a sub-agent', async () => {
    const file = transcript(line('a'), { 'agent-x.jsonl': line('b') })
    expect((await ended(file, [record('a'), record('b')])).holes).toEqual([])
    expect((await ended(file, [record('a')])).holes).toMatchObject([{ missed: 1 }])
  })

  it.each([
    ['is gone', () => join(root, 'nowhere.jsonl')],
    ['is a folder', () => root],
    [
      'is a link',
      () => {
        const link = join(mkdtempSync(join(root, 'link-')), 's1.jsonl')
        symlinkSync(transcript(line('z')), link)
        return link
      },
    ],
    ['is garbage', () => transcript('garbage')],
  ])('a transcript that %s is no hole and breaks nothing', async (_what, path) => {
    expect((await ended(path(), [record('a')])).holes).toEqual([])
  })

  it('a list that somebody broke is empty, and is written anew', () => {
    const journal = mkdtempSync(join(root, 'list-'))
    const hole = { at: AT, host: 'codex', session: 's', ran: 1, missed: 1, ranAlthoughDenied: 0 }
    for (const text of ['', 'x', '{}', '[1, null, {"at": 7}]']) {
      writeFileSync(join(journal, 'holes.json'), text)
      expect(readHoles(journal)).toEqual([])
    }
    noteHole(journal, hole)
    expect(readHoles(journal)).toEqual([hole])
  })
})
