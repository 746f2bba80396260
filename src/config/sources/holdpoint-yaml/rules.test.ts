import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../core/errors.ts'
import { FAILURE_KINDS } from '../../../core/hook.ts'
import type { HookEntry, Layer } from '../../../core/layer.ts'
import { bash, toolCall } from '../../../library/testing/events.ts'
import { ruleOf, runRule } from '../../../library/testing/rules.ts'
import type { SourceFile } from '../source.ts'
import { source } from './source.ts'

const FILE: SourceFile = { path: '/p/.holdpoint/config.yaml', rank: 'project', trusted: true, root: '/p' }

function read(rules: string): Layer {
  const result = source.parse(`version: 1\nrules:\n${rules}`, FILE)
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

/** False for a rule that only stops calls because it could not be read. */
const isRead = ({ run }: HookEntry) => run.unread === undefined

test('a rule that cannot be read quotes nothing from an untrusted file', () => {
  const text = 'version: 1\nrules:\n  - { id: x, denny: hunter2, match: Bash }\n'
  const messages = [true, false].map((trusted) => {
    const layer = source.parse(text, { ...FILE, trusted })
    return layer.ok ? JSON.stringify(layer.value.hooks.map(({ run }) => run.unread)) : ''
  })
  expect(messages[0]).toContain('denny')
  expect(messages[1]).toContain('/p/.holdpoint/config.yaml:3: This key is not known here.')
  expect(messages[1]).not.toMatch(/denny|hunter2/)
})

test('a rule is a hook whose run is plain JSON', () => {
  const { hooks, problems } = read(`  - id: no-prod-database
    on: [PreToolUse, PermissionRequest]
    match: Bash
    actor: { skill: mux, agentType: "*-writer" }
    when:
      shell: { command: psql, argument: ["*prod*", { regex: x }] }
    once: true
    deny: Off limits.
`)
  expect(hooks.filter(isRead)).toEqual([])
  expect(problems).toMatchObject([{ key: 'rules[0].when.shell.argument[1]', line: 8 }])
  const good = read(`  - id: no-prod-database
    on: [PreToolUse, PermissionRequest]
    match: Bash
    actor: { skill: mux, agentType: "*-writer" }
    when:
      shell: { command: psql, argument: { regex: "prod" } }
      repeated: { times: 2, within: 2h }
    once: true
    deny: Off limits.
    onFailure: ask
    required: true
`)
  expect(good.problems).toEqual([])
  expect(good.hooks).toEqual([
    {
      id: 'no-prod-database',
      on: ['PreToolUse', 'PermissionRequest'],
      match: { subject: { kind: 'names', names: ['Bash'] } },
      actor: { skill: 'mux', agentType: { kind: 'glob', globs: ['*-writer'] } },
      run: {
        type: 'rule',
        key: 'rule/project/no-prod-database',
        when: {
          kind: 'shell',
          command: [{ pattern: { kind: 'names', names: ['psql'] }, size: 0 }],
          argument: [{ pattern: { kind: 'regex', source: 'prod', engine: 'linear' }, size: 4 }],
        },
        repeated: { times: 2, withinMs: 7_200_000 },
        once: true,
        regexes: true,
        outcome: { deny: 'Off limits.' },
      },
      onFailure: Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 'ask'])),
      required: true,
      origin: { file: FILE.path, line: 3, column: 5, key: 'rules[0]' },
    },
  ])
  expect(JSON.parse(JSON.stringify(good.hooks))).toEqual(good.hooks)
})

test('a `seen` condition becomes a separate hook with a stable name and key', () => {
  const { hooks } = read(`  - id: read-first
    match: Write
    when: { not: { any: [{ seen: { match: Read, path: a } }, { seen: { on: [SessionStart, Stop] } }] } }
    warn: Read it first.
`)
  expect(hooks.map(({ id, on, run, onFailure }) => [id, on, run.key, onFailure?.state])).toEqual([
    ['read-first', ['PreToolUse'], 'rule/project/read-first', 'pass'],
    ['read-first/seen-1', ['PostToolUse'], 'rule/project/read-first/seen-1', 'pass'],
    ['read-first/seen-2', ['SessionStart', 'Stop'], 'rule/project/read-first/seen-2', 'pass'],
  ])
})

test('a rewrite is declared; rules that block keep the default failure policy of their event', () => {
  const { hooks } = read(
    '  - { id: a, rewrite: { x: 1 } }\n  - { id: b, deny: x }\n  - { id: c, context: x }\n',
  )
  expect(hooks.map(({ rewrites, onFailure }) => [rewrites, onFailure?.crash])).toEqual([
    [true, undefined],
    [undefined, undefined],
    [undefined, 'pass'],
  ])
})

