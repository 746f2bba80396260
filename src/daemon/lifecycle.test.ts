import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DaemonState, EXIT_CODES, exitReason, watchFile } from './lifecycle.ts'

const HEALTHY: DaemonState = {
  idleMs: 5,
  idleMaxMs: 10,
  ownsSocket: true,
  isCurrent: true,
  hasSupervisor: true,
  needsSupervisor: false,
}

describe('the exit reason of a daemon', () => {
  it.each<[string | undefined, Partial<DaemonState>]>([
    [undefined, {}],
    [undefined, { idleMs: 10 }],
    [undefined, { idleMs: 1e12, idleMaxMs: Number.POSITIVE_INFINITY }],
    ['idle', { idleMs: 11 }],
    ['replaced', { ownsSocket: false }],
    ['orphaned', { hasSupervisor: false }],
    ['outdated', { isCurrent: false }],
    // Only for this exit reason the supervisor starts the new program.
    ['outdated', { isCurrent: false, ownsSocket: false, hasSupervisor: false, idleMs: 11 }],
    // Another daemon is already running, so another supervisor is not needed.
    ['replaced', { ownsSocket: false, hasSupervisor: false, idleMs: 11 }],
    ['unsupervised', { needsSupervisor: true }],
    ['replaced', { ownsSocket: false, needsSupervisor: true }],
  ])('is %s for %j', (reason, signs) => {
    expect(exitReason({ ...HEALTHY, ...signs })).toBe(reason)
  })

  it('becomes an exit code that tells the supervisor what to do', () => {
    expect(EXIT_CODES).toEqual({
      ...{ stopped: 0, idle: 0, replaced: 0, unsupervised: 0 },
      ...{ outdated: 75, orphaned: 76 },
    })
  })
})

describe('a watched file', () => {
  it.each<[string, boolean, (path: string) => void]>([
    ['is the same if nothing happened', true, () => {}],
    ['is not the same if it was removed', false, (path) => rmSync(path)],
    ['is not the same if it became longer', false, (path) => writeFileSync(path, 'program, changed')],
    ['is not the same if it has another time', false, (path) => utimesSync(path, 1, 1)],
    [
      'is not the same if another file of the same size and time replaced it',
      false,
      (path) => {
        writeFileSync(`${path}.new`, 'PROGRAM')
        utimesSync(`${path}.new`, 1_000, 1_000)
        renameSync(`${path}.new`, path)
      },
    ],
  ])('%s', (_name, same, change) => {
    const path = join(mkdtempSync(join(tmpdir(), 'holdpoint-life-')), 'file')
    writeFileSync(path, 'program')
    utimesSync(path, 1_000, 1_000)
    const isCurrent = watchFile(path)
    change(path)
    expect(isCurrent()).toBe(same)
    rmSync(join(path, '..'), { recursive: true })
  })
})
