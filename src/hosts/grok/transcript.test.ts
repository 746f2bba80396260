import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedIn, transcriptContract } from '../transcript.contract.ts'
import { host } from './host.ts'
import { transcript } from './transcript.ts'

transcriptContract({
  reader: transcript,
  host,
  recorded: recordedIn(join(import.meta.dirname, 'transcripts')),
  sessions: 2,
  calls: [
    ['run_terminal_command', 'main', 'ran'],
    ['run_terminal_command', 'main', 'failed'],
    ['run_terminal_command', 'main', 'refused by hook'],
    ['write', 'main', 'ran'],
    ['spawn_subagent', 'main', 'ran'],
    ['run_terminal_command', 'main', 'ran'],
    ['run_terminal_command', 'main', 'refused by hook'],
    ['run_terminal_command', 'main', 'ran'],
  ],
})

test.each(['srv', '%E0%A4%A', ''])('a folder that is named %j is not one', (folder) => {
  const read = transcript.open(`${folder}/s1/updates.jsonl`)
  const update = { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'write', rawInput: {} }
  const line = { params: { sessionId: 's1', update, _meta: { agentTimestampMs: 1794885045625 } } }
  expect(read(line)).toMatchObject([{ kind: 'unreadable' }])
})

test('an error that no hook caused may be of a call that ran', () => {
  const update = { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' }
  const read = transcript.open('%2Fsrv%2Fproject/s1/updates.jsonl')
  expect(read({ params: { update } })).toMatchObject([{ outcome: 'unclear' }])
})
