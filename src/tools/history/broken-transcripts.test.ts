import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { nothingUnread, readTranscript, type Unread } from './read-transcript.ts'
import { findReader } from './readers.ts'

/** Transcripts are hostile text. Each kind of damage is counted where it is, and the calls around it are still found. */

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-broken-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LINE = {
  sessionId: 's1',
  cwd: '/srv/project',
  timestamp: '2026-11-16T10:00:00.000Z',
  version: '2.1.325',
  type: 'assistant',
}
const use = (id: string, more: object = {}) => ({
  type: 'tool_use',
  id,
  name: 'Bash',
  input: { command: `echo ${id}` },
  ...more,
})
const call = (id: string, line: object = {}, more: object = {}) =>
  JSON.stringify({ ...LINE, message: { content: [use(id, more)] }, ...line })

const before = call('before')
const after = call('after')
/** The damage between two good lines. */
const between = (damage: string) => `${before}\n${damage}\n${after}\n`
const NEITHER: readonly string[] = ['before', 'after']

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

const KINDS: readonly (readonly [
  what: string,
  text: string | Buffer,
  ids: readonly string[],
  Partial<Unread>,
])[] = [
  ['a file with nothing in it', '', [], {}],
  ['only newlines', '\n\n\n', [], {}],
  ['a last line that was cut', `${before}\n${after.slice(0, 60)}`, ['before'], { cut: 1 }],
  ['a last line without a newline, but whole', `${before}\n${after}`, NEITHER, {}],
  ['a line cut in the middle', between(call('x').slice(0, 80)), NEITHER, { garbled: 1 }],
  ['the second half of a line', between(call('x').slice(80)), NEITHER, { garbled: 1 }],
  ['two objects on one line', between(`${call('x')}${call('y')}`), NEITHER, { garbled: 1 }],
  ['text that is not JSON', between('Segmentation fault'), NEITHER, { garbled: 1 }],
  ['braces around something else', between('{"tool_use" oops}'), NEITHER, { garbled: 1 }],
  ['a list', between('[1, 2, "tool_use"]'), NEITHER, { garbled: 1 }],
  ['a number', between('42'), NEITHER, { garbled: 1 }],
  ['null', between('null'), NEITHER, { garbled: 1 }],
  ['a NUL byte inside a line', between(call('x').replace('echo', 'ec\u0000ho')), NEITHER, { garbled: 1 }],
  [
    'a block of NUL bytes, as a full disk leaves them',
    between('\u0000'.repeat(4096)),
    NEITHER,
    { garbled: 1 },
  ],
  [
    'bytes that are not UTF-8',
    Buffer.concat([
      Buffer.from(`${before}\n`),
      Buffer.from([0xff, 0xfe, 0x80, 10]),
      Buffer.from(`${after}\n`),
    ]),
    NEITHER,
    { garbled: 1 },
  ],
  ['a byte order mark', `\ufeff${before}\n${after}\n`, NEITHER, {}],
  ['Windows line ends', `${before}\r\n${after}\r\n`, NEITHER, {}],
  [
    'a line of 17 MiB',
    between(call('x', {}, { input: { command: 'x'.repeat(17 << 20) } })),
    NEITHER,
    { tooLong: 1 },
  ],
  ['a last line of 17 MiB', `${before}\n${'x'.repeat(17 << 20)}`, ['before'], { tooLong: 1 }],
  ['lists nested too deeply', between(`{"tool_use": ${deep}}`), NEITHER, {}],
  ['a call without an id', between(call('', {})), NEITHER, { incomplete: 1 }],
  ['a call without a tool', between(call('x', {}, { name: 7 })), NEITHER, { incomplete: 1 }],
  ['a call whose input is text', between(call('x', {}, { input: 'rm' })), NEITHER, { incomplete: 1 }],
  ['a call without a session', between(call('x', { sessionId: null })), NEITHER, { incomplete: 1 }],
  ['a call without a folder', between(call('x', { cwd: 3 })), NEITHER, { incomplete: 1 }],
  ['a call without a time', between(call('x', { timestamp: undefined })), NEITHER, { incomplete: 1 }],
  ['a time that is not one', between(call('x', { timestamp: 'zzz' })), NEITHER, { incomplete: 1 }],
  ['a message that is text', between(JSON.stringify({ ...LINE, message: '"tool_use"' })), NEITHER, {}],
  ['content that is an object', between(call('x', { message: { content: use('x') } })), NEITHER, {}],
  [
    'content with holes',
    between(call('x', { message: { content: [null, 1, 'tool_use', [use('y')]] } })),
    NEITHER,
    {},
  ],
  [
    'names of the prototype',
    between('{"__proto__": {"type": "assistant"}, "constructor": {"a": "tool_use"}}'),
    NEITHER,
    {},
  ],
  [
    'a line of another program',
    between('{"type": "response_item", "payload": {"type": "tool_use"}}'),
    NEITHER,
    {},
  ],
  ['a call that a prompt quotes', between(call('x', { type: 'user' })), NEITHER, {}],
]

describe('a transcript with', () => {
  test.each(KINDS)('%s', async (_what, text, ids, counted) => {
    const file = join(folder, 'x.jsonl')
    writeFileSync(file, text)
    const member = await findReader('claude-code')
    if (member === undefined) throw new Error('no reader')
    const unread = nothingUnread()
    const items = [...readTranscript(file, 'x.jsonl', member.reader, unread)]
    expect(items.flatMap((item) => (item.kind === 'call' ? [item.call.useId] : []))).toEqual(ids)
    expect(unread).toEqual({ ...nothingUnread(), ...counted })
  })

  test('thirty kinds of damage or more are known', () => {
    expect(KINDS.length).toBeGreaterThanOrEqual(30)
  })
})
