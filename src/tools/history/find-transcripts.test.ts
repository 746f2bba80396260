import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { findTranscripts } from './find-transcripts.ts'
import { nothingUnread, readTranscript } from './read-transcript.ts'
import { findReader, transcriptReaders } from './readers.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-find-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let home = root
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'))
})

function put(path: string, text = '{}\n'): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

async function found(sinceMs?: number) {
  const places = { home, project: '/srv/project', env: {} }
  return findTranscripts(await transcriptReaders(), { places, ...(sinceMs === undefined ? {} : { sinceMs }) })
}

describe('transcripts on this machine', () => {
  it('are none where no agent ever ran', async () => {
    expect(await found()).toEqual({ sessions: [], skipped: 0 })
  })

  it('are read together when they are of one session, the main agent first', async () => {
    put('.claude/projects/-srv-project/s1/subagents/agent-a.jsonl')
    put('.claude/projects/-srv-project/s1.jsonl')
    put('.claude/projects/-srv-project/s2.jsonl')
    put('.claude/projects/-srv-project/s1/notes.txt')
    const meta = (id: string, session: string) =>
      `${JSON.stringify({ type: 'session_meta', payload: { id, session_id: session } })}\n`
    put('.codex/sessions/2026/11/16/rollout-2-child.jsonl', meta('child', 'parent'))
    put('.codex/sessions/2026/11/16/rollout-1-parent.jsonl', meta('parent', 'parent'))
    const { sessions } = await found()
    const names = sessions.map(({ host, session, files }) => [host, session, files.map(({ path }) => path)])
    expect(names.sort()).toEqual([
      ['claude-code', 's1', ['-srv-project/s1.jsonl', '-srv-project/s1/subagents/agent-a.jsonl']],
      ['claude-code', 's2', ['-srv-project/s2.jsonl']],
      ['codex', 'parent', ['2026/11/16/rollout-1-parent.jsonl', '2026/11/16/rollout-2-child.jsonl']],
    ])
  })

  it('never lie behind a link: no path leaves its root', async () => {
    const outside = put('private/secret.jsonl')
    mkdirSync(join(home, '.claude/projects'), { recursive: true })
    symlinkSync(dirname(outside), join(home, '.claude/projects/-srv-project'))
    symlinkSync(outside, join(home, '.claude/projects/s9.jsonl'))
    symlinkSync('..', join(home, '.claude/projects/up'))
    expect(await found()).toEqual({ sessions: [], skipped: 3 })
  })

  it('are not looked for below a depth that no agent uses', async () => {
    put(`.claude/projects/${'d/'.repeat(20)}s1.jsonl`)
    expect(await found()).toMatchObject({ sessions: [], skipped: 1 })
  })

  it('that were not changed since are left alone', async () => {
    const file = put('.claude/projects/-srv-project/s1.jsonl')
    utimesSync(file, 1_000, 1_000)
    expect((await found(2_000_000)).sessions).toHaveLength(0)
    expect((await found(999_000)).sessions).toHaveLength(1)
  })

  it('that are a pipe are neither waited for nor read', async () => {
    mkdirSync(join(home, '.claude/projects'), { recursive: true })
    const pipe = join(home, '.claude/projects/s1.jsonl')
    execFileSync('mkfifo', [pipe])
    expect((await found()).sessions).toHaveLength(0)
    const member = await findReader('claude-code')
    const unread = nothingUnread()
    if (member !== undefined) expect([...readTranscript(pipe, 's1.jsonl', member.reader, unread)]).toEqual([])
    expect(unread.files).toBe(1)
  })
})
