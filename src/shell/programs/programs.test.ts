import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PROGRAMS } from './index.ts'
import { programContract } from './program.contract.ts'
import type { Program, ProgramCases } from './program.ts'

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
    return { file, cases, programs: Object.values(exported).flat().filter(isProgram) }
  }),
)

function isProgram(value: unknown): value is Program {
  return typeof value === 'object' && value !== null && 'names' in value
}

describe.skipIf(only.length > 0)('the table of programs', () => {
  it('knows each program of every file with cases, and no other', () => {
    const listed = new Set(modules.flatMap(({ programs }) => programs))
    expect(
      [...listed].filter((program) => PROGRAMS.get(program.names.split(' ')[0] ?? '') !== program),
    ).toEqual([])
  })

  it('gives a name to one program only', () => {
    const names = [...new Set(modules.flatMap(({ programs }) => programs))].flatMap(({ names: text }) =>
      text.split(' '),
    )
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })
})

for (const { file, cases, programs } of modules) programContract(file, programs, cases)
