import { describe, expect, test } from 'vitest'
import type { HookEntry, Layer } from '../../../core/layer.ts'
import { createMatcher } from '../../../core/match/match.ts'
import { linearEngine } from '../../../core/match/regex.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { actorOf, bash, eventOf } from '../../../library/testing/events.ts'
import { source as claudeSettings } from '../claude-settings/source.ts'
import { sourceContract } from '../source.contract.ts'
import { source } from './source.ts'

const SKILL = '/p/.claude/skills/mux/SKILL.md'
const NAMED = '/p/.claude/skills/skill-name/SKILL.md'
const AGENT = '/p/.claude/agents/worker.md'
const COMMAND = '/p/.claude/commands/tidy.md'

function result(text: string, path = SKILL) {
  return source.parse(text, { path, rank: 'frontmatter', trusted: true, root: '/p' })
}

function parse(text: string, path = SKILL): Layer {
  const read = result(text, path)
  if (!read.ok) throw new Error(read.problem.message)
  return read.value
}

/** Front matter with these hooks, and a body. */
const md = (head: string) => `---\n${head}\n---\n\n# Body\n\nhooks: not these\n`
const hooksOf = (event: string, handler: string) =>
  `hooks: { ${event}: [{ hooks: [{ type: command, ${handler} }] }] }`

/** The front matter of the first requirement's skill. */
const SEED = md(`name: skill-name
hooks:
  PreToolUse:
    - matcher: "ToolName|OtherTool"
      hooks:
        - type: command
          command: "path/to/hook-script.py"`)

sourceContract({
  name: 'frontmatter',
  source,
  good: [
    '',
    '# A page',
    '---\n---\n',
    '---\n\nA rule at the top of a page, and nothing that closes it.\n',
    md('name: tidy\ndescription: Tidies up.'),
    md('name: tidy\nhooks:'),
    md('description: |\n  hooks: in a text\n  are no hooks'),
    SEED,
    SEED.replaceAll('\n', '\r\n'),
    `\uFEFF${SEED}`,
    md(`name: x\nhooks:\n  Stop:\n    - { command: ./stop.sh, timeout: 5 }`),
    md(
      `hooks: { "PreToolUse": [{ "matcher": { "toolName": "Bash" }, "hooks": [{ "type": "command", "command": "x" }] }] }`,
    ),
  ],
  broken: [
    { text: '---\nname: x\nhooks:\n  Stop: [\n---\n', code: 'CONFIG_NOT_YAML', line: 4 },
    { text: '---\nhooks: {}\nhooks: {}\n---\n', code: 'CONFIG_NOT_YAML', line: 3 },
    { text: '---\nhooks:\n  Stop:\n', code: 'CONFIG_NOT_YAML', line: 1 },
    { text: '---\n{ name: "x, hooks: {} }\n"hooks" : }\n---\n', code: 'CONFIG_NOT_YAML', line: 3 },
  ],
  oneBadEntry: {
    text: md(`hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - { type: command, command: ./a.sh }
        - { type: command, command: 7 }`),
    problem: { code: 'CONFIG_VALUE', line: 7, key: 'hooks.PreToolUse[0].hooks[1].command' },
    packs: 0,
    hooks: 1,
  },
  wouldExecute: (marker) => md(hooksOf('PreToolUse', `command: "touch ${marker}"`)),
})

