import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadPlan } from '../../app/load-plan.ts'
import { homeLayout } from '../../system/home.ts'
import { measureCoverage } from './measure-coverage.ts'
import { mutatePolicy } from './mutate.ts'
import { readTestFile } from './read-file.ts'
import { type CaseContext, runCase } from './run-case.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-mutate-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const POLICY = `version: 1
rules:
  - id: no-prod
    match: Bash
    when: { shell: { command: psql, argument: "*prod*" } }
    deny: Use the replica.
  - id: writers
    match: Write
    when: { all: [{ path: "src/**" }, { input: { content: { glob: "*TODO*" } } }] }
    ask: Really?
`

async function contextOf(policy: string): Promise<CaseContext> {
  const project = mkdtempSync(join(root, 'project-'))
  mkdirSync(join(project, '.holdpoint'))
  writeFileSync(join(project, '.holdpoint/config.yaml'), policy)
  const home = homeLayout(join(project, 'home'), { HOME: project })
  const loaded = await loadPlan(project, { home, uncached: true }, new Map())
  if (!loaded.ok) throw new Error(loaded.problem.message)
  expect(loaded.value.plan.problems).toEqual([])
  return { loaded: loaded.value, project, home: project, env: {} }
}

const casesIn = (lines: readonly string[]) =>
  readTestFile(`version: 1\ncases:\n${lines.map((line) => `  - ${line}\n`).join('')}`, 'tests.yaml')

const ALL = [
  '{ name: a, command: "psql -h prod-1", expect: deny, by: no-prod }',
  '{ name: b, command: "psql -h local", expect: pass }',
  '{ name: c, command: "ls prod-1", expect: pass }',
  '{ name: d, tool: Write, input: { file_path: src/a.ts, content: "TODO x" }, expect: ask }',
  '{ name: e, tool: Write, input: { file_path: src/a.ts, content: "x" }, expect: pass }',
  '{ name: f, tool: Write, input: { file_path: docs/a.md, content: "TODO x" }, expect: pass }',
]

describe('mutation', () => {
  it('finds nothing where every condition has a case on both sides', async () => {
    const report = await mutatePolicy(casesIn(ALL), await contextOf(POLICY))
    expect(report.survived).toEqual([])
    expect(report).toMatchObject({ killed: report.mutants, unused: 0 })
    expect(report.mutants).toBeGreaterThanOrEqual(10)
  })

  it('lists what no test notices, with a case that does', async () => {
    const context = await contextOf(POLICY)
    const { survived } = await mutatePolicy(casesIn(ALL.slice(0, 1)), context)
    expect(survived.map(({ id, change }) => `${id} ${change}`)).toEqual(
      expect.arrayContaining([
        'no-prod `shell: { command: psql, argument: *prod* }` removed',
        'writers dropped',
      ]),
    )
    const dropped = survived.find(({ id, change }) => id === 'writers' && change === 'dropped')
    expect(dropped?.caught).toMatchObject({ tool: 'Write', expect: 'ask' })
    const more = survived.flatMap(({ caught }, index) =>
      caught === undefined ? [] : [{ file: '', line: 1, name: `found ${index}`, config: caught }],
    )
    const better = await mutatePolicy([...casesIn(ALL.slice(0, 1)), ...more], context)
    expect(better.survived.length).toBeLessThan(survived.length)
  })

  it('weakens a guard only where the project chose its mode', async () => {
    const packs = 'packs: { safety: { guards: { safety/files/delete-outside: deny } }, secrets: true }\n'
    const { survived } = await mutatePolicy([], await contextOf(`version: 1\n${packs}`))
    expect(survived.map(({ id, change }) => [id, change])).toEqual([
      ['safety/files/delete-outside', 'deny weakened to ask'],
    ])
  })

  it('runs no program and leaves out the cases that need one', async () => {
    const mark = join(root, 'started')
    const hooks = `hooks:\n  PreToolUse:\n    - { id: p, match: Bash, run: { command: touch, args: [${mark}] } }\n`
    const cases = casesIn(['{ name: a, command: ls, expect: deny }', ...ALL])
    expect(await mutatePolicy(cases, await contextOf(POLICY + hooks))).toMatchObject({
      unused: 1,
      survived: [],
    })
  })
})

describe('coverage', () => {
  const covered = async (lines: readonly string[], history = new Map<string, number>()) => {
    const context = await contextOf(POLICY)
    const cases = casesIn(lines)
    const results = []
    for (const each of cases) results.push(await runCase(each, context))
    return measureCoverage(cases, results, context, history)
  }

  it('is whole where every rule spoke and every condition was true once and false once', async () => {
    const { percent, rules } = await covered(ALL)
    expect(percent).toBe(100)
    expect(rules.map(({ id, cases }) => [id, cases])).toEqual([
      ['no-prod', 1],
      ['writers', 1],
    ])
  })

  it('names the conditions that were never true or never false', async () => {
    const { percent, rules } = await covered(ALL.slice(0, 1))
    expect(percent).toBeLessThan(50)
    expect(rules[0]?.conditions).toEqual([
      { text: 'shell: { command: psql, argument: *prod* }', held: 1, failed: 0 },
    ])
    expect(rules[1]?.conditions.map(({ held, failed }) => held + failed)).toEqual([0, 0])
  })

  it('counts what the journal has seen', async () => {
    const { rules } = await covered([], new Map([['writers', 7]]))
    expect(rules[1]).toMatchObject({ id: 'writers', cases: 0, history: 7 })
  })
})
