import { describe, expect, test } from 'vitest'
import type { Check, DiskFacts, LintExample } from './check.ts'
import { CHECKS, lintClaude } from './lint.ts'

const PROJECT = '/srv/project'

function lookOf(scripts: Readonly<Record<string, string>> = {}): DiskFacts {
  return {
    project: PROJECT,
    home: '/home/me',
    script(path) {
      const text = Object.entries(scripts).find(([name]) => `${PROJECT}/${name}` === path)?.[1]
      return text === undefined ? undefined : { text, isExecutable: text.startsWith('#!') }
    },
  }
}

function rulesOf({ settings, scripts }: LintExample): readonly string[] {
  const file = { path: `${PROJECT}/.claude/settings.json`, text: settings }
  return lintClaude([file], lookOf(scripts)).map(({ rule }) => rule)
}

function at(event: string, handler: object, matcher?: unknown): string {
  return JSON.stringify({ hooks: { [event]: [{ matcher, hooks: [{ type: 'command', ...handler }] }] } })
}

describe.each(CHECKS.map((check): [string, Check] => [check.id, check]))('%s', (id, check) => {
  test('finds its bad example', () => expect(rulesOf(check.bad)).toContain(id))
  test('finds nothing in its good example', () => expect(rulesOf(check.good)).not.toContain(id))
  test('says what is wrong, why, and what to do', () => {
    for (const text of [check.title, check.why, check.instead]) expect(text).toMatch(/\S.{5,}/)
    expect(check.id).toMatch(/^[a-z0-9-]+$/)
  })
})

test('no two checks have the same id', () => {
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length)
})

test.each([
  ['bash', 'dead-matcher'],
  ['Bash(git *)', 'dead-matcher'],
  ['mcp__github', 'dead-matcher'],
  ['(', 'dead-matcher'],
  ['Bash|edit', 'dead-matcher'],
  ['Shell', 'unknown-tool'],
  ['Task', 'old-tool-name'],
  ['Write|mcp__.*', 'ambiguous-matcher'],
])('the matcher %j: %s', (matcher, rule) => {
  expect(rulesOf({ settings: at('PreToolUse', { command: 'true' }, matcher) })).toContain(rule)
})

test.each(['Bash', '', '*', 'Write, Edit', 'mcp__.*', '^Ba.*$', 'Edit|', 'apply_patch', 'NotebookEdit.*'])(
  'the matcher %j has no finding',
  (matcher) => {
    const rules = rulesOf({ settings: at('PreToolUse', { command: 'true' }, matcher) })
    expect(rules.filter((rule) => /matcher|tool/.test(rule))).toEqual([])
  },
)

test.each([
  ['"$CLAUDE_PROJECT_DIR"/a.sh', []],
  ['${CLAUDE_PROJECT_DIR}/a.sh --flag', []],
  ['cd /srv/project && ./a.sh', []],
  ['sh "$CLAUDE_PROJECT_DIR/a.sh" | cat', []],
  ['./a.sh', ['relative-script']],
  ['python3 b.py', ['relative-script', 'script-missing']],
  ['uv run --script /srv/project/b.py', ['script-missing']],
  ['~/c.sh', ['script-missing']],
  ['"$SOMEWHERE"/c.sh', []],
  ['jq -r .tool_name', []],
  ['if [', []],
])('the command %j', (command, rules) => {
  const settings = at('PostToolUse', { command })
  expect(rulesOf({ settings, scripts: { 'a.sh': '#!/bin/sh\n' } }).toSorted()).toEqual(rules)
})

test.each([
  ['permissionDecision = "block"', ['wrong-decision-word']],
  ['print(json.dumps({"decision": "deny"}))', ['wrong-decision-word']],
  ['echo "{\\"permissionDecision\\": \\"askFirst\\"}"', ['wrong-decision-word']],
  ['{"permissionDecision": "deny"}', []],
  ['{"decision": "block"}', []],
  ['sys.exit(1)', ['exit-1']],
  ['process.exit(1)', ['exit-1']],
  ['exit 1; exit 2', []],
  ['exit 10', []],
])('a script with %j', (text, rules) => {
  const settings = at('PreToolUse', { command: '/srv/project/a.sh', timeout: 5, onFailure: 'block' })
  expect(rulesOf({ settings, scripts: { 'a.sh': `#!/bin/sh\n${text}` } })).toEqual(rules)
})

describe('several files', () => {
  test('the same command in two files', () => {
    const text = at('Stop', { command: 'true', timeout: 5 })
    const findings = lintClaude(
      [
        { path: '/home/me/.claude/settings.json', text },
        { path: `${PROJECT}/.claude/settings.json`, text },
      ],
      lookOf(),
    )
    expect(findings).toMatchObject([
      {
        rule: 'registered-twice',
        file: `${PROJECT}/.claude/settings.json`,
        what: 'The same command is in /home/me/.claude/settings.json, line 1.',
      },
    ])
  })
})

test('each finding has its location, and findings are sorted by location', () => {
  const text =
    '{\n  "disableAllHooks": true,\n  "hooks": { "PreToolUse": [\n    { "matcher": "bash",\n      "hooks": [] } ] }\n}'
  expect(lintClaude([{ path: '/s.json', text }], lookOf())).toMatchObject([
    { rule: 'hooks-off', line: 2, column: 22, key: 'disableAllHooks', severity: 'error' },
  ])
})

test("Holdpoint's own hooks are not checked", () => {
  expect(rulesOf({ settings: at('PreToolUse', { command: '/x/holdpoint-hook', args: [] }) })).toEqual([])
})

test.each([
  ['nothing', '', []],
  ['no JSON', 'hello', ['CONFIG_VALUE']],
  ['a list', '[]', ['CONFIG_VALUE']],
  ['ten megabytes', ' '.repeat(10 * 1024 * 1024), ['CONFIG_TOO_LARGE']],
  ['a NUL', '{"a": "\0"}', ['CONFIG_VALUE']],
  ['depth', '['.repeat(100_000), ['CONFIG_VALUE']],
  ['wrong types', '{"hooks": {"Stop": 7, "SessionEnd": [7, {"hooks": 7}, {"hooks": [7]}]}}', []],
])('bad input: %s', (_name, settings, rules) => {
  expect(rulesOf({ settings })).toEqual(rules)
})

test('only the first of thousands of findings are listed', () => {
  const group = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }
  const text = JSON.stringify({ hooks: { PostToolUse: Array.from({ length: 5_000 }, () => group) } })
  expect(lintClaude([{ path: '/s.json', text }], lookOf())).toHaveLength(50)
})
