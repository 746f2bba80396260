import { gunzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { decodePush, encodePush, type Push, readPushReply } from './push-format.ts'

const hash = (digit: string) => digit.repeat(64)
const ROW = { seq: 8, hash: hash('b'), salt: 's', digest: 'd', text: 'one\ntwo' }
const PUSH: Push = {
  machine: 'm',
  counter: 3,
  sentAt: '2026-06-01T12:00:00.000Z',
  branch: 'main',
  parent: { seq: 7, hash: hash('a'), branch: 'main' },
  previous: { seq: 7, hash: hash('a') },
  oldest: true,
  status: { agents: 2 },
  rows: [ROW, { ...ROW, seq: 9, salt: '', text: '' }],
}
const contentOf = (push: Push) => gunzipSync(encodePush(push))

/** The lines of a push with other values in its head, and other records. */
function decoded(head: object, records: readonly unknown[] = []) {
  const { rows: _rows, ...rest } = PUSH
  const lines = [{ format: 1, ...rest, records: records.length, ...head }, ...records]
  return decodePush(Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`))
}

const problemOf = (result: ReturnType<typeof decodePush>) => (result.ok ? undefined : result.problem)

describe('a push', () => {
  it('is read as it was written', () => {
    expect(decodePush(contentOf(PUSH))).toEqual({ ok: true, value: PUSH })
    const { parent: _parent, oldest: _oldest, status: _status, ...least } = { ...PUSH, rows: [] }
    expect(decodePush(contentOf(least))).toEqual({ ok: true, value: least })
  })

  it('needs no line break at its end', () => {
    const text = contentOf(PUSH).toString().trimEnd()
    expect(decodePush(Buffer.from(text))).toEqual({ ok: true, value: PUSH })
    const head = text.split('\n')[0]?.replace('"records":2', '"records":0') ?? ''
    expect(decodePush(Buffer.from(head))).toMatchObject({ ok: true, value: { rows: [] } })
  })

  test.each([
    ['a time', { sentAt: 'now' }, 'its `sentAt` is not a time'],
    ['a name', { branch: 'Main' }, 'its `branch` is not a name'],
    ['a short name', { branch: 'x'.repeat(41) }, 'its `branch` is not a name'],
    ['a branch', { branch: undefined }, 'its head is incomplete'],
    ['a machine', { machine: undefined }, 'its head is incomplete'],
    ['the time', { sentAt: 7 }, 'its head is incomplete'],
    ['a counter', { counter: -1 }, 'its head is incomplete'],
    ['how many records', { records: '0' }, 'its head is incomplete'],
    ['a place in the chain', { previous: { seq: 7, hash: 'x' } }, 'its head is incomplete'],
    ['a whole place in the chain', { previous: { hash: hash('a') } }, 'its head is incomplete'],
    ['a place at all', { previous: 7 }, 'its head is incomplete'],
    ['a format', { format: undefined }, 'it has no `format`'],
    ['a format that ever was', { format: 0 }, 'it has no `format`'],
    ['a format that is a number', { format: '9' }, 'it has no `format`'],
    ['all records', { records: 1 }, 'it has 0 records, and its head says 1'],
  ])('without %s is refused', (_what, head, why) => {
    expect(problemOf(decoded(head))).toEqual({
      code: 'PUSH_INVALID',
      message: `This is not a push of a machine: ${why}.`,
    })
  })

  test.each(['', 'x', '[]', '7\n'])('that begins with %j is refused', (text) => {
    const message = 'This is not a push of a machine: its first line is not a JSON object.'
    expect(problemOf(decodePush(Buffer.from(text)))?.message).toBe(message)
  })

  it('of a newer machine says that the collector is the older one', () => {
    expect(problemOf(decoded({ format: 2 }))).toMatchObject({
      code: 'PUSH_INVALID',
      message: 'The push has format 2, and this collector knows format 1.',
      fix: expect.stringContaining('Upgrade the collector'),
    })
  })

  it('has at most 5,000 records', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ ...ROW, seq: 8 + i }))
    expect(decodePush(contentOf({ ...PUSH, rows: rows(5_000) })).ok).toBe(true)
    expect(decodePush(contentOf({ ...PUSH, rows: rows(5_001) })).ok).toBe(false)
  })

  const first = [8, hash('b'), 's', 'd', 't']
  test.each<[string, readonly unknown[], number]>([
    ['is not the next one', [first, [10, hash('b'), 's', 'd', 't']], 2],
    ['comes again', [first, first], 2],
    ['is no list', [{ ...first }], 1],
    ['has too few values', [first.slice(0, 4)], 1],
    ['has too many', [[...first, 't']], 1],
    ['has a hash that is none', [[8, 'b', 's', 'd', 't']], 1],
    ['has a hash that is no text', [[8, 7, 's', 'd', 't']], 1],
    ['has a salt that is no text', [[8, hash('b'), 7, 'd', 't']], 1],
    ['has a digest that is no text', [[8, hash('b'), 's', 7, 't']], 1],
    ['has a text that is none', [[8, hash('b'), 's', 'd', 7]], 1],
  ])('with a record that %s is refused', (_what, records, number) => {
    expect(problemOf(decoded({}, records))?.message).toBe(
      `This is not a push of a machine: its record ${number} is not the next record of a chain.`,
    )
  })

  test.each<[string, unknown]>([
    ['no place', { branch: 'main' }],
    ['no branch', { seq: 1, hash: hash('a') }],
    ['a branch that is no name', { seq: 1, hash: hash('a'), branch: '../x' }],
    ['nothing', 7],
  ])('with a parent that has %s is one without', (_what, parent) => {
    const read = decoded({ parent, oldest: 'yes', status: 7 })
    expect(read).toMatchObject({ ok: true })
    expect(Object.keys(read.ok ? read.value : {})).not.toEqual(expect.arrayContaining(['parent']))
    expect(read).not.toHaveProperty('value.oldest')
    expect(read).not.toHaveProperty('value.status')
  })
})

describe('the reply to a push', () => {
  const head = { seq: 4, hash: hash('c') }
  test.each(['stored', 'behind', 'fork'])('can be %s', (kind) => {
    expect(readPushReply(Buffer.from(JSON.stringify({ kind, head, more: 1 })))).toEqual({ kind, head })
  })

  test.each<[unknown]>([[{ kind: 'lost', head }], [{ kind: 'stored' }], [{ head }], [[]], [7], ['']])(
    'is none: %j',
    (value) => {
      expect(readPushReply(Buffer.from(JSON.stringify(value)))).toBeUndefined()
    },
  )

  it('is none if it is no JSON', () => {
    expect(readPushReply(Buffer.from('<html>'))).toBeUndefined()
  })
})
