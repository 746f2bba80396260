import { describe, expect, it } from 'vitest'
import { readMessages } from './message.ts'

const read = (text: string | Buffer) => readMessages(Buffer.isBuffer(text) ? text : Buffer.from(text))

describe('an invalid message', () => {
  it.each<[string, string | Buffer, object]>([
    ['a word', 'hello', { wrong: 'is not JSON', garbled: true, id: null }],
    ['half a message', '{"id":1,"method":"pi', { wrong: 'is not JSON' }],
    ['with a NUL in it', '{"id":1,"method":"ping"}\0', { wrong: 'is not JSON' }],
    ['with a comment', '{"id":1,"method":"ping"} // x', { wrong: 'is not JSON' }],
    ['two messages on a line', '{"id":1,"method":"ping"}{"id":2,"method":"ping"}', { wrong: 'is not JSON' }],
    [
      'not UTF-8',
      Buffer.concat([Buffer.from('{"id":1,"method":"ping","x":"'), Buffer.from([0xff]), Buffer.from('"}')]),
      { wrong: 'is not UTF-8', id: 1 },
    ],
    ['a key twice', '{"id":7,"method":"ping","method":"tools/call"}', { wrong: /"method" twice/, id: 7 }],
    ['a text', '"tools/call"', { wrong: 'is not a JSON-RPC object' }],
    ['null', 'null', { wrong: 'is not a JSON-RPC object' }],
    ['a method that is a number', '{"id":1,"method":7}', { wrong: 'is not a JSON-RPC request', id: 1 }],
    ['a request with a result', '{"id":1,"method":"a","result":{}}', { wrong: 'is not a JSON-RPC request' }],
    [
      'a result and an error',
      '{"id":1,"result":{},"error":{}}',
      { wrong: 'is neither a request nor an answer' },
    ],
    ['an empty object', '{"id":1}', { wrong: 'is neither a request nor an answer' }],
    ['a result without an id', '{"id":null,"result":{}}', { wrong: 'is not the answer to a request' }],
    ['an id with a fraction', '{"id":1.5,"method":"a"}', { wrong: /^has an id/, id: null }],
    ['an id that is too large for a number', '{"id":9007199254740993,"method":"a"}', { wrong: /^has an id/ }],
    ['an id that is an object', '{"id":{},"method":"a"}', { wrong: /^has an id/ }],
    [
      'a key with different case',
      '{"id":1,"method":"ping","Method":"tools/call"}',
      { wrong: /"Method", which some/ },
    ],
    ['a key with a long s', '{"id":1,"method":"ping","param\u017f":{}}', { wrong: /which some parsers/ }],
    ['an empty batch', '[]', { wrong: 'is an empty batch', id: null }],
    ['a batch in a batch', '[[{"id":1,"method":"a"}]]', { wrong: 'is not a JSON-RPC object' }],
    ['a batch with one bad message', '[{"id":1,"method":"a"},7]', { wrong: 'is not a JSON-RPC object' }],
  ])('%s', (_name, text, expected) => {
    const wrong = (expected as { wrong: string | RegExp }).wrong
    const found = read(text)
    expect(found).toMatchObject({ ...expected, wrong: expect.stringMatching(wrong) })
  })

  it.each(['', '  ', '\r'])('an empty line is ignored: %j', (text) => {
    expect(read(text)).toBeUndefined()
  })
})

describe('a message', () => {
  it.each<[string, string]>([
    ['request', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['request', '{"jsonrpc":"2.0","id":"1","method":"ping","params":{"a":1.0}}'],
    ['notification', '{"method":"notifications/initialized"}'],
    ['notification', '{"id":null,"method":"x"}'],
    ['response', '{"id":0,"result":null}'],
    ['response', '{"id":null,"error":{"code":-32700}}'],
  ])('is a %s, and its bytes are kept: %s', (kind, text) => {
    const found = read(text)
    expect(found).toMatchObject({ messages: [{ kind }], isBatch: false })
    expect(found !== undefined && 'bytes' in found && found.bytes.toString()).toBe(text)
  })

  it.each<[string, string, string]>([
    ['a carriage return inside', '{"id":1,\r"method":"ping"}', '{"id":1,"method":"ping"}'],
    ['several lines', '{\n "id": 1,\r\n "method": "ping"\n}', '{"id":1,"method":"ping"}'],
    ['a carriage return at its end', '{"id": 1, "method":"ping"}\r', '{"id": 1, "method":"ping"}'],
    ['a byte order mark', '\ufeff{"id":1,"method":"ping"}', '{"id":1,"method":"ping"}'],
  ])('is written on one line: %s', (_name, text, line) => {
    const found = read(text)
    expect(found !== undefined && 'bytes' in found && found.bytes.toString()).toBe(line)
  })
})
