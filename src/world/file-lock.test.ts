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
import { bad, good } from '../errors.ts'
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

it('holds the lock while it runs, and lets go of it whatever happens', () => {
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

it('does not remove a lock that somebody took over', () => {
  withLock(lock, () => {
    writeFileSync(lock, 'another')
    return good(undefined)
  })
  expect(readFileSync(lock, 'utf8')).toBe('another')
})

describe('a lock that is there', () => {
  test.each<[string, () => void, boolean]>([
    ['old, of a process that is gone', () => (writeFileSync(lock, `${gone()} x`), old()), true],
    ['old and empty', () => (writeFileSync(lock, ''), old()), true],
    ['old, with garbage in it', () => (writeFileSync(lock, 'x'.repeat(1e6)), old()), true],
    ['old, of no process', () => (writeFileSync(lock, '0'), old()), true],
    ['old, of a living process', () => (writeFileSync(lock, `${process.pid} x`), old()), false],
    ['fresh, of a process that is gone', () => writeFileSync(lock, `${gone()} x`), false],
    ['fresh and empty', () => writeFileSync(lock, ''), false],
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

  it('is waited for', async () => {
    const holder = spawn(process.execPath, [
      ...[
        '-e',
        'fs.writeFileSync(process.argv[1], "1 x"); console.log(1); setTimeout(() => fs.rmSync(process.argv[1]), 300)',
      ],
      lock,
    ])
    await new Promise((ready) => holder.stdout.once('data', ready))
    expect(withLock(lock, () => good(existsSync(lock)))).toEqual(good(true))
  })
})

it('tells that the folder cannot be written', () => {
  expect(() => withLock(join(folder, 'none', 'lock'), () => good(1))).toThrow('ENOENT')
})
