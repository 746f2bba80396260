import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFile } from './read-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-read-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('reads the beginning of a file, and its size', () => {
  const path = join(folder, 'a')
  writeFileSync(path, '0123456789')
  expect(readFile(path, 4)).toMatchObject({ text: '0123', sizeBytes: 10, modified: expect.any(Date) })
  expect(readFile(path, 100)).toMatchObject({ text: '0123456789' })
  writeFileSync(path, '')
  expect(readFile(path, 100)).toMatchObject({ text: '', sizeBytes: 0 })
})

test('reads nothing that is not a regular file, and does not wait for a pipe', () => {
  mkdirSync(join(folder, 'b'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect(['none', 'b', 'pipe'].map((name) => readFile(join(folder, name), 100))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
