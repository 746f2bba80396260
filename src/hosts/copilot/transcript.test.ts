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
    ['bash', 'main', 'ran'],
    ['bash', 'main', 'failed'],
    ['bash', 'main', 'refused by hook'],
    ['create', 'main', 'ran'],
    ['task', 'main', 'ran'],
    ['bash', 'general-purpose', 'ran'],
    ['bash', 'general-purpose', 'refused by hook'],
    ['bash', 'main', 'ran'],
  ],
})

const ended = (data: object) =>
  transcript.open('s1/events.jsonl')({ type: 'tool.execution_complete', data: { toolCallId: 'c1', ...data } })

test.each<[string, object, object]>([
  ['a person or a rule', { code: 'denied', message: 'The user rejected this call' }, { outcome: 'refused' }],
  ['its own failure', { code: 'failure', message: 'no such file' }, { outcome: 'unclear' }],
])('a call that was ended by %s', (_who, error, expected) => {
  const [item] = ended({ success: false, error })
  expect(item).toMatchObject(expected)
  expect(item).not.toHaveProperty('by')
})

test('a folder that the agent moved to counts from there on', () => {
  const read = transcript.open('s1/events.jsonl')
  for (const [type, cwd] of [
    ['session.start', '/srv/project'],
    ['session.resume', '/srv/other'],
  ])
    read({ type: type ?? '', data: { context: { cwd: cwd ?? '' } } })
  const data = { toolCallId: 'c1', toolName: 'bash', arguments: { command: 'ls' } }
  const [item] = read({ type: 'tool.execution_start', timestamp: '2026-11-17T10:00:00Z', data })
  expect(item).toMatchObject({ call: { cwd: '/srv/other', session: 's1' } })
})
