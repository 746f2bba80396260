import { describe, expect, test } from 'vitest'
import { EVENT_KINDS } from '../../../core/event.ts'
import { FAILURE_KINDS } from '../../../core/hook.ts'
import type { Layer } from '../../../core/layer.ts'
import { sourceContract } from '../source.contract.ts'
import { SOURCE_MAX_BYTES, type SourceFile } from '../source.ts'
import { source } from './source.ts'

const FULL = `# Every kind of entry.
version: 1
packs:
  safety: true
  scratchpad: false
  secrets: { level: strict, guards: { secrets/env-file/write: deny, safety/x: off } }
  collective:
    test: npx vitest run
    nested: { list: [1, two, null, false] }
hooks:
  PreToolUse:
    - id: audit
      match: "Write|Edit"
      actor: { role: subagent, agentType: "*-writer", skill: mux }
      run: { command: ./audit.sh, args: [--fast, ""], protocol: mux }
      timeoutMs: 500
      onFailure: deny
      rewrites: true
      grants: false
      required: true
    - run: ./short.sh
  SubagentStop:
    - match: { agentName: "^writer-.*", skill: "*" }
      run: ./stop.sh
      onFailure: { timeout: pass, crash: { retry: 1, then: ask } }
  Stop:
settings: { stopBlocksMax: 5, journal: { enabled: true, keepDays: 30 }, redact: ["tok_[a-z0-9]+"] }
`

sourceContract({
  name: 'holdpoint-yaml',
  source,
  good: [
    FULL,
    'version: 1\n',
    '{ "version": 1, "hooks": { "Stop": [ { "run": "x" } ] } }',
    'version: 1\r\npacks:\r\n  safety: true\r\n',
    '\uFEFFversion: 1\npacks: { safety: true }\n',
    'version: 1\nhooks:\n  Stop: [&a { run: x }, *a]\n',
    '',
    '# nothing yet\n',
    '---\n...\n',
  ],
  broken: [
    { text: 'version: 1\npacks: [', code: 'CONFIG_NOT_YAML', line: 2 },
    { text: '# old\nversion: 2\n', code: 'CONFIG_VERSION', line: 2 },
    { text: 'packs: { safety: true }\n', code: 'CONFIG_VERSION', line: 1 },
  ],
  oneBadEntry: {
    text: 'version: 1\npacks:\n  safety: true\nhooks:\n  Stop:\n    - run: a\n    - runs: b\n    - run: c\n',
    problem: { code: 'CONFIG_KEY', line: 7, key: 'hooks.Stop[1].runs' },
    packs: 1,
    hooks: 2,
  },
  wouldExecute: (marker) =>
    `version: 1\npacks: { collective: { test: "touch ${marker}" } }\nhooks: { Setup: [ { run: "touch ${marker}" } ] }\n`,
})

const FILE: SourceFile = { path: '/p/.holdpoint/config.yaml', rank: 'local', trusted: false, root: '/p' }

