import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { fileCursor } from './cursor-file.ts'
import { ensureMachine, keepMachine, newMachine, readMachine } from './machine.ts'
import { isSignedBy, MACHINE_HEADER, SIGNATURE_HEADER, signRequest } from './request-signature.ts'
import { createSchedule } from './schedule.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-machine-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string) => statSync(path).mode & 0o777

describe('the identity of a machine', () => {
  it('is made once, and only its user can read it', () => {
    const home = join(folder, 'fleet')
    const made = ensureMachine(home)
    if (!made.ok) throw new Error(made.problem.message)
    expect(made.value.id).toMatch(/^[0-9a-f-]{36}$/)
    const again = ensureMachine(home)
    expect(again).toMatchObject({ value: { id: made.value.id, publicKey: made.value.publicKey } })
    expect([modeOf(home), modeOf(join(home, 'machine.json'))]).toEqual([0o700, 0o600])
  })

  it('is the one that another process made meanwhile', () => {
    const kept = newMachine()
    keepMachine(folder, kept)
    expect(ensureMachine(folder)).toMatchObject({ value: { id: kept.id, publicKey: kept.publicKey } })
    expect(readMachine(folder)?.key.export({ format: 'jwk' })).toEqual(kept.key.export({ format: 'jwk' }))
  })

  it('says why it cannot be kept', () => {
    writeFileSync(join(folder, 'fleet'), '')
    expect(ensureMachine(join(folder, 'fleet'))).toMatchObject({
      problem: {
        code: 'STATE_UNWRITABLE',
        message: expect.stringMatching(/^The key of this machine cannot be written: .*E(?:EXIST|NOTDIR)/),
        file: join(folder, 'fleet'),
      },
    })
  })

  test.each<[string, (kept: Record<string, string>) => unknown]>([
    ['no id', ({ key }) => ({ key })],
    ['no key', ({ id }) => ({ id })],
    ['an id that is none', ({ key }) => ({ id: 'laptop', key })],
    ['a longer id', ({ id, key }) => ({ id: `${id}0`, key })],
    ['a key that is none', ({ id }) => ({ id, key: 'AAAA' })],
    ['a list', () => []],
  ])('does not count with %s, and is made anew', (_what, change) => {
    const made = newMachine()
    keepMachine(folder, made)
    const file = join(folder, 'machine.json')
    writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))))
    expect(readMachine(folder)).toBeUndefined()
    const other = ensureMachine(folder)
    expect(other.ok && other.value.id !== made.id).toBe(true)
    expect(readMachine(folder)?.id).toBe(other.ok ? other.value.id : '')
  })
})

describe('the signature of a request', () => {
  const machine = newMachine()
  const body = Buffer.from('text')
  const headers = signRequest('/v1/push', machine, body)
  const signed = {
    path: '/v1/push',
    machine: headers[MACHINE_HEADER] ?? '',
    signature: headers[SIGNATURE_HEADER] ?? '',
    body,
  }

  it('is good for this path, machine and body', () => {
    expect(isSignedBy(signed, machine.key)).toBe(true)
  })

  test.each<[string, Partial<typeof signed>]>([
    ['another path', { path: '/v1/hashes' }],
    ['another machine', { machine: newMachine().id }],
    ['another body', { body: Buffer.from('other') }],
    ['another signature', { signature: 'AAAA' }],
  ])('is not good for %s', (_what, other) => {
    expect(isSignedBy({ ...signed, ...other }, machine.key)).toBe(false)
  })

  it('is not good for the key of another machine, or for no key', () => {
    expect(isSignedBy(signed, newMachine().key)).toBe(false)
    expect(isSignedBy(signed, 'x' as unknown as typeof machine.key)).toBe(false)
  })
})

describe('the place that the collector has confirmed', () => {
  const cursor = { seq: 4, hash: 'h', branch: 'main', counter: 9 }
  const more = { parent: { seq: 2, hash: 'g', branch: 'main' }, registeredAt: 'https://c' }

  it('is kept in a file that only its user can read', () => {
    const file = join(folder, 'push.json')
    for (const each of [cursor, { ...cursor, ...more }]) {
      fileCursor(file).write(each)
      expect(fileCursor(file).read()).toEqual(each)
    }
    expect(modeOf(file)).toBe(0o600)
  })

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['without a place', { ...cursor, seq: -1 }],
    ['without a counter', { ...cursor, counter: undefined }],
    ['without a hash', { ...cursor, hash: undefined }],
    ['without a branch', { ...cursor, branch: 7 }],
  ])('is unknown if the file is %s', (_what, value) => {
    const file = join(folder, 'push.json')
    mkdirSync(folder, { recursive: true })
    if (value !== undefined) writeFileSync(file, value === '' ? '' : JSON.stringify(value))
    expect(fileCursor(file).read()).toBeUndefined()
  })
})

describe('when a machine asks again', () => {
  const HOUR_MS = 3_600_000
  const schedule = (chance: number, periodMs = 1000) => createSchedule(periodMs, () => chance)
  const waits = (of: ReturnType<typeof schedule>, count: number, result: { kind: 'done' | 'failed' }) =>
    Array.from({ length: count }, () => Math.round(of.afterMs(result)))

  it.each([
    [0, 800],
    [0.5, 1000],
    [1, 1200],
  ])('after a success it is a fifth sooner or later at most: chance %d', (chance, waitMs) => {
    expect(waits(schedule(chance), 2, { kind: 'done' })).toEqual([waitMs, waitMs])
  })

  it.each([
    [0, [500, 1000, 2000, 4000]],
    [1, [1000, 2000, 4000, 8000]],
  ])('after failures the wait doubles: chance %d', (chance, waitsMs) => {
    const of = schedule(chance)
    expect(waits(of, 4, { kind: 'failed' })).toEqual(waitsMs)
    expect(waits(of, 1, { kind: 'done' })).toEqual([800 + 400 * chance])
    expect(waits(of, 1, { kind: 'failed' })).toEqual(waitsMs.slice(0, 1))
  })

  it('after many failures the wait is an hour, or the period if that is longer', () => {
    expect(waits(schedule(1, 5000), 40, { kind: 'failed' }).at(-1)).toBe(HOUR_MS)
    expect(waits(schedule(1, 3 * HOUR_MS), 40, { kind: 'failed' }).at(-1)).toBe(3 * HOUR_MS)
    // However often it failed: a number stays a number.
    expect(waits(schedule(1, 5000), 2000, { kind: 'failed' }).at(-1)).toBe(HOUR_MS)
  })

  it.each([
    [0, 60_000],
    [1, 72_000],
  ])('a server that asks for a pause gets it, and a little more: chance %d', (chance, waitMs) => {
    const of = schedule(chance)
    expect(of.afterMs({ kind: 'later', retryAfterMs: 60_000 })).toBe(waitMs)
    // Its pauses are failures too, so that a short pause again and again becomes a longer one.
    expect(of.afterMs({ kind: 'later', retryAfterMs: 0 })).toBe(1000 + 1000 * chance)
  })
})
