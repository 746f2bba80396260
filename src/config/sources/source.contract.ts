import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode, type Problem, type Result } from '../../core/errors.ts'
import { RANKS } from '../../core/hook.ts'
import type { Layer } from '../../core/layer.ts'
import { SOURCE_MAX_BYTES, type Source, type SourceFile } from './source.ts'

/** The tests that every source must pass. The test of a source calls this, and adds its own cases. */
export interface SourceCases {
  readonly name: string
  readonly source: Source
  /** Valid files. */
  readonly good: readonly string[]
  /** Files that cannot be read at all, and the problem of each. */
  readonly broken: readonly { readonly text: string; readonly code: ErrorCode; readonly line: number }[]
  /** A file with one wrong entry among valid ones: the problem, and how many entries are left. */
  readonly oneBadEntry: {
    readonly text: string
    readonly problem: Pick<Problem, 'code' | 'line' | 'key'>
    readonly packs: number
    readonly hooks: number
  }
  /** A file that would create `marker` if anything in it were run or loaded. */
  readonly wouldExecute: (marker: string) => string
}

export function sourceContract({ name, source, good, broken, oneBadEntry, wouldExecute }: SourceCases): void {
  describe(`source contract: ${name}`, () => {
    test('has the name of its folder', () => {
      expect(source.id).toBe(name)
      expect(good.length).toBeGreaterThan(0)
      expect(broken.length).toBeGreaterThan(0)
    })

    test.each(good)('reads a valid file', (text) => {
      const layer = read(source.parse(text, FILE))
      expect(layer.problems).toEqual([])
      expect(layer).toMatchObject({ rank: FILE.rank, file: FILE.path, trusted: FILE.trusted })
    })

    test.each(good)('gives the same result for every rank, trusted or not', (text) => {
      const first = read(source.parse(text, FILE))
      for (const rank of RANKS) {
        for (const trusted of [true, false]) {
          const layer = read(source.parse(text, { ...FILE, rank, trusted }))
          expect(layer).toEqual({ ...first, rank, trusted })
        }
      }
    })

    test.each(good)('gives the location of every entry', (text) => {
      const layer = read(source.parse(text, FILE))
      for (const { origin } of [...layer.packs, ...layer.hooks]) {
        expect(origin).toMatchObject({ file: FILE.path, line: expect.any(Number), key: expect.any(String) })
      }
    })

    test.each(good)('yields plain JSON, so that a plan can be cached', (text) => {
      const layer = read(source.parse(text, FILE))
      expect(JSON.parse(JSON.stringify(layer))).toEqual(layer)
    })

    test.each(broken)('rejects a broken file: $code at line $line', ({ text, code, line }) => {
      const result = source.parse(text, FILE)
      expect(result).toMatchObject({ ok: false, problem: { code, line, file: FILE.path } })
    })

    test('leaves out only the wrong entry', () => {
      const layer = read(source.parse(oneBadEntry.text, FILE))
      expect(layer.problems[0]).toMatchObject({ ...oneBadEntry.problem, file: FILE.path })
      expect(layer.packs).toHaveLength(oneBadEntry.packs)
      expect(layer.hooks).toHaveLength(oneBadEntry.hooks)
    })

    test('never throws for any text', () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => expectSane(source, text)),
      )
    })

    test('never throws for a damaged valid file', () => {
      fc.assert(
        fc.property(mutated([...good, oneBadEntry.text]), (text) => expectSane(source, text)),
        {
          numRuns: 500,
        },
      )
    })

    test.each([
      ['ten megabytes', 'a'.repeat(10 * 1024 * 1024)],
      ['one byte too many', ' '.repeat(SOURCE_MAX_BYTES + 1)],
      ['few characters of many bytes', '€'.repeat(SOURCE_MAX_BYTES / 2)],
    ])('rejects %s', (_, text) => {
      expect(source.parse(text, FILE)).toMatchObject({
        ok: false,
        problem: { code: 'CONFIG_TOO_LARGE', file: FILE.path },
      })
    })

    test('executes nothing', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'holdpoint-source-'))
      try {
        const marker = join(folder, 'was-executed')
        source.parse(wouldExecute(marker), { ...FILE, trusted: true })
        // Something that was started but not awaited would show a little later.
        await new Promise((resolve) => setTimeout(resolve, 200))
        expect(existsSync(marker)).toBe(false)
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  })
}

const FILE: SourceFile = {
  path: '/srv/project/.holdpoint/config.yaml',
  rank: 'project',
  trusted: false,
  root: '/srv/project',
}

function read(result: Result<Layer>): Layer {
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

/** Either a layer or a coded problem; every problem names its file. */
function expectSane(source: Source, text: string): void {
  const result = source.parse(text, FILE)
  for (const problem of result.ok ? result.value.problems : [result.problem]) {
    expect(Object.keys(ERRORS)).toContain(problem.code)
    expect(problem.file).toBe(FILE.path)
    expect(problem.message).not.toBe('')
  }
}

/** A text with a piece removed, doubled or replaced by characters that matter in these formats. */
function mutated(texts: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    '',
    '\n',
    ' ',
    '\t',
    ':',
    '- ',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    '&a ',
    '*a',
    '#',
    '\0',
    '💥',
    '!!x ',
  )
  const edit = fc.record({ at: fc.nat(), length: fc.nat({ max: 12 }), piece, isDoubled: fc.boolean() })
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([text, edits]) =>
      edits.reduce((result, { at, length, piece: inserted, isDoubled }) => {
        const start = at % (result.length + 1)
        const cut = result.slice(start, start + length)
        return result.slice(0, start) + (isDoubled ? cut + cut : inserted) + result.slice(start + length)
      }, text),
    )
}
