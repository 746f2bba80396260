import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { frozenFacts } from '../library/testing/events.ts'
import { keepLog } from './log-files.ts'
import { keepNotes } from './notes.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-logs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const note = (path: string, text: string) => ({ kind: 'log', path, text }) as const
const read = (name: string) => readFileSync(join(folder, 'logs', name), 'utf8')

it('a log line is masked, and the file is private', () => {
  const secret = `password=${'hunter2'.repeat(4)}`
  const notes = [note('some-hook', '[2026-01-15 12:00:00] one'), note('some-hook', `two ${secret}`)]
  expect(keepNotes(notes, frozenFacts({ project: folder }), [], join(folder, 'logs'))).toBeUndefined()
  expect(read('some-hook.log')).toMatch(/^\[2026-01-15 12:00:00\] one\ntwo /)
  expect(read('some-hook.log')).not.toContain('hunter2hunter2')
  expect(lstatSync(join(folder, 'logs', 'some-hook.log')).mode & 0o077).toBe(0)
})

it('a long log starts a new file, and the previous one is kept', () => {
  mkdirSync(join(folder, 'logs'))
  writeFileSync(join(folder, 'logs', 'x.log'), 'y'.repeat(5 * 1024 * 1024))
  keepLog(note('x', 'new'), 'new', join(folder, 'logs'))
  expect(read('x.log')).toBe('new\n')
  expect(read('x.log.1')).toHaveLength(5 * 1024 * 1024)
})

it('a log is written to /tmp only on request, and never through a link', () => {
  const name = `holdpoint-test-${process.pid}`
  const path = join('/tmp', `${name}.log`)
  try {
    keepLog(note(name, 'x'), 'x', undefined)
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined()
    keepLog({ ...note(name, 'x'), inTmp: true }, 'x', undefined)
    expect(readFileSync(path, 'utf8')).toBe('x\n')
    rmSync(path)
    symlinkSync(join(folder, 'victim'), path)
    const linked = [{ ...note(name, 'x'), inTmp: true }]
    expect(keepNotes(linked, frozenFacts({ project: folder }), [])).toContain('could not keep')
    expect(lstatSync(join(folder, 'victim'), { throwIfNoEntry: false })).toBeUndefined()
  } finally {
    rmSync(path, { force: true })
  }
})

it('a log must have a plain name', () => {
  expect(() => keepLog(note('../x', ''), '', folder)).toThrow('not a valid log name')
})