function read(text: string): Layer {
  const result = source.parse(text, FILE)
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('reading a file', () => {
  test('packs become the packs of the layer', () => {
    expect(read(FULL).packs).toEqual([
      { pack: 'safety', options: {}, origin: { file: FILE.path, line: 4, column: 3, key: 'packs.safety' } },
      {
        pack: 'scratchpad',
        options: {},
        off: true,
        origin: { file: FILE.path, line: 5, column: 3, key: 'packs.scratchpad' },
      },
      {
        pack: 'secrets',
        options: { level: 'strict', guards: { 'secrets/env-file/write': 'deny', 'safety/x': 'off' } },
        origin: { file: FILE.path, line: 6, column: 3, key: 'packs.secrets' },
      },
      {
        pack: 'collective',
        options: { test: 'npx vitest run', nested: { list: [1, 'two', null, false] } },
        optionOrigins: {
          test: { file: FILE.path, line: 8, column: 5, key: 'packs.collective.test' },
          nested: { file: FILE.path, line: 9, column: 5, key: 'packs.collective.nested' },
        },
        origin: { file: FILE.path, line: 7, column: 3, key: 'packs.collective' },
      },
    ])
  })

  test('hooks become entries with their location', () => {
    expect(read(FULL).hooks).toEqual([
      {
        id: 'audit',
        on: ['PreToolUse'],
        match: { subject: { kind: 'names', names: ['Write', 'Edit'] } },
        actor: { role: 'subagent', skill: 'mux', agentType: { kind: 'glob', globs: ['*-writer'] } },
        run: { type: 'command', command: './audit.sh', args: ['--fast', ''], protocol: 'mux', root: '/p' },
        timeoutMs: 500,
        onFailure: Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 'deny'])),
        rewrites: true,
        grants: false,
        required: true,
        origin: { file: FILE.path, line: 12, column: 7, key: 'hooks.PreToolUse[0]' },
      },
      {
        on: ['PreToolUse'],
        match: {},
        actor: {},
        run: { type: 'command', command: './short.sh', protocol: 'claude', root: '/p' },
        origin: { file: FILE.path, line: 21, column: 7, key: 'hooks.PreToolUse[1]' },
      },
      {
        on: ['SubagentStop'],
        match: { agentType: { kind: 'regex', source: '^writer-.*', engine: 'linear' } },
        actor: {},
        run: { type: 'command', command: './stop.sh', protocol: 'claude', root: '/p' },
        onFailure: { timeout: 'pass', crash: { retry: 1, then: 'ask' } },
        origin: { file: FILE.path, line: 23, column: 7, key: 'hooks.SubagentStop[0]' },
      },
    ])
  })

  test('settings become the settings of the layer', () => {
    expect(read(FULL).settings).toEqual({
      stopBlocksMax: 5,
      journal: { enabled: true, keepDays: 30 },
      redact: ['tok_[a-z0-9]+'],
    })
  })

  test('an empty file is an empty layer', () => {
    expect(read('# nothing\n')).toEqual({
      rank: 'local',
      file: FILE.path,
      trusted: false,
      packs: [],
      hooks: [],
      settings: {},
      problems: [],
    })
  })

  test.each(EVENT_KINDS.filter((kind) => kind !== 'Unknown'))('hooks are accepted at %s', (kind) => {
    const layer = read(`version: 1\nhooks: { ${kind}: [ { run: x } ] }`)
    expect(layer.problems).toEqual([])
    expect(layer.hooks.map(({ on }) => on)).toEqual([[kind]])
  })

  test.each<[string, string, Partial<SourceFile>, object]>([
    ['a TypeScript file', './a.ts', {}, { type: 'module', module: './a.ts', root: '/p' }],
    ['a JavaScript file', 'policy/a.mjs', {}, { type: 'module', module: 'policy/a.mjs', root: '/p' }],
    ['a command line with a script in it', 'node ./a.js', {}, { type: 'command', command: 'node ./a.js' }],
    ['a script as a command', '{ command: ./a.js }', {}, { type: 'command', command: './a.js', root: '/p' }],
    ['another file', './a.tsv', {}, { type: 'command', command: './a.tsv' }],
    [
      'an export of a package',
      '{ module: "@acme/policies", export: noProd }',
      {},
      { type: 'module', module: '@acme/policies', export: 'noProd', root: '/p' },
    ],
  ])('`run` accepts %s', (_name, run, file, expected) => {
    const result = source.parse(`version: 1\nhooks: { Stop: [ { run: ${run} } ] }`, { ...FILE, ...file })
    expect(result.ok && result.value.hooks[0]?.run).toMatchObject(expected)
  })

  test('one retry policy applies to every kind of failure', () => {
    const [hook] = read(
      'version: 1\nhooks: { Stop: [ { run: x, onFailure: { retry: 2, then: deny } } ] }',
    ).hooks
    expect(hook?.onFailure).toEqual(
      Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, { retry: 2, then: 'deny' }])),
    )
  })

  test('`yes` and `no` are read as text, as in YAML 1.2', () => {
    const layer = read(
      '%YAML 1.1\n---\nversion: 1\npacks: { a: { x: yes, y: no, z: on, guards: { a/b: off } } }\n',
    )
    expect(layer.packs[0]?.options).toEqual({ x: 'yes', y: 'no', z: 'on', guards: { 'a/b': 'off' } })
  })

  test('an alias refers to the last anchor before it', () => {
    const text = 'version: 1\npacks:\n  a: &a { v: &v 1 }\n  b: { v: &v 2 }\n  c: { a: *a, v: *v }\n'
    expect(read(text).packs.at(-1)?.options).toEqual({ a: { v: 1 }, v: 2 })
  })

  test('an error behind an alias is reported where the value is written', () => {
    const layer = read('version: 1\npacks: { a: { h: &h { runs: x } } }\nhooks: { Stop: [*h] }\n')
    expect(layer.problems[0]).toMatchObject({ line: 2, column: 23, key: 'hooks.Stop[0].runs' })
  })

  test('one wrong regex does not disable the other masks', () => {
    const layer = read('version: 1\nsettings: { redact: [a+, "(", b+, 5] }')
    expect(layer.settings.redact).toEqual(['a+', 'b+'])
    expect(layer.problems.map(({ key }) => key)).toEqual(['settings.redact[1]', 'settings.redact[3]'])
  })

  test('a wrong settings key does not affect the others', () => {
    expect(read('version: 1\nsettings: { stopBlocksMax: 0, journal: { keepDays: 1 } }').settings).toEqual({
      journal: { keepDays: 1 },
    })
  })
})

