import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLineReader } from './lines.ts'

function read(chunks: readonly Buffer[], maxBytes = 1_000) {
  const lines: string[] = []
  const reader = createLineReader(maxBytes, {
    line: (bytes) => lines.push(bytes.toString('latin1')),
    tooLong: () => lines.push('TOO LONG'),
  })
  for (const chunk of chunks) reader.push(chunk)
  return { lines, rest: reader.restBytes }
}

it('lines are the same however the bytes are split', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat(200)), (bytes, cuts) => {
      const text = Buffer.from(bytes.map((byte) => (byte < 60 ? 10 : byte)))
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
      const chunks = places.slice(1).map((end, index) => text.subarray(places[index], end))
      const expected = text.toString('latin1').split('\n')
      expect(read(chunks)).toEqual({ lines: expected.slice(0, -1), rest: expected.at(-1)?.length })
    }),
  )
})

it('a line that is too long is dropped up to its end, and reported once', () => {
  const chunks = ['12345', '6789', '0', 'ab\nnext\n', '1234567\n', 'rest'].map((text) => Buffer.from(text))
  expect(read(chunks, 6)).toEqual({ lines: ['TOO LONG', 'next', 'TOO LONG'], rest: 4 })
})