test('two rules with the same id both apply, have separate memories, and are reported', () => {
  const { hooks, problems } = read('  - { id: a, once: true, deny: x }\n  - { id: a, once: true, deny: y }\n')
  expect(hooks.map(({ run }) => run.key)).toEqual(['rule/project/a', 'rule/project/a~2'])
  expect(problems).toMatchObject([{ severity: 'warning', key: 'rules[1].id' }])
})

/** The error of one rule: the rule | code | key in the rule | a part of the message. */
const WRONG = `
{ id: x } | CONFIG_VALUE | - | has no outcome
{ deny: a } | CONFIG_VALUE | .id | \`id\` is missing
{ id: "X Y", deny: a } | CONFIG_VALUE | .id | a name of a-z
{ id: x, deny: a, ask: b } | CONFIG_KEY | .ask | exclude each other
{ id: x, deny: a, rewrite: { b: 1 } } | CONFIG_KEY | .rewrite | exclude each other
{ id: x, deny: "" } | CONFIG_VALUE | .deny | not empty
{ id: x, deny: "  " } | CONFIG_VALUE | .deny | not empty
{ id: x, deny: 3 } | CONFIG_VALUE | .deny | expected a text
{ id: x, block: a } | CONFIG_KEY | .block | Did you mean \`deny\`?
{ id: x, deny: a, on: PreTooluse } | CONFIG_VALUE | .on | Did you mean \`PreToolUse\`?
{ id: x, deny: a, on: [] } | CONFIG_VALUE | .on | at least one event
{ id: x, deny: a, match: "(" } | CONFIG_MATCHER | .match | not a valid regex
{ id: x, deny: a, when: {} } | CONFIG_VALUE | .when | at least one condition
{ id: x, deny: a, when: { shel: {} } } | CONFIG_KEY | .when.shel | Did you mean \`shell\`?
{ id: x, deny: a, when: { shell: {} } } | CONFIG_VALUE | .when.shell | at least one of
{ id: x, deny: a, when: { shell: { comand: x } } } | CONFIG_KEY | .when.shell.comand | Did you mean \`command\`?
{ id: x, deny: a, when: { shell: { command: "a||b" } } } | CONFIG_MATCHER | .when.shell.command | one side of a
{ id: x, deny: a, when: { shell: { command: "[" } } } | CONFIG_MATCHER | .when.shell.command | without its
{ id: x, deny: a, when: { shell: { command: [a, "[b-a]"] } } } | CONFIG_MATCHER | .when.shell.command[1] | backward range
{ id: x, deny: a, when: { shell: { command: { regex: "(a" } } } } | CONFIG_MATCHER | .when.shell.command.regex | not a valid regex
{ id: x, deny: a, when: { shell: { command: { regex: "(?=a)b" } } } } | CONFIG_MATCHER | .when.shell.command.regex | look-around
{ id: x, deny: a, when: { shell: { command: { regex: "(a)\\\\1" } } } } | CONFIG_MATCHER | .when.shell.command.regex | back-reference
{ id: x, deny: a, when: { input: { a: { regex: "((a{100}){100}){100}" } } } } | CONFIG_MATCHER | .when.input.a.regex | repeats too much
{ id: x, deny: a, when: { shell: { command: "git push" } } } | CONFIG_MATCHER | .when.shell.command | a command line, not a program
{ id: x, deny: a, when: { shell: { command: "./run now" } } } | CONFIG_MATCHER | .when.shell.command | a command line, not a program
{ id: x, deny: a, when: { shell: { flag: force } } } | CONFIG_MATCHER | .when.shell.flag | start with \`-\`
{ id: x, deny: a, when: { shell: { flag: [-f, "--mode=x"] } } } | CONFIG_MATCHER | .when.shell.flag[1] | contains a value
{ id: x, deny: a, when: { shell: { subcommand: "a b c d" } } } | CONFIG_MATCHER | .when.shell.subcommand | has 4 words
{ id: x, deny: a, when: { shell: { subcommand: "pr  merge" } } } | CONFIG_MATCHER | .when.shell.subcommand | one space
{ id: x, deny: a, when: { shell: { subcommand: "push --force" } } } | CONFIG_MATCHER | .when.shell.subcommand | write it as \`flag\`
{ id: x, deny: a, when: { path: "src/{a,b" } } | CONFIG_MATCHER | .when.path | unmatched brace
{ id: x, deny: a, when: { path: "src/}a{" } } | CONFIG_MATCHER | .when.path | unmatched brace
{ id: x, deny: a, when: { path: "../x" } } | CONFIG_MATCHER | .when.path | contains \`..\`
{ id: x, deny: a, when: { path: "!x" } } | CONFIG_MATCHER | .when.path | outside
{ id: x, deny: a, when: { path: "a**" } } | CONFIG_MATCHER | .when.path | is not alone
{ id: x, deny: a, when: { path: { glob: a, outside: b } } } | CONFIG_VALUE | .when.path | either \`glob\` or \`outside\`
{ id: x, deny: a, when: { path: { glob: a, access: execute } } } | CONFIG_VALUE | .when.path.access | one of \`read\`, \`write\`
{ id: x, deny: a, when: { input: { a: {} } } } | CONFIG_VALUE | .when.input.a | at least one test
{ id: x, deny: a, when: { input: { a..b: x } } } | CONFIG_KEY | .when.input["a..b"] | not the name of a field
{ id: x, deny: a, when: { input: { a: { longerThan: x } } } } | CONFIG_VALUE | .when.input.a.longerThan | a whole number
{ id: x, deny: a, when: { input: { a: { above: "5" } } } } | CONFIG_VALUE | .when.input.a.above | a number
{ id: x, deny: a, when: { all: [] } } | CONFIG_VALUE | .when.all | at least one condition
{ id: x, deny: a, when: { not: { branch: 3 } } } | CONFIG_VALUE | .when.not.branch | a glob in quotes
{ id: x, deny: a, when: { any: [{ all: [{ branc: x }] }] } } | CONFIG_KEY | .when.any[0].all[0].branc | Did you mean \`branch\`?
{ id: x, deny: a, when: { repeated: { times: 1 } } } | CONFIG_VALUE | .when.repeated.times | from 2 to 100
{ id: x, deny: a, when: { repeated: { times: 2, within: 10 } } } | CONFIG_VALUE | .when.repeated.within | a duration
{ id: x, deny: a, when: { repeated: { times: 2, within: 10 min } } } | CONFIG_VALUE | .when.repeated.within | a duration
{ id: x, deny: a, when: { repeated: { times: 2, within: 0s } } } | CONFIG_VALUE | .when.repeated.within | a duration
{ id: x, deny: a, when: { not: { repeated: { times: 2 } } } } | CONFIG_KEY | .when.not.repeated | not a key here
{ id: x, deny: a, when: { seen: { seen: {} } } } | CONFIG_KEY | .when.seen.seen | not a key here
{ id: x, deny: a, when: { seen: { path: "[" } } } | CONFIG_MATCHER | .when.seen.path | without its
{ id: x, rewrite: {} } | CONFIG_VALUE | .rewrite | at least one field
{ id: x, rewrite: { a.__proto__.b: 1 } } | CONFIG_KEY | .rewrite["a.__proto__.b"] | not the name of a field
{ id: x, on: Stop, rewrite: { a: 1 } } | CONFIG_VALUE | .rewrite | no tool call to change
{ id: x, deny: a, timeoutMs: 5 } | CONFIG_KEY | .timeoutMs | not a key here
just text | CONFIG_VALUE | - | a rule: a mapping
`
const CASES = WRONG.trim()
  .split('\n')
  .map((row) => row.split(' | '))

