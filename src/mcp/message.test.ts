import { describe, expect, it } from 'vitest'
import { readMessages } from './message.ts'

const read = (text: string | Buffer) => readMessages(Buffer.isBuffer(text) ? text : Buffer.from(text))

describe('what is no message', () => {
  it.each<[string, string | Buffer, object]>([
    ['a word', 'hello', { wrong: 'is not JSON', garbled: true, id: null }],
    ['half of one', '{"id":1,"method":"pi', { wrong: 'is not JSON' }],
    ['with a NUL in it', '{"id":1,"method":"ping"}\0', { wrong: 'is not JSON' }],
    ['with a comment', '{"id":1,"method":"ping"} // x', { wrong: 'is not JSON' }],
    ['two on a line', '{"id":1,"method":"ping"}{"id":2,"method":"ping"}', { wrong: 'is not JSON' }],
    [
      'not UTF-8',
      Buffer.concat([Buffer.from('{"id":1,"method":"ping","x":"'), Buffer.from([0xff]), Buffer.from('"}')]),
      { wrong: 'is not UTF-8', id: 1 },
    ],
    ['a key twice', '{"id":7,"method":"ping","method":"tools/call"}', { wrong: /"method" twice/, id: 7 }],
    ['a text', '"tools/call"', { wrong: 'is no JSON-RPC object' }],
    ['null', 'null', { wrong: 'is no JSON-RPC object' }],
    ['a method that is a number', '{"id":1,"method":7}', { wrong: 'is no JSON-RPC request', id: 1 }],
    ['a request that answers', '{"id":1,"method":"a","result":{}}', { wrong: 'is no JSON-RPC request' }],
    [
      'two answers at once',
      '{"id":1,"result":{},"error":{}}',
      { wrong: 'is neither a request nor one answer' },
    ],
    ['nothing at all', '{"id":1}', { wrong: 'is neither a request nor one answer' }],
    ['a result for nobody', '{"id":null,"result":{}}', { wrong: 'answers no request' }],
    ['an id with a fraction', '{"id":1.5,"method":"a"}', { wrong: /^has an id/, id: null }],
    ['an id no number can hold', '{"id":9007199254740993,"method":"a"}', { wrong: /^has an id/ }],
    ['an id that is an object', '{"id":{},"method":"a"}', { wrong: /^has an id/ }],
    ['a look-alike key', '{"id":1,"method":"ping","Method":"tools/call"}', { wrong: /"Method", which some/ }],
    ['one with a long s', '{"id":1,"method":"ping","param\u017f":{}}', { wrong: /which some readers/ }],
    ['an empty batch', '[]', { wrong: 'is an empty batch', id: null }],
    ['a batch in a batch', '[[{"id":1,"method":"a"}]]', { wrong: 'is no JSON-RPC object' }],
    ['a batch with one bad part', '[{"id":1,"method":"a"},7]', { wrong: 'is no JSON-RPC object' }],
  ])('%s', (_name, text, expected) => {
    const wrong = (expected as { wrong: string | RegExp }).wrong
    const found = read(text)
    expect(found).toMatchObject({ ...expected, wrong: expect.stringMatching(wrong) })
  })

  it.each(['', '  ', '\r'])('an empty line means nothing: %j', (text) => {
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
  ])('is a %s, and its bytes are kept: %s', (is, text) => {
    const found = read(text)
    expect(found).toMatchObject({ messages: [{ is }], isBatch: false })
    expect(found !== undefined && 'bytes' in found && found.bytes.toString()).toBe(text)
  })

  it.each<[string, string, string]>([
    ['a return inside', '{"id":1,\r"method":"ping"}', '{"id":1,"method":"ping"}'],
    ['several lines', '{\n "id": 1,\r\n "method": "ping"\n}', '{"id":1,"method":"ping"}'],
    ['a return at its end', '{"id": 1, "method":"ping"}\r', '{"id": 1, "method":"ping"}'],
    ['a mark at its beginning', '\ufeff{"id":1,"method":"ping"}', '{"id":1,"method":"ping"}'],
  ])('stands on one line: %s', (_name, text, line) => {
    const found = read(text)
    expect(found !== undefined && 'bytes' in found && found.bytes.toString()).toBe(line)
  })
})
