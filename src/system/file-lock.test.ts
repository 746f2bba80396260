import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { bad, good } from '../core/errors.ts'
import { withLock } from './file-lock.ts'

let folder: string
let lock: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-lock-'))
  lock = join(folder, 'lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SHORT_MS = 100
const gone = () => spawnSync(process.execPath, ['-e', '']).pid
const old = () => utimesSync(lock, 1_700_000_000, 1_700_000_000)

it('a function holds the lock while it runs, and always releases it', () => {
  const seen = withLock(lock, () => good(readFileSync(lock, 'utf8')))
  expect(seen.ok && seen.value).toMatch(new RegExp(`^${process.pid} `))
  expect(existsSync(lock)).toBe(false)
  expect(withLock(lock, () => bad('INTERNAL', 'no')).ok).toBe(false)
  expect(existsSync(lock)).toBe(false)
  expect(() =>
    withLock(lock, () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(existsSync(lock)).toBe(false)
})

it('a lock that another process took over is not removed', () => {
  withLock(lock, () => {
    writeFileSync(lock, 'another')
    return good(undefined)
  })
  expect(readFileSync(lock, 'utf8')).toBe('another')
})

describe('an existing lock that is', () => {
  test.each<[string, () => void, boolean]>([
    [
      'old and of a process that has ended is taken over',
      () => (writeFileSync(lock, `${gone()} x`), old()),
      true,
    ],
    ['old and empty is taken over', () => (writeFileSync(lock, ''), old()), true],
    ['old and invalid is taken over', () => (writeFileSync(lock, 'x'.repeat(1e6)), old()), true],
    ['old and of no process is taken over', () => (writeFileSync(lock, '0'), old()), true],
    [
      'old and of a running process is respected',
      () => (writeFileSync(lock, `${process.pid} x`), old()),
      false,
    ],
    ['new and of a process that has ended is respected', () => writeFileSync(lock, `${gone()} x`), false],
    ['new and empty is respected', () => writeFileSync(lock, ''), false],
  ])('%s', (_name, prepare, isTaken) => {
    prepare()
    const before = readFileSync(lock, 'utf8')
    const result = withLock(lock, () => good('mine'), SHORT_MS)
    if (isTaken) {
      expect(result).toEqual(good('mine'))
      expect(readdirSync(folder)).toEqual([])
    } else {
      expect(result).toMatchObject({
        ok: false,
        problem: { file: lock, fix: expect.stringMatching(/remove/) },
      })
      expect(readFileSync(lock, 'utf8')).toBe(before)
    }
  })

  it('released in time is taken', async () => {
    const holder = spawn(process.execPath, [
      '-e',
      'fs.writeFileSync(process.argv[1], "1 x"); console.log(1); setTimeout(() => fs.rmSync(process.argv[1]), 300)',
      lock,
    ])
    await new Promise((ready) => holder.stdout.once('data', ready))
    expect(withLock(lock, () => good(existsSync(lock)))).toEqual(good(true))
  })
})

it('a folder that cannot be written is reported', () => {
  expect(() => withLock(join(folder, 'none', 'lock'), () => good(1))).toThrow('ENOENT')
})
