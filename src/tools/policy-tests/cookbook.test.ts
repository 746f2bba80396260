import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../app/create-engine.ts'
import { parseConfig } from '../../config/read-layer.ts'
import { buildPlan } from '../../handlers/plan.ts'
import { readTestFile } from './read-file.ts'
import { runCase } from './run-case.ts'

/** Every policy of the cookbook, with the tests that stand below it on the page. */
const PAGE = readFileSync(new URL('../../../docs/guide/cookbook.md', import.meta.url), 'utf8')
const RECIPES = PAGE.split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.split('\n')[0] ?? '',
    files: [...section.matchAll(/^```\w+\n((?:#![^\n]*\n)?# (\S+)\n.*?)^```$/gms)].map(
      ([, text = '', path = '']) => ({ path, text }),
    ),
  }))

it('has twenty policies', () => expect(RECIPES.length).toBeGreaterThanOrEqual(20))

let project: string
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'holdpoint-cookbook-'))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

describe.each(RECIPES)('$title', ({ files }) => {
  it('passes its tests, and its file has no mistakes', async () => {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(project, path)), { recursive: true })
      writeFileSync(join(project, path), text, { mode: 0o755 })
    }
    const config = files.find(({ path }) => path === '.holdpoint/config.yaml')
    const tests = files.filter(({ path }) => path.startsWith('.holdpoint/tests/'))
    expect(tests).toHaveLength(1)
    const path = join(project, '.holdpoint/config.yaml')
    const layer = await parseConfig(config?.text ?? '', {
      path,
      rank: 'project',
      trusted: true,
      root: project,
    })
    if (!layer.ok) throw new Error(layer.problem.message)
    const plan = buildPlan([layer.value], new Map())
    expect(plan.problems).toEqual([])
    const context = {
      loaded: { plan, engine: await createEngine(plan), maskers: [], broken: [] },
      project,
      home: '/home/dev',
      env: { PATH: process.env.PATH },
    }
    const cases = tests.flatMap(({ path: file, text }) => readTestFile(text, file))
    expect(cases.length).toBeGreaterThan(0)
    for (const test of cases) {
      const { name, differences } = await runCase(test, context)
      expect({ name, differences }).toEqual({ name, differences: [] })
    }
  })
})