test.each(CASES)('%s: %s at %s', (rule = '', code = '', key = '', says = '') => {
  const { hooks, problems } = read(`  - { id: before, deny: a }\n  - ${rule}\n  - { id: after, deny: a }\n`)
  expect(problems).toEqual([
    expect.objectContaining<Partial<Problem>>({
      code: code as Problem['code'],
      key: `rules[1]${key === '-' ? '' : key}`,
      line: 4,
      file: FILE.path,
      message: expect.stringContaining(says),
    }),
  ])
  // Only that rule cannot be read.
  expect(hooks.filter(isRead).map(({ id }) => id)).toEqual(['before', 'after'])
})

test.each([
  ['rules: 3', 'a list of rules'],
  ['rules: { id: x }', 'a list of rules'],
])('%s is not a list', (text, says) => {
  const result = source.parse(`version: 1\n${text}\nhooks: { Stop: [{ run: x }] }\n`, FILE)
  expect(result.ok && result.value.hooks.filter(isRead)).toHaveLength(1)
  expect(result.ok && result.value.problems).toMatchObject([{ message: expect.stringContaining(says) }])
})

test.each([
  ['{ id: x, on: Stop, when: { shell: { command: rm } }, deny: a }', 'never matches at Stop'],
  ['{ id: x, when: { prompt: a }, deny: a }', 'never matches at PreToolUse'],
  ['{ id: x, match: bash, deny: a }', 'the tool is called `Bash`'],
  ['{ id: x, match: { toolName: "Read|webfetch" }, deny: a }', 'the tool is called `WebFetch`'],
  ['{ id: x, match: "\u0412ash", deny: a }', 'U+0412'],
  ['{ id: x, match: "Ba\u200bsh|mcp__.*", deny: a }', 'U+200B'],
  ['{ id: x, on: Stop, match: Bash, deny: a }', 'At Stop there is nothing to match'],
  ['{ id: x, on: [PreToolUse, Stop], match: Bash, deny: a }', 'At Stop there is nothing to match'],
  ['{ id: x, on: SessionStart, match: { toolName: Bash }, context: a }', 'At SessionStart there is no tool'],
])('%s is kept, with a warning that it never matches', (rule, says) => {
  const { hooks, problems } = read(`  - ${rule}\n`)
  expect(hooks).toHaveLength(1)
  expect(problems).toMatchObject([{ severity: 'warning', message: expect.stringContaining(says) }])
})

