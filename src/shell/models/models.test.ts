import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MODELS } from './index.ts'
import { modelContract } from './model.contract.ts'
import type { Model, ModelCases } from './model.ts'

const here = new URL('.', import.meta.url)
const files = readdirSync(here).filter(
  (name) => /^[a-z-]+\.ts$/.test(name) && !['index.ts', 'model.ts'].includes(name),
)
const modules = await Promise.all(
  files.map(async (file) => {
    const { cases, ...rest } = (await import(new URL(file, here).href)) as { cases?: ModelCases } & Record<
      string,
      unknown
    >
    return { file, cases, models: Object.values(rest).filter(isModel) }
  }),
)

function isModel(value: unknown): value is Model {
  return typeof value === 'object' && value !== null && 'programs' in value && 'effects' in value
}

describe('the table of models', () => {
  it('lists the model of every file that has one, and nothing else', () => {
    expect(new Set(modules.flatMap(({ models }) => models))).toEqual(new Set(MODELS))
  })

  it('gives a program to one model only', () => {
    const programs = MODELS.flatMap((model) => model.programs)
    expect(programs.filter((program, at) => programs.indexOf(program) !== at)).toEqual([])
  })
})

for (const { file, cases, models } of modules) {
  for (const model of models) modelContract(file, model, cases ?? [])
}