describe('a skill (R-000-01, R-000-09, R-000-11)', () => {
  test('has hooks for the actors that have the skill active', () => {
    expect(parse(SEED, NAMED).hooks).toMatchObject([
      {
        on: ['PreToolUse'],
        match: { subject: { kind: 'names', names: ['ToolName', 'OtherTool'] } },
        actor: { skill: 'skill-name' },
        run: { type: 'command', command: 'path/to/hook-script.py', protocol: 'claude', root: '/p' },
        origin: { file: NAMED, line: 7, key: 'hooks.PreToolUse[0].hooks[0]' },
      },
    ])
  })

  test('reads `hooks` in the same way as settings (R-000-10)', () => {
    const hooks = {
      PreToolUse: [
        { matcher: 'ToolName|OtherTool', hooks: [{ type: 'command', command: 'a.py', timeout: 5 }] },
        { matcher: 'mcp__.*', hooks: [{ type: 'command', command: 'b.py' }] },
      ],
      Stop: [{ hooks: [{ type: 'command', command: 'c.py' }] }],
    }
    const file = { path: '/p/.claude/settings.json', rank: 'project', trusted: true, root: '/p' } as const
    const settings = claudeSettings.parse(JSON.stringify({ hooks }), file)
    if (!settings.ok) throw new Error(settings.problem.message)
    const meaning = (entries: readonly HookEntry[]) =>
      entries.map(({ on, match, run, timeoutMs }) => ({ on, match, run, timeoutMs }))
    const head = parse(md(`name: mux\nhooks: ${JSON.stringify(hooks)}`))
    expect(meaning(head.hooks)).toEqual(meaning(settings.value.hooks))
    expect(head.hooks).toHaveLength(3)
  })

  test.each<[string, string, ...HookEntry['actor'][]]>([
    [SKILL, 'name: tidy', { skill: 'tidy' }, { skill: 'mux' }],
    [SKILL, 'name: mux', { skill: 'mux' }],
    [SKILL, 'x: y', { skill: 'mux' }],
    [SKILL, 'name: ""', { skill: 'mux' }],
    [SKILL, 'name: 7', { skill: '7' }, { skill: 'mux' }],
    [SKILL, 'name: [a]', { skill: 'mux' }],
    [SKILL, 'name: plugin:mux', { skill: 'mux' }],
    ['/p/core/skills/mux-subagent/SKILL.md', 'x: y', { skill: 'mux-subagent' }],
    ['/p/mux.md', 'x: y', { skill: 'mux' }],
    [COMMAND, 'x: y', { skill: 'tidy' }],
    ['/agents/p/.claude/commands/tidy.md', 'x: y', { skill: 'tidy' }],
    ['/p/.claude/agents/skills/SKILL.md', 'x: y', { skill: 'skills' }],
    [AGENT, 'x: y', { agentType: { kind: 'names', names: ['worker'] } }],
    [AGENT, 'name: my-agent', { agentType: { kind: 'names', names: ['my-agent'] } }],
    ['/p/.claude/agents/team/worker.md', 'x: y', { agentType: { kind: 'names', names: ['worker'] } }],
    ['/skills/p/.claude/agents/worker.md', 'x: y', { agentType: { kind: 'names', names: ['worker'] } }],
  ])('%s with `%s` is for %j (K-16)', (path, head, ...actors) => {
    const { hooks } = parse(md(`${head}\n${hooksOf('Stop', 'command: x')}`), path)
    expect(hooks.map(({ actor }) => actor)).toEqual(actors)
  })

  test.each([
    ['"${CLAUDE_PLUGIN_ROOT}/hooks/x.py"', '/p/.claude/skills/mux/hooks/x.py', SKILL],
    ['"$CLAUDE_PLUGIN_ROOT/x.py --a"', '/p/.claude/skills/mux/x.py --a', SKILL],
    ['"$CLAUDE_PLUGIN_ROOTS/x.py"', '$CLAUDE_PLUGIN_ROOTS/x.py', SKILL],
    [
      `'"\${CLAUDE_PLUGIN_ROOT}"/x.py'`,
      `export CLAUDE_PLUGIN_ROOT='/p/it'\\''s $(here)'; "\${CLAUDE_PLUGIN_ROOT}"/x.py`,
      "/p/it's $(here)/SKILL.md",
    ],
    ['"${CLAUDE_PLUGIN_ROOT}/x.py", args: []', '/p/a b/x.py', '/p/a b/SKILL.md'],
  ])('may use its own folder: %s', (command, started, path) => {
    const { hooks } = parse(md(hooksOf('Stop', `command: ${command}`)), path)
    // The reader puts `exec` before a single word with shell syntax.
    expect(String(hooks[0]?.run.command).replace('exec ', '')).toBe(started)
  })

  test('reports that `once` is not supported', () => {
    const text = md(hooksOf('Stop', 'command: x, once: true'))
    expect(parse(text)).toMatchObject({ hooks: [{}], problems: [{ severity: 'warning' }] })
    expect(parse(text, AGENT).problems).toEqual([])
  })
})

describe('which events match (R-000-06, K-05)', () => {
  const runs = (
    text: string,
    path: string,
    event: Parameters<typeof actorOf>[0],
    skills: readonly string[],
  ) => {
    const plan = buildPlan([parse(text, path)], new Map())
    return createMatcher(plan, linearEngine)(event, actorOf(event, { skills })).length > 0
  }
  const tool = md(`name: tidy\n${hooksOf('PreToolUse', 'command: x')}`)
  const stop = md(`name: worker\n${hooksOf('Stop', 'command: x')}`)
  const sub = { agentId: 'a1', agentType: 'helper' }
  const worker = { agentId: 'a1', agentType: 'worker' }

  test.each([
    ['a skill that is active', tool, SKILL, bash('ls'), ['tidy'], true],
    ['a skill among others', tool, SKILL, bash('ls'), ['a', 'tidy', 'b'], true],
    ['a skill that is not', tool, SKILL, bash('ls'), ['tidy-up'], false],
    ['a skill of a sub-agent', tool, SKILL, bash('ls', sub), ['tidy'], true],
    ['a skill of its parent', tool, SKILL, bash('ls', sub), [], false],
    ['the end of an agent', stop, AGENT, eventOf('SubagentStop', worker), [], true],
    ['the end of another agent', stop, AGENT, eventOf('SubagentStop', sub), [], false],
    [
      'the end of an agent that is the main thread',
      stop,
      AGENT,
      eventOf('Stop', { agentType: 'worker' }),
      [],
      true,
    ],
    ['the end of a plain session', stop, AGENT, eventOf('Stop'), [], false],
    ['an agent at work', md(hooksOf('PreToolUse', 'command: x')), AGENT, bash('ls', worker), [], true],
    ['its parent', md(hooksOf('PreToolUse', 'command: x')), AGENT, bash('ls'), [], false],
    [
      'the end of a skill’s actor',
      md(`name: tidy\n${hooksOf('Stop', 'command: x')}`),
      SKILL,
      eventOf('Stop'),
      ['tidy'],
      true,
    ],
    [
      'a sub-agent’s end there',
      md(`name: tidy\n${hooksOf('Stop', 'command: x')}`),
      SKILL,
      eventOf('SubagentStop', sub),
      ['tidy'],
      false,
    ],
  ])('%s', (_name, text, path, event, skills, expected) => {
    expect(runs(text, path, event, skills)).toBe(expected)
  })

  test('an agent’s Stop is counted as one entry on two events', () => {
    expect(parse(stop, AGENT).hooks.map(({ on }) => on)).toEqual([['SubagentStop', 'Stop']])
  })
})

