import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedIn, transcriptContract } from '../transcript.contract.ts'
import { host } from './host.ts'
import { transcript } from './transcript.ts'

transcriptContract({
  reader: transcript,
  host,
  recorded: recordedIn(join(import.meta.dirname, 'transcripts')),
  calls: [
    ['run_shell_command', 'main', 'ran'],
    ['run_shell_command', 'main', 'failed'],
    ['run_shell_command', 'main', 'refused by hook'],
    ['write_file', 'main', 'ran'],
    ['invoke_agent', 'main', 'ran'],
    ['run_shell_command', 'sub-agent', 'ran'],
    ['run_shell_command', 'sub-agent', 'refused by hook'],
    ['run_shell_command', 'main', 'ran'],
  ],
})

const START = { sessionId: 's', kind: 'main' }
const TEXT = '<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /srv/project\n'
const CONTEXT = { $set: { messages: [{ content: [{ text: TEXT }] }] } }
const message = (call: object, id = 'm1') => ({
  id,
  type: 'gemini',
  timestamp: '2026-11-17T10:00:00.000Z',
  toolCalls: [{ id: 'c1', name: 'run_shell_command', args: { command: 'ls' }, ...call }],
})

test('a message that is written again counts its call once, and its outcome when it has one', () => {
  const read = transcript.open('project/chats/session-1.jsonl')
  read(START)
  read(CONTEXT)
  expect(read(message({ status: 'executing' })).map(({ kind }) => kind)).toEqual(['call'])
  expect(read(message({ status: 'cancelled' }))).toEqual([
    { kind: 'outcome', useId: 'c1', outcome: 'refused', by: 'person' },
  ])
  expect(read(message({ status: 'cancelled' }))).toEqual([])
  // Models count their ids anew with every message.
  expect(read(message({ status: 'success' }, 'm2')).map(({ kind }) => kind)).toEqual(['call', 'outcome'])
})

test('a session whose folder is not known has calls that cannot be read, and says so', () => {
  const read = transcript.open('project/chats/session-1.jsonl')
  read(START)
  expect(read(message({}))).toMatchObject([{ kind: 'unreadable' }])
})

test('an error that no hook caused may be of a call that ran', () => {
  const read = transcript.open('project/chats/session-1.jsonl')
  read(START)
  read(CONTEXT)
  const result = [{ functionResponse: { response: { error: 'File not found.' } } }]
  expect(read(message({ status: 'error', result }))[1]).toMatchObject({ outcome: 'unclear' })
})
