import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { wordList } from '../../core/word-list.ts'
import { PROGRAMS } from './index.ts'
import { programContract } from './program.contract.ts'
import type { ProgramCases } from './program.ts'

/** `npm test -- rm` sets it to the files it is about. */
const only = (process.env.HOLDPOINT_TEST_ONLY ?? '').split(',').filter((name) => name !== '')
const here = new URL('.', import.meta.url)
const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.cases.ts'))
  .map((name) => name.slice(0, -'.cases.ts'.length))
  .filter((name) => only.length === 0 || only.includes(name))
const modules = await Promise.all(
  files.sort().map(async (file) => {
    const { cases } = (await import(new URL(`${file}.cases.ts`, here).href)) as { cases: ProgramCases }
    const exported: object = await import(new URL(`${file}.ts`, here).href)
    return { file, cases, programs: Object.values(exported).flatMap(programsIn) }
  }),
)

/** The names of each program in a table of programs; none of anything else that a file exports. */
function programsIn(exported: unknown): readonly (readonly string[])[] {
  if (typeof exported !== 'object' || exported === null) return []
  const rows = Object.entries(exported)
  const known = rows.every(([names, program]) => PROGRAMS.get(wordList(names)[0] ?? '') === program)
  return known ? rows.map(([names]) => wordList(names)) : []
}

// With a selection of files, the others are missing on purpose.
describe.skipIf(only.length > 0)('the table of programs', () => {
  it('has cases for every program, and each name once', () => {
    const names = modules.flatMap((module) => module.programs.flat())
    expect([...PROGRAMS.keys()].filter((name) => !names.includes(name))).toEqual([])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })
})

for (const { file, cases, programs } of modules) programContract(file, programs, cases)