describe('failure policies as in the agent', () => {
  test.each([
    ['command: x', 'pass'],
    ['command: x, onFailure: continue', 'pass'],
    ['command: x, onFailure: block', 'deny'],
  ])('%s: %s', (handler, crash) => {
    expect(parse(md(hooksOf('PreToolUse', handler))).hooks[0]?.onFailure).toMatchObject({
      crash,
      timeout: crash,
      import: crash,
      untrusted: 'pass',
    })
  })
})

describe('Holdpoint’s own entries are not run again', () => {
  test.each([
    'holdpoint hook claude-code --skill mux',
    "'/opt/bin/holdpoint-hook' 'claude-code' '--skill' 'mux'",
    '/opt/bin/holdpoint-hook claude-code --skill mux || { echo gone >&2; exit 2; }',
    'npx -y holdpoint@0.1.0 hook claude-code',
    'node dist/holdpoint.cjs hook claude-code',
    'cd /p && holdpoint hook claude-code',
    '"/opt/my tools/holdpoint" hook claude-code',
  ])('%s', (command) => {
    const layer = parse(md(hooksOf('PreToolUse', `command: ${JSON.stringify(command)}`)))
    expect(layer).toMatchObject({ hooks: [], problems: [] })
  })

  test.each([
    'holdpoint explain',
    './holdpoint/hook.sh',
    'my-holdpoint hook',
    'holdpoint hooks/x.sh',
    'holdpoint hook.sh',
  ])('%s is not our own entry', (command) => {
    expect(parse(md(hooksOf('PreToolUse', `command: ${JSON.stringify(command)}`))).hooks).toHaveLength(1)
  })
})

describe('front matter that is not valid YAML', () => {
  test('without hooks: one warning with its location', () => {
    const layer = parse(md('name: x\ndescription: Use when: it rains'))
    expect(layer).toMatchObject({
      hooks: [],
      problems: [{ code: 'CONFIG_NOT_YAML', severity: 'warning', file: SKILL, line: 3 }],
    })
  })

  test('with hooks: they apply, as they do in the agent', () => {
    const layer = parse(
      SEED.replace('\nhooks:', '\ndescription: Use when: it rains\nallowed-tools:\n- Bash\nhooks:'),
      NAMED,
    )
    expect(layer).toMatchObject({
      hooks: [{ actor: { skill: 'skill-name' }, origin: { line: 10 } }],
      problems: [{ code: 'CONFIG_NOT_YAML', severity: 'warning', line: 3 }],
    })
  })

  test('with hooks that cannot be separated from the rest: rejected', () => {
    expect(result(md('  description: Use when: it rains\n  hooks: {}'))).toMatchObject({ ok: false })
  })

  test.each(['hooks: 7', 'hooks: [PreToolUse]', 'hooks: x'])('`%s` is a problem', (head) => {
    expect(parse(md(head))).toMatchObject({
      hooks: [],
      problems: [{ code: 'CONFIG_VALUE', line: 2, key: 'hooks' }],
    })
  })

  test.each(['[a, b]', 'Just words\nhooks: no', '"hooks: "'])('%j', (head) => {
    const read = result(md(head))
    expect(read.ok ? read.value.hooks : []).toEqual([])
  })
})

test('files are searched in the project and in the home folder (K-16)', () => {
  const found = source.finds?.({ project: '/p', home: '/h' }, () => undefined) ?? []
  expect(found.map(({ folder, name, root }) => `${folder}/${name} from ${root}`)).toEqual([
    '/p/.claude/skills/*/SKILL.md from /p',
    '/p/.claude/agents/**/*.md from /p',
    '/p/.claude/commands/**/*.md from /p',
    '/p/core/skills/*/SKILL.md from /p',
    '/h/.claude/skills/*/SKILL.md from /h',
    '/h/.claude/agents/**/*.md from /h',
    '/h/.claude/commands/**/*.md from /h',
  ])
  expect(new Set(found.map(({ rank }) => rank))).toEqual(new Set(['frontmatter']))
})