test.each([
  '{ id: x, match: "Bash|Task|apply_patch|shell|mcp__x__.*", deny: a }',
  '{ id: x, on: SubagentStop, match: "pr\u00fcfer|bash", deny: a }',
  '{ id: x, match: "*", on: Stop, deny: a }',
  '{ id: x, when: { shell: { command: "/opt/My Tools/run", subcommand: "a b c", flag: "*force*" } }, deny: a }',
  '{ id: x, when: { path: "src/{a,b{c,d}}/[{]" }, deny: a }',
])('%s is kept without a warning', (rule) => {
  expect(read(`  - ${rule}\n`)).toMatchObject({ hooks: [{ id: 'x' }], problems: [] })
})

describe('hostile sizes', () => {
  test('ten thousand rules are read; with one more the file is rejected', () => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, i) => `  - { id: r${i}, deny: a }`).join('\n')
    expect(read(`${rules(10_000)}\n`).hooks).toHaveLength(10_000)
    expect(source.parse(`version: 1\nrules:\n${rules(10_001)}\n`, FILE)).toMatchObject({
      ok: false,
      problem: { code: 'CONFIG_TOO_LARGE', key: 'rules' },
    })
  })

  test('the regexes of a file share one limit', () => {
    const large = Array.from(
      { length: 30 },
      (_, i) => `  - { id: r${i}, when: { branch: { regex: "(ab){1000}${i}" } }, deny: a }`,
    )
    const { hooks, problems } = read(`${large.join('\n')}\n`)
    expect(hooks.filter(isRead).length).toBeGreaterThan(10)
    expect(hooks.filter(isRead).length + problems.length).toBe(30)
    expect(problems[0]).toMatchObject({ message: expect.stringContaining('too large in total') })
  })

  test('braces that expand to too many globs are rejected', () => {
    const { problems } = read(`  - { id: a, when: { path: "${'{a,b}'.repeat(20)}" }, deny: a }\n`)
    expect(problems).toMatchObject([{ message: expect.stringContaining('more than 64 globs') }])
  })

  test('a thousand stars, and regexes that are exponential in other engines, get an answer', async () => {
    const stars = `${'*a'.repeat(1_000)}b`
    const long = 'a'.repeat(100_000)
    const glob = ruleOf(`when: { input: { content: "${stars}" } }, deny: no`)
    expect(await runRule(glob, toolCall('Write', { content: long }))).toBeNull()
    const evil = ruleOf('when: { input: { content: { regex: "^(a+)+$" } } }, deny: no')
    expect(await runRule(evil, toolCall('Write', { content: `${long}!` }))).toBeNull()
    const path = ruleOf(`when: { path: "${'**/a/'.repeat(200)}b" }, deny: no`)
    expect(await runRule(path, toolCall('Read', { file_path: 'a/'.repeat(1_900) }))).toBeNull()
  })

  test('a test that would take too many steps is not run, and counts as unsure', async () => {
    const content = 'a'.repeat(2_000_000)
    const rule = (outcome: string) =>
      ruleOf(`when: { input: { content: { regex: "(ab?){60}c" } } }, ${outcome}`)
    expect(await runRule(rule('deny: no'), toolCall('Write', { content }))).toMatchObject({
      effect: 'deny',
      detail: { matched: 'maybe' },
    })
    expect(await runRule(rule('warn: careful'), toolCall('Write', { content }))).toBeNull()
    expect(
      await runRule(ruleOf('when: { path: "src/**" }, deny: no'), bash(`cat ${'a/'.repeat(5_000)}`)),
    ).toMatchObject({ detail: { matched: 'maybe' } })
  })
})
