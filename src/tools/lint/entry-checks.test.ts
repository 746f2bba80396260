import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../config/read-layer.ts'
import { applyFixes } from './apply-fixes.ts'
import type { DiskFacts, LintFinding } from './check.ts'
import { ENTRY_CHECKS, type EntryCheck, type EntryExample, lintEntries } from './entry-checks.ts'
import { githubLines, sarif } from './formats.ts'
import { lintFrontMatter } from './front-matter.ts'
import { withoutSilenced } from './silence.ts'

const PROJECT = '/srv/project'

function lookOf(scripts: Readonly<Record<string, string>> = {}): DiskFacts {
  const textAt = (path: string) =>
    Object.entries(scripts).find(([name]) => `${PROJECT}/${name}` === path)?.[1]
  return {
    project: PROJECT,
    home: '/home/dev',
    script(path) {
      const text = textAt(path)
      return text === undefined ? undefined : { text, isExecutable: text.startsWith('#!') }
    },
    syntaxError: (path) => (textAt(path)?.includes('(=>') === true ? 'SyntaxError: =>' : undefined),
  }
}

async function rulesOf({ config, scripts }: EntryExample): Promise<readonly string[]> {
  const path = `${PROJECT}/.holdpoint/config.yaml`
  const file = { path, rank: 'project', trusted: false, root: PROJECT } as const
  const layer = await parseConfig(`version: 1\n${config}`, file, 'holdpoint-yaml')
  if (!layer.ok) throw new Error(layer.problem.message)
  expect(layer.value.problems).toEqual([])
  return lintEntries(layer.value.hooks, lookOf(scripts)).map(({ rule }) => rule)
}

describe.each(ENTRY_CHECKS.map((check): [string, EntryCheck] => [check.id, check]))('%s', (id, check) => {
  test('finds its bad example', async () => expect(await rulesOf(check.bad)).toContain(id))
  test('finds nothing in its good example', async () => expect(await rulesOf(check.good)).toEqual([]))
})

test.each([
  ['export default {}', 'default', true],
  ['export { guard as default }', 'default', true],
  ['module.exports = () => null', 'default', true],
  ['export * from "./other.ts"', 'guard', true],
  ['export async function guard() {}', 'guard', true],
  ['export const a = 1, guard = 2', 'guard', true],
  ['const guard = 1', 'guard', false],
  ['// export nothing', 'guard', false],
])('%s exports %s: %s', async (text, name, isExported) => {
  const config = `hooks: { PreToolUse: [{ run: { module: ./p.ts, export: ${name} }, onFailure: deny }] }`
  const rules = await rulesOf({ config, scripts: { 'p.ts': text } })
  expect(rules).toEqual(isExported ? [] : ['module-exports-nothing'])
})

describe('the front matter of a skill', () => {
  const skill = (hooks: string) => `---\nname: mux\nhooks:\n${hooks}---\n# Skill\n`
  const rules = (text: string, scripts = {}) =>
    lintFrontMatter(`${PROJECT}/.claude/skills/mux/SKILL.md`, text, lookOf(scripts)).map(
      ({ rule, line }) => `${rule} ${line}`,
    )

  test('gets the checks of settings, with its own lines', () => {
    const text = skill(
      '  PreToolUse:\n    - matcher: bash\n      hooks: [{ type: command, command: /srv/project/gone.sh, timeout: 5000 }]\n',
    )
    expect(rules(text).toSorted()).toEqual([
      'dead-matcher 5',
      'fails-open 6',
      'script-missing 6',
      'timeout-milliseconds 6',
    ])
  })

  test('may name its own folder', () => {
    const hooks = (path: string) =>
      skill(`  Stop:\n    - hooks: [{ type: command, command: "$CLAUDE_PLUGIN_ROOT/${path}", timeout: 5 }]\n`)
    const scripts = { '.claude/skills/mux/a.sh': '#!/bin/sh\n' }
    expect(rules(hooks('a.sh'), scripts)).toEqual([])
    expect(rules(hooks('b.sh'), scripts)).toEqual(['script-missing 5'])
  })

  test('a gate that asks a model whether a file exists', () => {
    const prompt = (text: string) => skill(`  Stop:\n    - hooks: [{ type: prompt, prompt: "${text}" }]\n`)
    expect(rules(prompt('Does the file report.md exist?'))).toEqual(['model-checks-file 5'])
    expect(rules(prompt('Is the tone of the report polite?'))).toEqual([])
  })

  test.each(['', '---', '---\nhooks: 3\n---\n', '---\n: [\n---\n', '\0'])(
    'is read whatever it is: %j',
    (text) => {
      expect(rules(text)).toEqual([])
    },
  )
})

