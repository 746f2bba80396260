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
    ['Execute', 'main', 'ran'],
    ['Execute', 'main', 'failed'],
    ['Execute', 'main', 'refused by hook'],
    ['Create', 'main', 'ran'],
    ['Task', 'main', 'ran'],
    ['Execute', 'main', 'ran'],
    ['Execute', 'worker', 'ran'],
    ['Execute', 'worker', 'refused by hook'],
  ],
})

test('an error without a hook before it and without an exit code may be of a call that ran', () => {
  const block = { type: 'tool_result', tool_use_id: 'c1', is_error: true, content: 'Error: no such file' }
  const line = { type: 'message', message: { role: 'user', content: [block] } }
  expect(transcript.open('s.jsonl')(line)).toMatchObject([{ outcome: 'unclear' }])
})
