import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PAYLOAD_MAX_BYTES } from '../core/host.ts'
import {
  type DaemonRequest,
  decodeReply,
  decodeRequest,
  encodeReply,
  encodeRequest,
  HEADER_BYTES,
  requestBytes,
} from './protocol.ts'

const word = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''))
const name = word.filter((text) => text !== '' && !text.includes('='))
const call: fc.Arbitrary<DaemonRequest> = fc.record({
  argv: fc.array(word),
  cwd: word,
  env: fc.dictionary(name, word),
  input: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  elapsedMs: fc.nat(),
})
const reply = fc.record({ stdout: word, stderr: word, exitCode: fc.nat({ max: 255 }) })

describe('a request', () => {
  it('is decoded as it was encoded', () => {
    fc.assert(
      fc.property(call, (each) => {
        expect(decodeRequest(encodeRequest(each))).toEqual(each)
      }),
    )
  })
  it('has the arguments and the environment of an earlier one as the same objects, if they are the same', () => {
    const base = { cwd: '/', env: { HOME: '/home/me', PATH: '/bin' }, input: Buffer.alloc(0), elapsedMs: 1 }
    const [before, after, other] = [['PreToolUse'], ['PostToolUse'], ['PreToolUse']].map((argv) =>
      decodeRequest(encodeRequest({ ...base, argv })),
    )
    expect(after?.env).toBe(before?.env)
    expect(other?.argv).toBe(before?.argv)
    expect(after?.argv).toEqual(['PostToolUse'])
    const elsewhere = decodeRequest(encodeRequest({ ...base, argv: ['PreToolUse'], env: { HOME: '/' } }))
    expect(elsewhere.env).toEqual({ HOME: '/' })
  })
  it('starts with its length, which can be read before it is decoded', () => {
    fc.assert(
      fc.property(call, (each) => {
        const frame = encodeRequest(each)
        expect(requestBytes(frame.subarray(0, HEADER_BYTES))).toBe(frame.length)
      }),
    )
  })
  it('that consists of random bytes is refused, or decoded without an error', () => {
    const lengths = fc.array(fc.nat({ max: 40 }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(lengths, fc.infiniteStream(fc.nat({ max: 255 })), (parts, bytes) => {
        const frame = Buffer.from([...bytes.take(HEADER_BYTES + parts.reduce((a, b) => a + b))])
        expect(requestBytes(frame)).toBeUndefined()
        frame.write('HPQ1')
        for (const [i, each] of parts.entries()) frame.writeUInt32LE(each, 8 + 4 * i)
        expect(requestBytes(frame)).toBe(frame.length)
        const decoded = decodeRequest(frame)
        expect(decoded.input).toHaveLength(parts[3] ?? 0)
      }),
    )
  })
  it.each([
    ['argv', 8, 1 << 20],
    ['cwd', 12, 1 << 16],
    ['env', 16, 1 << 24],
    ['input', 20, PAYLOAD_MAX_BYTES + 1],
  ])('may have this much of %s and not a byte more', (_part, at, max) => {
    const header = Buffer.alloc(HEADER_BYTES)
    header.write('HPQ1')
    header.writeUInt32LE(max, at)
    expect(requestBytes(header)).toBe(HEADER_BYTES + max)
    header.writeUInt32LE(max + 1, at)
    expect(requestBytes(header)).toBeUndefined()
    header.writeUInt32LE(0xffff_ffff, at)
    expect(requestBytes(header)).toBeUndefined()
  })
  it('uses the first of two variables with the same name, and ignores one without a name', () => {
    const env = 'A=1\0A=2\0=x\0B\0__proto__=y\0C=a=b\0'
    const frame = encodeRequest({ argv: [], cwd: '', env: {}, input: Buffer.from(env), elapsedMs: 0 })
    frame.writeUInt32LE(env.length, 16)
    frame.writeUInt32LE(0, 20)
    const decoded = decodeRequest(frame).env
    expect(Object.entries(decoded)).toEqual([
      ['A', '1'],
      ['__proto__', 'y'],
      ['C', 'a=b'],
    ])
  })
})

describe('a reply', () => {
  it('is decoded as it was encoded, even if more bytes follow', () => {
    fc.assert(
      fc.property(reply, fc.uint8Array(), (each, more) => {
        expect(decodeReply(Buffer.concat([encodeReply(each), more]))).toEqual(each)
      }),
    )
  })
  it('is incomplete while a byte is missing', () => {
    fc.assert(
      fc.property(reply, fc.nat(), (each, cut) => {
        const frame = encodeReply(each)
        expect(decodeReply(frame.subarray(0, cut % frame.length))).toBeUndefined()
      }),
    )
  })
})
