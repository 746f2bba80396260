import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRollback, type Rollback } from './rollback.ts'

let folder: string
let rollback: Rollback
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-rollback-'))
  rollback = createRollback()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (...names: string[]) => join(folder, ...names)

describe('taking back', () => {
  it('gives a file its bytes and its mode back', () => {
    writeFileSync(at('file'), Buffer.from([0, 255, 10]))
    chmodSync(at('file'), 0o640)
    rollback.note([at('file')])
    writeFileSync(at('file'), 'other')
    chmodSync(at('file'), 0o600)
    expect(rollback.takeBack()).toEqual([])
    expect([...readFileSync(at('file'))]).toEqual([0, 255, 10])
    expect(statSync(at('file')).mode & 0o777).toBe(0o640)
  })

  it('brings a removed file back', () => {
    writeFileSync(at('file'), 'text')
    rollback.note([at('file')])
    rmSync(at('file'))
    expect(rollback.takeBack()).toEqual([])
    expect(readFileSync(at('file'), 'utf8')).toBe('text')
  })

  it('removes new files, with the folders that were made for them', () => {
    rollback.note([at('a', 'b', 'file')])
    mkdirSync(at('a', 'b'), { recursive: true })
    writeFileSync(at('a', 'b', 'file'), 'text')
    expect(rollback.takeBack()).toEqual([])
    expect(existsSync(at('a'))).toBe(false)
  })

  it('leaves a made folder in which somebody else has put a file', () => {
    rollback.note([at('a', 'file')])
    mkdirSync(at('a'))
    writeFileSync(at('a', 'file'), 'text')
    writeFileSync(at('a', 'other'), 'text')
    rollback.takeBack()
    expect(existsSync(at('a', 'file'))).toBe(false)
    expect(existsSync(at('a', 'other'))).toBe(true)
  })

  it('removes what is new in a folder that was there', () => {
    mkdirSync(at('copies', 'old'), { recursive: true })
    rollback.note([at('copies')])
    mkdirSync(at('copies', 'new', 'deep'), { recursive: true })
    expect(rollback.takeBack()).toEqual([])
    expect(existsSync(at('copies', 'new'))).toBe(false)
    expect(existsSync(at('copies', 'old'))).toBe(true)
  })

  it('switches a link back, and restores the file that it leads to', () => {
    writeFileSync(at('target'), 'before')
    symlinkSync('target', at('link'))
    rollback.note([at('link')])
    writeFileSync(at('link'), 'through the link')
    rmSync(at('link'))
    symlinkSync('elsewhere', at('link'))
    expect(rollback.takeBack()).toEqual([])
    expect(readlinkSync(at('link'))).toBe('target')
    expect(readFileSync(at('target'), 'utf8')).toBe('before')
  })

  it('leaves a settled file that somebody else has changed since, and names it', () => {
    writeFileSync(at('file'), 'before')
    rollback.note([at('file')])
    writeFileSync(at('file'), 'ours')
    rollback.settle([at('file')])
    writeFileSync(at('file'), 'theirs')
    expect(rollback.takeBack()).toEqual([at('file')])
    expect(readFileSync(at('file'), 'utf8')).toBe('theirs')
  })

  it('restores a settled file that nobody has changed since', () => {
    rollback.note([at('file')])
    writeFileSync(at('file'), 'ours')
    rollback.settle([at('file')])
    expect(rollback.takeBack()).toEqual([])
    expect(existsSync(at('file'))).toBe(false)
  })

  it('goes on after a path that it cannot restore, and names it', () => {
    mkdirSync(at('sub'))
    writeFileSync(at('sub', 'file'), 'before')
    writeFileSync(at('last'), 'before')
    rollback.note([at('last'), at('sub', 'file')])
    rmSync(at('sub'), { recursive: true })
    // A file where a folder must be.
    writeFileSync(at('sub'), '')
    writeFileSync(at('last'), 'after')
    expect(rollback.takeBack()).toEqual([at('sub', 'file')])
    expect(readFileSync(at('last'), 'utf8')).toBe('before')
    expect(lstatSync(at('sub')).isFile()).toBe(true)
  })
})
