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

it('the log has one line for each message, with time and process, and only the user can read it', () => {
  openLog(folder)('first\nstill first')
  expect(read()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \d+ first still first\n$/)
  expect(statSync(join(folder, 'daemon.log')).mode & 0o777).toBe(0o600)
})

it('the log masks secrets', () => {
  openLog(folder)('token ghp_0123456789abcdefABCDEF0123456789abcd was refused')
  expect(read()).not.toContain('ghp_0123456789')
  expect(read()).toContain('was refused')
})

it('the log keeps at most two files', () => {
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

it('the log does not fail if it cannot write', () => {
  const log = openLog(folder)
  rmSync(folder, { recursive: true })
  expect(() => log('into the void')).not.toThrow()
})
