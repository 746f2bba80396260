import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Note } from '../decision.ts'
import { liveFacts } from './live-facts.ts'
import { keepNotes } from './notes.ts'

let folder: string
let project: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-notes-'))
  project = join(folder, 'project')
  mkdirSync(project)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const facts = () => liveFacts({ cwd: project, home: folder, project, env: {} })
const keep = (...notes: readonly Note[]) => keepNotes(notes, facts(), [])
const read = (path: string) => readFileSync(join(project, path), 'utf8')

describe('what guards note down', () => {
  it('is added line by line, masked, closed to others', () => {
    expect(keep({ put: 'line', path: 'm/a.jsonl', json: { n: 1 } })).toBeUndefined()
    keep({ put: 'line', path: 'm/a.jsonl', json: { n: 2, password: 'hunter22' } })
    expect(read('m/a.jsonl')).toBe('{"n":1}\n{"n":2,"password":"[redacted:secret]"}\n')
  })

  it('goes on after a line that was torn', () => {
    writeFileSync(join(project, 'a.jsonl'), '{"n":1}\n{"n":')
    keep({ put: 'line', path: 'a.jsonl', json: { n: 2 } })
    expect(read('a.jsonl')).toBe('{"n":1}\n{"n":\n{"n":2}\n')
  })

  it('is written whole, only once, or taken away', () => {
    keep({ put: 'whole', path: 'x/s.json', json: { n: 1 } }, { put: 'first', path: 'x/i', text: 'ours\n' })
    keep({ put: 'whole', path: 'x/s.json', json: { n: 2 } }, { put: 'first', path: 'x/i', text: 'again\n' })
    expect([JSON.parse(read('x/s.json')), read('x/i')]).toEqual([{ n: 2 }, 'ours\n'])
    keep({ put: 'away', path: 'x/s.json' }, { put: 'away', path: 'x/never.json' })
    expect(readdirSync(join(project, 'x'))).toEqual(['i'])
  })

  it.each([
    ['..', '../out.jsonl'],
    ['an absolute path', '/tmp/holdpoint-out.jsonl'],
    ['a folder that leads out', 'away/out.jsonl'],
  ])('never leaves the project: %s', (_name, path) => {
    symlinkSync(folder, join(project, 'away'))
    expect(keep({ put: 'line', path, json: {} })).toContain('it leads out of the project')
    expect(readdirSync(folder)).toEqual(['project'])
  })

  it('does not follow a link in the place of the file', () => {
    writeFileSync(join(project, 'main.ts'), 'code')
    symlinkSync('main.ts', join(project, 'a.jsonl'))
    expect(keep({ put: 'line', path: 'a.jsonl', json: {} })).toContain('could not keep a.jsonl')
    keep({ put: 'away', path: 'a.jsonl' })
    expect(read('main.ts')).toBe('code')
  })

  it('says what it lost and keeps the rest', () => {
    mkdirSync(join(project, 'a.jsonl'))
    const said = keep({ put: 'line', path: 'a.jsonl', json: {} }, { put: 'line', path: 'b.jsonl', json: {} })
    expect(said).toMatch(/^Holdpoint could not keep a\.jsonl: .*Nothing was stopped by that/)
    expect(existsSync(join(project, 'b.jsonl'))).toBe(true)
  })

  it('refuses what nobody could read again', () => {
    const long = { text: 'x'.repeat(70_000) }
    expect(keep({ put: 'line', path: 'a.jsonl', json: long })).toContain('too long')
    writeFileSync(join(project, 'full.jsonl'), Buffer.alloc(32 * 1024 * 1024, '\n'))
    expect(keep({ put: 'line', path: 'full.jsonl', json: {} })).toContain('no more are kept')
  })

  it('loses nothing when many write at once', async () => {
    const program = join(folder, 'writer.mjs')
    const source = `
      import { liveFacts } from ${JSON.stringify(join(import.meta.dirname, 'live-facts.ts'))}
      import { keepNotes } from ${JSON.stringify(join(import.meta.dirname, 'notes.ts'))}
      const facts = liveFacts({ cwd: '/', home: '/', project: process.argv[2], env: {} })
      for (let n = 0; n < 200; n++)
        keepNotes([{ put: 'line', path: 'm/a.jsonl', json: { by: process.argv[3], n, pad: 'x'.repeat(n * 10) } }], facts, [])`
    await build({
      stdin: { contents: source, resolveDir: folder },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
    })
    const exits = [1, 2, 3, 4].map((by) => {
      const child = spawn(process.execPath, [program, project, String(by)], { stdio: 'inherit' })
      return new Promise((done) => child.on('close', done))
    })
    expect(await Promise.all(exits)).toEqual([0, 0, 0, 0])
    const lines = read('m/a.jsonl')
      .trimEnd()
      .split('\n')
      // Who finds another's line half written closes it first, which may leave an empty one.
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    expect(new Set(lines.map(({ by, n }) => `${by}/${n}`)).size).toBe(800)
  })
})
