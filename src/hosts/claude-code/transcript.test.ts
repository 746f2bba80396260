import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { recordedIn, transcriptContract } from '../transcript.contract.ts'
import { host } from './host.ts'
import { transcript } from './transcript.ts'

transcriptContract({
  reader: transcript,
  host,
  recorded: recordedIn(join(import.meta.dirname, 'transcripts')),
  calls: [
    ['Bash', 'main', 'ran'],
    ['Bash', 'main', 'failed'],
    ['Bash', 'main', 'refused by hook'],
    ['Write', 'main', 'ran'],
    ['Agent', 'main', 'ran'],
    ['Bash', 'general-purpose', 'ran'],
    ['Bash', 'general-purpose', 'refused by hook'],
    ['Bash', 'main', 'ran'],
  ],
})

const LINE = { sessionId: 's', cwd: '/srv/project', timestamp: '2026-11-16T10:00:00Z', version: '2.0.9' }
const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }
const result = { type: 'tool_result', tool_use_id: 't1', is_error: true }
const itemsOf = (line: JsonObject) => transcript.open('x.jsonl')({ ...LINE, ...line })

test('a sub-agent of a version that had no files for them is still one', () => {
  const items = itemsOf({ type: 'assistant', isSidechain: true, message: { content: [call] } })
  expect(items[1]).toMatchObject({ kind: 'call', call: { agentId: 'sub-agent', session: 's' } })
})

test.each<[string, JsonObject, object]>([
  ['a person', { permissionDecision: { decision: 'reject', source: 'user_reject' } }, { by: 'person' }],
  ['a hook', { permissionDecision: { decision: 'reject', source: 'hook' } }, { by: 'hook' }],
  ['a rule', { permissionDecision: { decision: 'reject', source: 'config' } }, { by: 'host' }],
])('a call refused by %s did not run', (_who, more, expected) => {
  const items = itemsOf({ type: 'user', message: { content: [{ ...result, content: 'No.' }] }, ...more })
  expect(items[1]).toMatchObject({ kind: 'outcome', outcome: 'refused', note: 'No.', ...expected })
})

test.each([
  ["The user doesn't want to proceed with this tool use. The tool use was rejected", 'refused', 'person'],
  ['PreToolUse:Bash hook error: [x] No', 'refused', 'hook'],
  ['Exit code 1\nno such file', 'failed', undefined],
])('an older version says in words who refused: %s', (content, outcome, by) => {
  const items = itemsOf({ type: 'user', message: { content: [{ ...result, content }] } })
  expect(items[1]).toEqual({ kind: 'outcome', useId: 't1', outcome, by, note: content.split('\n')[0] })
})

test('a call in a prompt or in a summary is not a call', () => {
  expect(itemsOf({ type: 'user', message: { content: [call] } })).toHaveLength(1)
  expect(itemsOf({ type: 'summary', message: { content: [call] } })).toHaveLength(1)
})

test('a call without a session, a folder or a time is unreadable, and said so', () => {
  const line = { type: 'assistant', message: { content: [call] }, sessionId: '' }
  expect(itemsOf(line)[1]).toMatchObject({ kind: 'unreadable' })
})
