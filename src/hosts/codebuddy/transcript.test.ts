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
    ['Bash', 'main', 'ran'],
    ['Bash', 'main', 'failed'],
    ['Bash', 'main', 'unclear'],
    ['Write', 'main', 'ran'],
    ['Agent', 'main', 'ran'],
    ['Bash', 'general-purpose', 'ran'],
    ['Bash', 'general-purpose', 'unclear'],
    ['Bash', 'main', 'ran'],
  ],
})

test.each([-1, 1e300, '1794885104508', null])('a call at the time %j cannot be read', (timestamp) => {
  const line = { type: 'function_call', callId: 'c1', name: 'Bash', arguments: '{}', cwd: '/srv/project' }
  expect(transcript.open('p/s1.jsonl')({ ...line, timestamp })).toMatchObject([{ kind: 'unreadable' }])
})
