import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openLog } from './log.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (name = 'daemon.log') => readFileSync(join(folder, name), 'utf8')

it('one line a word, with time and process, closed to others', () => {
  openLog(folder)('first\nstill first')
  expect(read()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \d+ first still first\n$/)
  expect(statSync(join(folder, 'daemon.log')).mode & 0o777).toBe(0o600)
})

it('masks secrets', () => {
  openLog(folder)('token ghp_0123456789abcdefABCDEF0123456789abcd was refused')
  expect(read()).not.toContain('ghp_0123456789')
  expect(read()).toContain('was refused')
})

it('keeps two files and no more', () => {
  const log = openLog(folder)
  for (const mark of ['oldest', 'older', 'newest']) {
    log(mark)
    writeFileSync(join(folder, 'daemon.log'), `${read()}${'x'.repeat(1024 * 1024)}\n`)
  }
  log('last')
  expect(readdirSync(folder).sort()).toEqual(['daemon.log', 'daemon.log.old'])
  expect(read()).toMatch(/last\n$/)
  expect(read('daemon.log.old')).toContain('newest')
})

it('says nothing when it cannot write', () => {
  const log = openLog(folder)
  rmSync(folder, { recursive: true })
  expect(() => log('into the void')).not.toThrow()
})
