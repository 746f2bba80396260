import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSignal, renderSignal, type Signal } from './signal-format.ts'

const SIGNAL: Signal = {
  path: 'tmp/mux/x/research/a.md',
  status: 'success',
  sizeBytes: 12,
  createdAt: '2026-01-31T09:00:00.000Z',
}

describe('a signal file', () => {
  test('is read as it was written', () => {
    const whole = {
      ...SIGNAL,
      error: 'a: b',
      traceId: '0123456789abcdef',
      version: '2',
      previous: 'old.done',
    }
    expect(readSignal(renderSignal(whole))).toEqual({ ok: true, signal: whole, complaints: [] })
    expect(renderSignal(SIGNAL)).toBe(
      'path: tmp/mux/x/research/a.md\nsize: 12\nstatus: success\ncreated_at: 2026-01-31T09:00:00.000Z\n',
    )
  })

  test.each([
    ['path: a\nstatus: success', 'success'],
    ['status: FAIL\r\npath: a\r\n', 'fail'],
    ['  {"path": "a", "status": "error", "timestamp": "x", "agent_id": "7"}', 'fail'],
    ['{"path": "a", "status": "success", "size": 5}', 'success'],
  ])('%j', (text, status) => {
    expect(readSignal(text)).toMatchObject({ ok: true, signal: { path: 'a', status } })
  })

  test.each([
    ['', 'no path'],
    ['path: a', 'no status'],
    ['path: a\nsta', 'no status'],
    ['path:\nstatus: success', 'no path'],
    ['path: a\nstatus: perhaps', '"perhaps" is neither'],
    ['{"path": "a"', 'incomplete'],
    ['[]', 'no path'],
    ['{"path": 7, "status": []}', 'no status'],
  ])('%j is not a signal', (text, why) => {
    expect(readSignal(text)).toMatchObject({ ok: false, why: expect.stringContaining(why) })
  })

  test.each(['huge', '-1', '1e9', '12 bytes', '9'.repeat(30)])('with the size %s is reported', (size) => {
    const read = readSignal(`path: a\nstatus: success\nsize: ${size}`)
    expect(read).toMatchObject({ ok: true, complaints: [expect.stringContaining('is not a number')] })
    expect(read.ok && read.signal.sizeBytes).toBe(undefined)
  })

  test('with a whole log as its error is shortened', () => {
    const read = readSignal(`path: a\nstatus: fail\nerror: ${'x'.repeat(60_000)}`)
    expect(read.ok && read.signal.error?.length).toBe(301)
  })

  test('any text is read as a signal or gives a reason, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readSignal(text)
        return read.ok || read.why !== ''
      }),
    )
  })
})
