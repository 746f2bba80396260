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
import type { Note } from '../core/decision.ts'
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

describe('the notes of guards', () => {
  it('are appended line by line, masked, and only readable by the user', () => {
    expect(keep({ kind: 'append', path: 'm/a.jsonl', json: { n: 1 } })).toBeUndefined()
    keep({ kind: 'append', path: 'm/a.jsonl', json: { n: 2, password: 'hunter22' } })
    expect(read('m/a.jsonl')).toBe('{"n":1}\n{"n":2,"password":"[redacted:secret]"}\n')
  })

  it('continue after an incomplete line', () => {
    writeFileSync(join(project, 'a.jsonl'), '{"n":1}\n{"n":')
    keep({ kind: 'append', path: 'a.jsonl', json: { n: 2 } })
    expect(read('a.jsonl')).toBe('{"n":1}\n{"n":\n{"n":2}\n')
  })

  it('are replaced, created once, or deleted', () => {
    keep(
      { kind: 'replace', path: 'x/s.json', json: { n: 1 } },
      { kind: 'create', path: 'x/i', text: 'ours\n' },
    )
    keep(
      { kind: 'replace', path: 'x/s.json', json: { n: 2 } },
      { kind: 'create', path: 'x/i', text: 'again\n' },
    )
    expect([JSON.parse(read('x/s.json')), read('x/i')]).toEqual([{ n: 2 }, 'ours\n'])
    keep({ kind: 'delete', path: 'x/s.json' }, { kind: 'delete', path: 'x/never.json' })
    expect(readdirSync(join(project, 'x'))).toEqual(['i'])
  })

  it.each([
    ['..', '../out.jsonl'],
    ['an absolute path', '/tmp/holdpoint-out.jsonl'],
    ['a folder that leads out', 'away/out.jsonl'],
  ])('never leave the project: %s', (_name, path) => {
    symlinkSync(folder, join(project, 'away'))
    expect(keep({ kind: 'append', path, json: {} })).toContain('it leads out of the project')
    expect(readdirSync(folder)).toEqual(['project'])
  })

  it('do not follow a link instead of the file', () => {
    writeFileSync(join(project, 'main.ts'), 'code')
    symlinkSync('main.ts', join(project, 'a.jsonl'))
    expect(keep({ kind: 'append', path: 'a.jsonl', json: {} })).toContain('could not keep a.jsonl')
    keep({ kind: 'delete', path: 'a.jsonl' })
    expect(read('main.ts')).toBe('code')
  })

  it('report what was lost and keep the rest', () => {
    mkdirSync(join(project, 'a.jsonl'))
    const said = keep(
      { kind: 'append', path: 'a.jsonl', json: {} },
      { kind: 'append', path: 'b.jsonl', json: {} },
    )
    expect(said).toMatch(/^Holdpoint could not keep a\.jsonl: .*Nothing was stopped by that/)
    expect(existsSync(join(project, 'b.jsonl'))).toBe(true)
  })

  it('reject content that could not be read again', () => {
    const long = { text: 'x'.repeat(70_000) }
    expect(keep({ kind: 'append', path: 'a.jsonl', json: long })).toContain('too long')
    writeFileSync(join(project, 'full.jsonl'), Buffer.alloc(32 * 1024 * 1024, '\n'))
    expect(keep({ kind: 'append', path: 'full.jsonl', json: {} })).toContain('no more are kept')
  })

  it('lose nothing if many processes write at once', async () => {
    const program = join(folder, 'writer.mjs')
    const source = `
      import { liveFacts } from ${JSON.stringify(join(import.meta.dirname, 'live-facts.ts'))}
      import { keepNotes } from ${JSON.stringify(join(import.meta.dirname, 'notes.ts'))}
      const facts = liveFacts({ cwd: '/', home: '/', project: process.argv[2], env: {} })
      for (let n = 0; n < 200; n++)
        keepNotes([{ kind: 'append', path: 'm/a.jsonl', json: { by: process.argv[3], n, pad: 'x'.repeat(n * 10) } }], facts, [])`
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
      // A process that finds an incomplete line ends it first, which may leave an empty line.
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    expect(new Set(lines.map(({ by, n }) => `${by}/${n}`)).size).toBe(800)
  })
})
