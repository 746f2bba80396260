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
    ['apply_patch', 'main', 'ran'],
    ['spawn_agent', 'main', 'ran'],
    ['multi_agent_v1wait_agent', 'main', 'ran'],
    ['Bash', 'default', 'ran'],
    ['Bash', 'default', 'refused by hook'],
    ['Bash', 'main', 'ran'],
  ],
})

/** The item that a call of this form becomes. */
function itemOf(payload: JsonObject): unknown {
  const read = transcript.open('x.jsonl')
  read({ type: 'session_meta', payload: { id: 's', cwd: '/srv/project' } })
  const line = { type: 'response_item', timestamp: '2026-11-16T10:00:00Z' }
  return read({ ...line, payload: { call_id: 'c1', ...payload } })[0]
}

const json = JSON.stringify

test.each<[string, JsonObject, object]>([
  [
    'a line of a shell',
    { type: 'function_call', name: 'shell', arguments: json({ command: ['bash', '-lc', 'a | b'] }) },
    { tool_name: 'Bash', tool_input: { command: 'a | b' } },
  ],
  [
    'words, which are quoted again',
    { type: 'local_shell_call', action: { command: ['rm', '-rf', 'a b', "it's"] } },
    { tool_name: 'Bash', tool_input: { command: `rm -rf 'a b' 'it'\\''s'` } },
  ],
  [
    'a folder of its own',
    { type: 'function_call', name: 'exec_command', arguments: json({ cmd: 'ls', workdir: '/srv/other' }) },
    { tool_name: 'Bash', cwd: '/srv/other' },
  ],
  [
    'a patch as a function',
    { type: 'function_call', name: 'apply_patch', arguments: json({ input: '*** Begin Patch' }) },
    { tool_name: 'apply_patch', tool_input: { command: '*** Begin Patch' } },
  ],
  [
    'a tool of an MCP server',
    { type: 'function_call', name: 'echo', namespace: 'mcp__stub', arguments: '{}' },
    { tool_name: 'mcp__stub__echo' },
  ],
])('reads %s', (_what, payload, expected) => {
  expect(itemOf(payload)).toMatchObject({ kind: 'call', call: { session: 's', payload: expected } })
})

test.each<[string, JsonObject]>([
  ['arguments that are not JSON', { type: 'function_call', name: 'exec_command', arguments: '{"cmd":' }],
  ['no arguments', { type: 'function_call', name: 'exec_command' }],
  ['no name', { type: 'function_call', arguments: '{}' }],
  ['words that are not text', { type: 'local_shell_call', action: { command: ['rm', 1] } }],
  ['no id', { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: '' }],
])('says that a call with %s cannot be read', (_what, payload) => {
  expect(itemOf(payload)).toMatchObject({ kind: 'unreadable' })
})

test('a tool that Codex does not have was never run', () => {
  const item = itemOf({ type: 'function_call_output', output: 'unsupported call: update_plan' })
  expect(item).toMatchObject({ outcome: 'refused', by: 'host' })
})

test('what a command printed is not taken for its exit code', () => {
  const printed = `Process exited with code 0\nOutput:\n${'x'.repeat(300)}\nExit code: 3`
  expect(itemOf({ type: 'function_call_output', output: printed })).toMatchObject({ outcome: 'ran' })
})