const finding = (more: Partial<LintFinding>): LintFinding => ({
  rule: 'no-on-failure',
  severity: 'warning',
  file: `${PROJECT}/a.yaml`,
  line: 2,
  column: 1,
  what: 'There is no `onFailure`.',
  why: 'Why.',
  instead: 'Write it.',
  ...more,
})

describe('comments that silence', () => {
  const left = (text: string) =>
    withoutSilenced([finding({})], () => text, [`${PROJECT}/a.yaml`]).map(({ rule }) => rule)

  test.each([
    ['# holdpoint-lint-ignore no-on-failure: it only logs\n- run: x', []],
    ['\n- run: x # holdpoint-lint-ignore no-on-failure: it only logs', []],
    ['# holdpoint-lint-ignore no-on-failure, other: both\n- run: x', []],
    ['# holdpoint-lint-ignore no-on-failure\n- run: x', ['no-on-failure', 'ignore-without-reason']],
    ['# holdpoint-lint-ignore: because\n- run: x', ['no-on-failure', 'ignore-without-reason']],
    ['# holdpoint-lint-ignore other: because\n- run: x', ['no-on-failure', 'ignore-unused']],
    ['# plain\n- run: x', ['no-on-failure']],
  ])('%j', (text, rules) => expect(left(text)).toEqual(rules))
})

describe('fixes', () => {
  test('replace the word at the place of the finding, also in quotes', () => {
    const fixes = [
      finding({ line: 1, column: 3, replace: { old: 'wehn', with: 'when' } }),
      finding({ line: 1, column: 11, replace: { old: 'bash', with: 'Bash' } }),
    ]
    expect(applyFixes('  wehn: a "bash"', fixes)).toBe('  when: a "Bash"')
  })

  test('leave everything else alone', () => {
    expect(
      applyFixes('a: b', [finding({ line: 1, column: 1, replace: { old: 'x', with: 'y' } })]),
    ).toBeUndefined()
    expect(
      applyFixes('a: b', [finding({ line: 9, column: 1, replace: { old: 'a', with: 'y' } })]),
    ).toBeUndefined()
    expect(applyFixes('a: b', [finding({})])).toBeUndefined()
  })
})

test('GitHub gets one annotation for each finding, with its signs escaped', () => {
  expect(githubLines([finding({ what: '100%\nwrong' })], PROJECT)).toBe(
    '::warning file=a.yaml,line=2,col=1,title=holdpoint no-on-failure::100%25%0Awrong Instead: Write it.\n',
  )
})

test('SARIF names each rule once, and files by their place in the project', () => {
  const log = JSON.parse(sarif([finding({}), finding({ file: '/home/dev/b.yaml' })], PROJECT, '1.0.0'))
  const [run] = log.runs
  expect(log.version).toBe('2.1.0')
  expect(run.tool.driver.rules).toHaveLength(1)
  expect(run.results).toHaveLength(2)
  expect(run.results[0]).toMatchObject({
    ruleId: 'no-on-failure',
    ruleIndex: 0,
    level: 'warning',
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'a.yaml' }, region: { startLine: 2, startColumn: 1 } } },
    ],
  })
})
