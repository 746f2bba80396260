import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { playAlone, playInTurn, shownOn } from './play.ts'

/** The library as its users have it: built, imported by its name, and run by Node. */
const root = join(import.meta.dirname, '..', '..')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-library-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules', 'holdpoint'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The pages show TypeScript, which this version of Node may not read. */
const withoutTypes = (program: string) => transformSync(program, { loader: 'ts', target: 'es2023' }).code

describe('the quick start of the library', () => {
  const guide = readFileSync(join(root, 'docs/guide/library.md'), 'utf8')
  const blocks = [...guide.matchAll(/```ts\n(.*?)```\n\n```text\n(.*?)```/gs)]

  it('shows what every program prints', () => {
    expect(blocks).toHaveLength([...guide.matchAll(/^```ts$/gm)].length)
    expect(blocks.length).toBeGreaterThan(3)
  })

  const fileOf = (index: number) => join(folder, `program-${index}.mjs`)
  let said: Readonly<Record<string, string>>
  beforeAll(() => {
    for (const [index, [, program = '']] of blocks.entries())
      writeFileSync(fileOf(index), withoutTypes(program))
    said = playInTurn(
      blocks.map((_, index) => fileOf(index)),
      folder,
    )
  })

  it.each(blocks.map(([, , printed = ''], index) => [index + 1, printed] as const))(
    'program %i prints what the page says',
    (number, printed) => {
      expect(said[fileOf(number - 1)]).toBe(printed)
    },
  )
})

it('the README has the first program of the quick start', () => {
  const first = (file: string, after: string) => {
    const text = readFileSync(join(root, file), 'utf8')
    return /```ts\n(.*?)```/s.exec(text.slice(text.indexOf(after)))?.[1]
  }
  const program = first('README.md', '## Use it as a library') ?? ''
  const file = join(folder, 'readme.mjs')
  writeFileSync(file, program)
  expect(playAlone(file, folder)).toBe('deny Only a person deploys.\n')
})

it('the example agent of the library obeys its hooks', () => {
  // stories.test.ts plays it: it prints this.
  expect(shownOn('library')?.trim().split('\n')).toEqual([
    'tool: buy milk',
    expect.stringMatching(/^tool: Bash was refused: .*push/),
    'person: May I write notes.txt? yes',
    'to the agent: Look at the file once more.',
    'tool: wrote 18 characters',
    'held: Read the file again before you stop.',
    'tool: buy milk and bread',
    'agent: The list has milk and bread.',
  ])
})