describe('doubtful entries are kept, with a warning', () => {
  test.each([
    ['hooks: { Stop: [ { id: a, run: x }, { id: a, run: y } ] }', 'Another hook at Stop has the id `a` too.'],
    [
      'hooks: { PreToolUse: [ { match: "^mcp__*", run: x } ] }',
      '`^mcp__*` is read as a glob, where `^` is a literal character',
    ],
    [
      'hooks: { PreToolUse: [ { match: "Bash(git *)", run: x } ] }',
      'is read as a glob, where `(` is a literal character',
    ],
    [
      'hooks: { PreToolUse: [ { match: mcp__github, run: x } ] }',
      '`mcp__github` is the name of a server, not of a tool',
    ],
    ['hooks: { PreToolUse: [ { match: "^(?!Read$)", run: x } ] }', 'needs the slower regex engine'],
    [
      'packs: { safety: { levle: strict } }',
      '`levle` is passed to the pack unchanged. Did you mean `level`?',
    ],
  ])('%s', (text, message) => {
    const layer = read(`version: 1\n${text}`)
    expect(layer.problems).toHaveLength(1)
    expect(layer.problems[0]).toMatchObject({ severity: 'warning', line: 2 })
    expect(layer.problems[0]?.message).toContain(message)
    expect(layer.hooks.length + layer.packs.length).toBeGreaterThan(0)
  })

  test.each(['mcp__github__search', 'mcp__git_hub__search', 'mcp__*', 'mcp__github__.*'])(
    'no warning about %s',
    (match) => {
      expect(read(`version: 1\nhooks: { PreToolUse: [ { match: "${match}", run: x } ] }`).problems).toEqual(
        [],
      )
    },
  )
})

