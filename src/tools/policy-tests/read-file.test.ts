import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ReadCase, readTestFile } from './read-file.ts'
import { testFileJsonSchema } from './schema.ts'

const FILE = '/p/.holdpoint/tests/a.yaml'
const read = (text: string) => readTestFile(text, FILE)
const one = (inner: string) => read(`version: 1\ncases:\n  - ${inner}\n`)
const messages = (cases: readonly ReadCase[]) =>
  cases.flatMap((each) => ('problems' in each ? each.problems.map(({ message }) => message) : []))

describe('a test file', () => {
  it('is read case by case, each with its line', () => {
    const cases = read(`# what must hold here
cases:
  - name: no force
    command: git push --force
    expect: deny
    by: safety/git/force-push
    reason: overwrites
  - { name: write, tool: Write, input: { file_path: a }, actor: { skill: [mux], role: main }, expect: ask }
  - name: later
    event: { hook_event_name: Stop, stop_hook_active: true }
    before: [ { command: ls }, { event: PostToolUse, tool: Bash, input: {}, output: done } ]
    files: { package.json: "{}" }
    env: { CI: "1" }
    expect: warn
`)
    expect(cases.map(({ line, name }) => [line, name])).toEqual([
      [3, 'no force'],
      [8, 'write'],
      [9, 'later'],
    ])
    expect(messages(cases)).toEqual([])
    expect(cases[0]).toMatchObject({ config: { command: 'git push --force', expect: 'deny' } })
  })

  it('without cases has none', () => {
    expect(read('')).toEqual([])
    expect(read('version: 1\ncases:\n')).toEqual([])
  })

  it('with one wrong case keeps the others', () => {
    const cases = read(
      'cases:\n  - { name: a, command: ls, expect: pass }\n  - { name: b, command: ls }\n  - { name: c, command: ls, expect: deny }\n',
    )
    expect(cases.map((each) => 'config' in each)).toEqual([true, false, true])
    expect(cases[1]).toMatchObject({
      line: 3,
      name: 'b',
      problems: [{ file: FILE, line: 3, key: 'cases[1].expect', code: 'CONFIG_VALUE' }],
    })
  })

  it.each([
    ['not YAML', 'cases: [', 'CONFIG_NOT_YAML'],
    ['a list', '- a\n', 'CONFIG_VALUE'],
    ['a text', 'hello\n', 'CONFIG_VALUE'],
    ['another key', 'case: []\n', 'CONFIG_KEY'],
    ['another version', 'version: 2\ncases: []\n', 'CONFIG_VALUE'],
    ['cases that are not a list', 'cases: { a: 1 }\n', 'CONFIG_VALUE'],
    ['a control character', 'cases: "\u0001"\n', 'CONFIG_NOT_YAML'],
  ])('that is %s counts as one failed case', (_name, text, code) => {
    expect(read(text)).toMatchObject([{ name: 'the file as a whole', problems: [{ code, file: FILE }] }])
  })

  it.each([
    ['{ name: a, expect: pass }', '`command`, `tool` or `event`: what happens'],
    ['{ name: a, command: ls, tool: Bash, expect: pass }', 'nothing next to `command`'],
    ['{ name: a, command: ls, input: {}, expect: pass }', 'nothing next to `command`'],
    ['{ name: a, event: { a: 1 }, tool: Bash, expect: pass }', 'the name of an event next to'],
    ['{ name: a, event: PreTool, tool: Bash, expect: pass }', 'Did you mean `PreToolUse`?'],
    ['{ name: a, command: ls, expect: block }', 'one of `deny`, `ask`, `pass`, `allow`, `warn`'],
    ['{ name: a, comand: ls, expect: pass }', 'Did you mean `command`?'],
    ['{ command: ls, expect: pass }', '`name` is missing'],
    ['{ name: a, command: ls, actor: { role: boss }, expect: pass }', 'one of `main`, `subagent`'],
    ['{ name: a, command: ls, files: { a: 1 }, expect: pass }', 'a text'],
    ['{ name: a, command: ls, before: [ {} ], expect: pass }', '`command`, `tool` or `event`: what happens'],
    [
      '{ name: a, command: ls, before: [ { command: ls, expect: deny } ], expect: pass }',
      '`expect` is not a key',
    ],
    ['just a text', 'a case: a mapping with `name` and `expect`'],
  ])('the case %s gets a message', (inner, message) => {
    expect(messages(one(inner)).join('\n')).toContain(message)
  })
})

it('schema/policy-tests.schema.json is up to date', () => {
  const file = new URL('../../../schema/policy-tests.schema.json', import.meta.url)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(testFileJsonSchema())
})
