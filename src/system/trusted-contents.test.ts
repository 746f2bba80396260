import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contentHash } from './trust.ts'
import { keepContents, keptContent } from './trusted-contents.ts'

let folder: string
let trustFile: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-kept-'))
  trustFile = join(folder, 'trust.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keep = (...contents: readonly Buffer[]) =>
  keepContents(trustFile, new Map(contents.map((each, i) => [`/f${i}`, contentHash(each)])), contents)
const kept = () => readdirSync(join(folder, 'trusted'))
const text = Buffer.from('what it said')

describe('the content of trusted files', () => {
  it('is found by its hash', () => {
    keep(text)
    expect(keptContent(trustFile, contentHash(text))).toEqual(text)
    expect(keptContent(trustFile, contentHash('other'))).toBeUndefined()
  })

  it('stays as long as a trusted file has it, and is not written again', () => {
    keep(text)
    const { ino } = statSync(join(folder, 'trusted', contentHash(text)))
    const other = Buffer.from('other')
    const trusted = new Map([text, other].map((each, i) => [`/f${i}`, contentHash(each)]))
    keepContents(trustFile, trusted, [other])
    expect(kept().sort()).toEqual([contentHash(text), contentHash(other)].sort())
    keepContents(trustFile, trusted, [text, other])
    expect(statSync(join(folder, 'trusted', contentHash(text))).ino).toBe(ino)
  })

  it('is removed if no trusted file has it any more', () => {
    keep(text)
    keep(Buffer.from('now'))
    expect(kept()).toEqual([contentHash('now')])
  })

  it('is not used if it was changed', () => {
    keep(text)
    writeFileSync(join(folder, 'trusted', contentHash(text)), 'changed')
    expect(keptContent(trustFile, contentHash(text))).toBeUndefined()
  })

  it('is stored up to 256 KB, and up to the last byte of 16 MB, whatever link is beside it', () => {
    mkdirSync(join(folder, 'trusted'))
    symlinkSync('/nowhere/at/all', join(folder, 'trusted', 'link'))
    const full = Array.from({ length: 65 }, (_, i) => Buffer.alloc(256 * 1024, i))
    keep(...full)
    expect(kept().filter((name) => name !== 'link')).toHaveLength(64)
    const hashes = full.map(contentHash)
    expect(hashes.filter((hash) => keptContent(trustFile, hash) === undefined)).toEqual(hashes.slice(64))
  })

  it('is not stored if it is large, or more than 16 MB in total', () => {
    keep(Buffer.alloc(256 * 1024 + 1))
    expect(kept()).toEqual([])
    keep(...Array.from({ length: 80 }, (_, i) => Buffer.alloc(250 * 1024, i)))
    expect(kept().length).toBeGreaterThan(60)
    expect(kept().length * 250 * 1024).toBeLessThanOrEqual(16 * 1024 * 1024)
  })

  it('is not looked for outside its folder', () => {
    keep(text)
    expect(keptContent(trustFile, '../trust.json')).toBeUndefined()
    expect(keptContent(trustFile, 'missing')).toBeUndefined()
  })

  it('is not needed if it cannot be stored', () => {
    writeFileSync(join(folder, 'trusted'), 'a file in the way')
    expect(() => keep(text)).not.toThrow()
    expect(keptContent(trustFile, contentHash(text))).toBeUndefined()
    rmSync(join(folder, 'trusted'))
    symlinkSync('/nowhere/at/all', join(folder, 'trusted'))
    expect(() => keep(text)).not.toThrow()
  })

  it('is stored without changing other files', () => {
    keep(text)
    writeFileSync(join(folder, 'trusted', 'notes.txt'), 'mine')
    keep()
    expect(readFileSync(join(folder, 'trusted', 'notes.txt'), 'utf8')).toBe('mine')
  })
})