/** Each of these has taken minutes, gigabytes or the whole process in some YAML parser. */
describe('hostile files are rejected quickly, with a code', () => {
  const fill = (piece: string) => piece.repeat(Math.floor((SOURCE_MAX_BYTES - 100) / piece.length))
  const chain = (count: number, link: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => link(index)).join('')
  const laughs = `version: 1\npacks:\n  a0: &a0 { x: lol }\n${chain(
    20,
    (index) => `  a${index + 1}: &a${index + 1} { ${chain(9, (turn) => `k${turn}: *a${index}, `)} }\n`,
  )}`

  test.each([
    ['a billion laughs', laughs, 'CONFIG_TOO_LARGE'],
    [
      'one long text with many aliases',
      `version: 1\npacks: { a: { t: &t ${'x'.repeat(500_000)}, l: [*t, *t, *t] } }`,
      'CONFIG_TOO_LARGE',
    ],
    [
      'a chain of aliases',
      `version: 1\npacks: { a: [&a0 [], ${chain(5000, (index) => `&a${index + 1} [*a${index}], `)}] }`,
      'CONFIG_NOT_YAML',
    ],
    [
      'many small values',
      `version: 1\npacks: { a: { l: &l [${'1, '.repeat(1000)}], m: [${'*l, '.repeat(250)}] } }`,
      'CONFIG_TOO_LARGE',
    ],
    ['an alias of itself', 'version: 1\npacks: &a { b: *a }', 'CONFIG_NOT_YAML'],
    ['an alias of its parent in a list', 'version: 1\npacks: { a: { b: &a [1, [*a]] } }', 'CONFIG_NOT_YAML'],
    ['lists in lists', fill('['), 'CONFIG_NOT_YAML'],
    ['closed lists in lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'CONFIG_NOT_YAML'],
    ['mappings in mappings', fill('{a: '), 'CONFIG_NOT_YAML'],
    ['items in items', fill('- '), 'CONFIG_NOT_YAML'],
    ['keys in keys', fill('? '), 'CONFIG_NOT_YAML'],
    ['ever deeper', chain(1000, (index) => `${' '.repeat(index)}a:\n`), 'CONFIG_NOT_YAML'],
    ['brackets without a partner', fill(']'), 'CONFIG_NOT_YAML'],
    ['commas only', `[${fill(',')}`, 'CONFIG_TOO_LARGE'],
    ['many documents', fill('---\n'), 'CONFIG_NOT_YAML'],
    ['many anchors', `version: 1\npacks:${fill(' &a')}`, 'CONFIG_TOO_LARGE'],
    ['many keys', `version: 1\n${chain(80_000, (index) => `k${index}: 1\n`)}`, 'CONFIG_TOO_LARGE'],
    [
      'ten thousand and one hooks',
      `version: 1\nhooks:\n  Stop:\n${'  - run: x\n'.repeat(10_001)}`,
      'CONFIG_TOO_LARGE',
    ],
    [
      'hooks multiplied by aliases',
      `version: 1\nhooks: { Stop: &s [${'{ run: x }, '.repeat(6000)}], Setup: *s }`,
      'CONFIG_TOO_LARGE',
    ],
    ['a NUL byte', 'version: 1\npacks: { a: "\0" }', 'CONFIG_NOT_YAML'],
    ['an escape character', 'version: 1\n# \u001b[2J', 'CONFIG_NOT_YAML'],
    ['a merge key', 'version: 1\npacks: { a: { <<: { level: strict } } }', 'CONFIG_NOT_YAML'],
    ['a merge key of YAML 1.1', '%YAML 1.1\n---\nversion: 1\npacks: { <<: { a: true } }', 'CONFIG_NOT_YAML'],
    ['a prototype', 'version: 1\npacks: { a: { __proto__: { level: strict } } }', 'CONFIG_NOT_YAML'],
    ['a tag', 'version: 1\npacks: { a: !!js/function "x" }', 'CONFIG_NOT_YAML'],
  ])('%s', (_, text, code) => {
    expect(source.parse(text, FILE)).toMatchObject({ ok: false, problem: { code, file: FILE.path } })
  })

  test('ten thousand hooks are read', () => {
    expect(read(`version: 1\nhooks:\n  Stop:\n${'  - run: x\n'.repeat(10_000)}`).hooks).toHaveLength(10_000)
  })

  test('regexes that are each just small enough share one limit', () => {
    const hooks = Array.from(
      { length: 200 },
      (_, index) => `  - { run: x, match: "a{900}(${index})b{900}" }\n`,
    )
    const layer = read(`version: 1\nhooks:\n  PreToolUse:\n${hooks.join('')}`)
    expect(layer.hooks.filter(({ run }) => run.unread === undefined).length).toBeLessThan(60)
    expect(layer.problems.at(0)?.message).toContain('too large in total')
  })

  test('the same regex on every hook is read once', () => {
    const text = `version: 1\nhooks:\n  PreToolUse:\n${'  - { run: x, match: "^a{900}b" }\n'.repeat(5000)}`
    expect(read(text)).toMatchObject({ problems: [], hooks: { length: 5000 } })
  })

  test('problems above the limit are counted, not listed', () => {
    const layer = read(`version: 1\nhooks:\n  Stop:\n${'  - 5\n'.repeat(5000)}`)
    expect(layer.problems).toHaveLength(101)
    expect(layer.problems.at(-1)?.message).toBe('4900 more problems are not listed.')
  })

  test('a message contains no terminal control characters', () => {
    const { problems } = read(
      'version: 1\nhooks: { Stop: [ { run: x, "\\e[2J\\u202e": 1, id: "\\e]0;x" } ] }',
    )
    expect(problems.map(({ message, key }) => message + key).join('')).not.toMatch(/[\u001b\u202e]/)
    expect(problems[0]?.message).toContain('\\u001b[2J\\u202e')
  })
})
