import { expect, it } from 'vitest'
import { createEventReader, mcpEvent } from './events.ts'

function read(text: string, step = text.length) {
  const seen: unknown[] = []
  const reader = createEventReader({
    event: ({ data, id }) => seen.push(id === undefined ? data.toString() : [data.toString(), id]),
    retry: (ms) => seen.push(ms),
    tooLong: () => seen.push('TOO LONG'),
  })
  for (let at = 0; at < text.length; at += step) reader.push(Buffer.from(text.slice(at, at + step)))
  return seen
}

it.each<[string, string, unknown[]]>([
  ['one', 'data: {}\n\n', ['{}']],
  ['with an id', 'id: 7\nevent: message\ndata: {}\n\n', [['{}', '7']]],
  ['of several lines', 'data: {\ndata: }\n\n', ['{\n}']],
  ['with other newlines', 'data:{}\r\n\r\ndata:[]\r\n\r\n', ['{}', '[]']],
  ['of another type', 'event: ping\ndata: {}\n\n', []],
  ['of another type with an id', 'event: ping\nid: 1\ndata: {}\n\n', [['', '1']]],
  ['that has only an id', 'id: 3\ndata:\n\n', [['', '3']]],
  ['a comment', ': hello\n\n', []],
  ['with a retry time', 'retry: 250\ndata: {}\n\n', [250, '{}']],
  ['an id that would start another event', 'id: 1\rdata: x\ndata: {}\n\n', ['{}']],
  ['half of an event', 'data: {}\n', []],
])('an event: %s', (_name, text, expected) => {
  expect(read(text)).toEqual(expected)
  expect(read(text, 1)).toEqual(expected)
})

it('an event that was written again reads the same', () => {
  const spelled = mcpEvent({ data: Buffer.from('{"a":1}'), id: 'x' }).toString()
  expect(read(spelled)).toEqual([['{"a":1}', 'x']])
  expect(read(mcpEvent({ data: Buffer.alloc(0), id: 'x' }).toString())).toEqual([['', 'x']])
})
