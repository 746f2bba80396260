import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine } from '../../../app/create-engine.ts'
import type { Note } from '../../../core/decision.ts'
import { evaluate } from '../../../core/engine/evaluate.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { host } from '../../../hosts/collective/host.ts'
import { actorOf, frozenFacts } from '../../../library/testing/events.ts'
import { keepNotes } from '../../../system/notes.ts'
import { logNote } from './log.ts'
import { pack } from './pack.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-collective-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const LINE = /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] \S/

it('a log entry is a line with date, time and message, in the log of its hook (R-002-100)', () => {
  const facts = frozenFacts({ project: folder })
  const notes = ['first', 'second\nthird'].map((message) =>
    logNote('pre-compact-state', message, facts, { tmpLogs: false }),
  )
  for (const note of notes) keepNotes([note], facts, [], folder)
  expect(readFileSync(join(folder, 'pre-compact-state.log'), 'utf8')).toBe(
    '[2026-01-15 12:00:00] first\n[2026-01-15 12:00:00] second third\n',
  )
})

it('the same line also goes to /tmp/<hook>.log if that option is set (R-002-82)', () => {
  // A name that only this test uses, so that no real log is touched.
  const hook = `holdpoint-test-${process.pid}` as 'pre-compact-state'
  const facts = frozenFacts({ project: folder })
  try {
    for (const message of ['first', 'second']) {
      keepNotes([logNote(hook, message, facts, { tmpLogs: true })], facts, [], folder)
    }
    const lines = '[2026-01-15 12:00:00] first\n[2026-01-15 12:00:00] second\n'
    expect(readFileSync(join('/tmp', `${hook}.log`), 'utf8')).toBe(lines)
    expect(readFileSync(join(folder, `${hook}.log`), 'utf8')).toBe(lines)
  } finally {
    rmSync(join('/tmp', `${hook}.log`), { force: true })
  }
})

/** The input of each hook, with the escape that breaks JSON, and the notes that the hook wrote. */
async function notesOf(payload: string): Promise<readonly Note[]> {
  const decoded = host.decode({ payload, cwd: '/srv/project' })
  if (!decoded.ok) throw new Error(decoded.problem.message)
  const event = decoded.value
  const on = { pack: pack.id, options: {}, origin: { file: 'test' } }
  const layer = { rank: 'user', file: 'test', trusted: true, hooks: [], settings: {}, problems: [] } as const
  const engine = await createEngine(buildPlan([{ ...layer, packs: [on] }], new Map([[pack.id, pack]])))
  const around = { actor: actorOf(event), facts: frozenFacts(), memory: MEMORY, budgetMs: 60_000 }
  const { findings } = await evaluate(engine, event, { ...around, now: () => performance.now() })
  return findings.flatMap((finding) => finding.notes ?? [])
}

const MEMORY = { 'collective/docs/edited': ['web/modules/custom/shop'] }
const called = '"hook_event_name":"PreToolUse","tool_name"'
const returned = '"hook_event_name":"PostToolUse","tool_response":{},"tool_name"'

it.each([
  ['load-behavioral-system', '{"hook_event_name":"SessionStart","source":"startup","note":"hi\\!"}'],
  ['block-destructive-commands', `{${called}:"Bash","tool_input":{"command":"echo hi\\! && rm -rf a"}}`],
  ['block-sensitive-files', `{${called}:"Read","tool_input":{"file_path":"hi\\!/.env"}}`],
  ['metrics', `{"session_id":"s1",${returned}:"Bash","tool_input":{"command":"echo hi\\!"}}`],
  [
    'semantic-docs-update-hook',
    `{${returned}:"TodoWrite","tool_input":{"todos":[{"content":"hi\\!","status":"completed"}]}}`,
  ],
  [
    'test-driven-handoff',
    '{"hook_event_name":"SubagentStop","agent_id":"a1","agent_type":"x","last_assistant_message":"hi\\!"}',
  ],
  ['pre-compact-state', '{"hook_event_name":"PreCompact","trigger":"auto","custom_instructions":"hi\\!"}'],
  [
    'subagent-context-inject',
    '{"hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"x","note":"hi\\!"}',
  ],
])('%s reads its input and writes its notes like all other hooks (R-002-96)', async (hook, payload) => {
  expect(() => JSON.parse(payload)).toThrow()
  const notes = await notesOf(payload)
  if (hook === 'metrics') {
    expect(notes).toContainEqual(expect.objectContaining({ kind: 'append' }))
    return
  }
  const lines = notes.flatMap((note) => (note.kind === 'log' && note.path === hook ? [note.text] : []))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(LINE)
})
