import { describe, expect, test } from 'vitest'
import type { HookEntry, Layer } from '../../../core/layer.ts'
import { createMatcher } from '../../../core/match/match.ts'
import { linearEngine } from '../../../core/match/regex.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { actorOf, eventOf } from '../../../library/testing/events.ts'
import { sourceContract } from '../source.contract.ts'
import { source } from './source.ts'

const FILE = { path: '/p/.claude/settings.json', rank: 'project', trusted: false, root: '/p' } as const

function parse(json: unknown): Layer {
  const result = source.parse(typeof json === 'string' ? json : JSON.stringify(json, null, 2), FILE)
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

function only(json: unknown): HookEntry {
  const { hooks, problems } = parse(json)
  expect(problems.filter(({ severity }) => severity !== 'warning')).toEqual([])
  expect(hooks).toHaveLength(1)
  return hooks[0] as HookEntry
}

/** One handler at one event. */
function at(event: string, handler: object, matcher?: unknown): object {
  return { hooks: { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [handler] }] } }
}

const command = (text: string) => ({ type: 'command', command: text })

/** Settings with objects as matchers, as some users write them. */
const WITH_OBJECTS = {
  hooks: {
    SessionStart: [{ matcher: {}, hooks: [command('.claude/hooks/load-behavioral-system.sh')] }],
    PreToolUse: [
      { matcher: { toolName: 'Bash' }, hooks: [command('.claude/hooks/block-destructive-commands.sh')] },
      { matcher: { toolName: 'Read|Grep' }, hooks: [command('.claude/hooks/block-sensitive-files.sh')] },
    ],
    PostToolUse: [
      {
        matcher: { toolName: '.*' },
        hooks: [
          command('.claude/hooks/collective-metrics.sh'),
          command('.claude/hooks/semantic-docs-update-hook.sh'),
        ],
      },
      { matcher: { toolName: 'Task' }, hooks: [command('.claude/hooks/test-driven-handoff.sh')] },
    ],
    PreCompact: [{ matcher: {}, hooks: [command('.claude/hooks/pre-compact-state.sh')] }],
    SubagentStart: [
      { matcher: { agentName: '.*' }, hooks: [command('.claude/hooks/subagent-context-inject.sh')] },
    ],
    SubagentStop: [{ matcher: {}, hooks: [command('.claude/hooks/test-driven-handoff.sh')] }],
  },
}

const SKILL_HOOK = {
  preToolUseHook: { enabled: true, script: '.claude/skills/mux/hooks/pre-tool-use.py', skillScope: ['mux'] },
}

sourceContract({
  name: 'claude-settings',
  source,
  good: [
    '',
    '{}',
    JSON.stringify(WITH_OBJECTS, null, 2),
    JSON.stringify({ ...WITH_OBJECTS, ...SKILL_HOOK, permissions: { allow: ['Bash(ls)'] } }),
    JSON.stringify(at('Stop', { ...command('./gate.sh'), timeout: 120, onFailure: 'block' }, '')),
    '\uFEFF{"hooks": {"PreToolUse": [{"matcher": "Bash", "command": "./x.sh"}]}}',
  ],
  broken: [
    { text: '{', code: 'CONFIG_VALUE', line: 1 },
    { text: '{\n  "hooks": {\n', code: 'CONFIG_VALUE', line: 3 },
    { text: '[]', code: 'CONFIG_VALUE', line: 1 },
    { text: '\n\n"hooks"', code: 'CONFIG_VALUE', line: 3 },
    { text: 'hooks: {}', code: 'CONFIG_VALUE', line: 1 },
    { text: '{"a": "\0"}', code: 'CONFIG_VALUE', line: 1 },
    { text: '['.repeat(200_000), code: 'CONFIG_VALUE', line: 1 },
  ],
  oneBadEntry: {
    text: JSON.stringify(
      {
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hooks: [command('./a.sh'), { type: 'command', command: 7 }] },
            { matcher: { tool: 'Bash' }, hooks: [command('./b.sh')] },
          ],
        },
      },
      null,
      2,
    ),
    problem: { code: 'CONFIG_VALUE', line: 13, key: 'hooks.PreToolUse[0].hooks[1].command' },
    packs: 0,
    hooks: 1,
  },
  wouldExecute: (marker) => JSON.stringify(at('PreToolUse', command(`touch ${marker}`), 'Bash')),
})

describe('the forms of hooks (K-09, R-000-11)', () => {
  test('nested, flat and skill-scoped hooks in one file keep their order and location', () => {
    const { hooks, problems } = parse(`{
  "hooks": { "PreToolUse": [
    { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./one.sh" }] },
    { "matcher": "Bash", "command": "./two.sh" },
    { "matcher": "Bash", "script": "./three.sh" },
    { "matcher": "Bash", "handler": "./four.sh" }
  ] },
  "preToolUseHook": { "script": "./five.py", "skillScope": ["mux"] }
}`)
    expect(problems).toEqual([])
    expect(hooks.map(({ run, origin }) => [run.command, origin.line, origin.column, origin.key])).toEqual([
      ['./one.sh', 3, 36, 'hooks.PreToolUse[0].hooks[0]'],
      ['./two.sh', 4, 5, 'hooks.PreToolUse[1]'],
      ['./three.sh', 5, 5, 'hooks.PreToolUse[2]'],
      ['./four.sh', 6, 5, 'hooks.PreToolUse[3]'],
      ['./five.py', 8, 61, 'preToolUseHook.skillScope[0]'],
    ])
  })

  test('accepts objects as matchers, and scripts of the hooks folder (K-04, R-002-34, R-002-35, R-002-44)', () => {
    const { hooks, problems } = parse(WITH_OBJECTS)
    expect(problems).toEqual([])
    const named = (...names: readonly string[]) => ({ subject: { kind: 'names', names } })
    const rows = hooks.map(({ on, match, run }) => [on, match, run.type, run.command])
    expect(rows).toEqual(
      [
        ['SessionStart', {}, 'load-behavioral-system'],
        ['PreToolUse', named('Bash'), 'block-destructive-commands'],
        ['PreToolUse', named('Read', 'Grep'), 'block-sensitive-files'],
        ['PostToolUse', {}, 'collective-metrics'],
        ['PostToolUse', {}, 'semantic-docs-update-hook'],
        ['PostToolUse', named('Task'), 'test-driven-handoff'],
        ['PreCompact', {}, 'pre-compact-state'],
        ['SubagentStart', {}, 'subagent-context-inject'],
        ['SubagentStop', {}, 'test-driven-handoff'],
      ].map(([event, match, script]) => [[event], match, 'command', `.claude/hooks/${script}.sh`]),
    )
  })

  test('an object with an agent name matches only those agents, and `.*` matches all (R-002-35, R-002-42)', () => {
    const meets = (matcher: unknown, agentType: string) => {
      const plan = buildPlan([parse(at('SubagentStart', command('x'), matcher))], new Map())
      const event = eventOf('SubagentStart', { agentId: 'a1', agentType })
      return createMatcher(plan, linearEngine)(event, actorOf(event)).length === 1
    }
    const types = ['research-agent', 'unit-testing-agent', 'Explore', 'a name']
    expect(types.filter((type) => meets({ agentName: '.*' }, type))).toEqual(types)
    expect(types.filter((type) => meets({}, type))).toEqual(types)
    expect(types.filter((type) => meets({ agentName: '.*-agent' }, type))).toEqual(types.slice(0, 2))
    expect(types.filter((type) => meets({ agentName: 'Explore' }, type))).toEqual(['Explore'])
  })

  test('reads type, command and a timeout in seconds (R-003-50)', () => {
    const entry = { type: 'command', command: 'python3 .claude/hooks/stop.py', timeout: 10 }
    expect(only(at('Stop', entry))).toMatchObject({
      on: ['Stop'],
      run: { type: 'command', command: 'python3 .claude/hooks/stop.py' },
      timeoutMs: 10_000,
    })
  })

  test('creates one entry for each skill of a skill-scoped hook (R-001-03, R-001-05, R-001-06, R-001-07)', () => {
    const { hooks } = parse({ preToolUseHook: { script: './x.py', skillScope: ['mux', 'ospec'] } })
    expect(hooks.map(({ on, actor, run }) => [on, actor, run.protocol])).toEqual([
      [['PreToolUse'], { skill: 'mux' }, 'mux'],
      [['PreToolUse'], { skill: 'ospec' }, 'mux'],
    ])
    // A guard that cannot answer denies, which is the plan's default for this event.
    expect(hooks[0]?.onFailure).toBeUndefined()
  })

  test.each([
    ['switched off', { enabled: false, script: './x.py' }, 0, 0],
    ['for every skill', { script: './x.py' }, 1, 0],
    ['of nobody', { script: './x.py', skillScope: [] }, 0, 1],
    ['of one word', { script: './x.py', skillScope: 'mux' }, 0, 1],
    ['without a script', { skillScope: ['mux'] }, 0, 1],
    ['half on', { enabled: 'yes', script: './x.py' }, 0, 1],
    ['that is a text', './x.py', 0, 1],
    ['that is watched', { script: './x.py', debug: true }, 1, 0],
    ['that is half watched', { script: './x.py', debug: 'yes' }, 1, 1],
  ])('a skill-scoped hook %s (R-001-04, R-001-29)', (_name, preToolUseHook, hooks, problems) => {
    const layer = parse({ preToolUseHook })
    expect([layer.hooks.length, layer.problems.length]).toEqual([hooks, problems])
  })

  test.each([
    ['./x.py', { type: 'command', command: './x.py', function: true }],
    ['./x.mjs', { type: 'command', command: './x.mjs', function: true }],
    ['./x.sh --fast', { type: 'command', command: './x.sh --fast', function: true }],
    ['./x.ts', { type: 'module', module: './x.ts', export: 'pre_tool_use_hook|preToolUseHook|default' }],
  ])('the script %s, which may export a function (R-001-09)', (script, run) => {
    const { hooks } = parse({ preToolUseHook: { script, debug: true } })
    expect(hooks[0]).toMatchObject({ run: { ...run, protocol: 'mux', debug: true }, isOurs: true })
  })

  test('identical handlers of one event run once', () => {
    const group = { matcher: 'Bash', hooks: [command('./x.sh'), command('./x.sh')] }
    const { hooks } = parse({ hooks: { PreToolUse: [group, group] } })
    expect(hooks.map(({ origin }) => origin.key)).toEqual(['hooks.PreToolUse[0].hooks[0]'])
  })

  test('Holdpoint’s own entries are not run again', () => {
    const own = { ...command('/opt/bin/holdpoint-hook'), args: ['claude-code'] }
    const url = 'http://127.0.0.1:9/hook/claude-code?event=Stop&on-failure=pass&by=holdpoint-hook-0a'
    const layer = parse({ hooks: { Stop: [{ hooks: [own, { type: 'http', url }] }] } })
    expect(layer).toMatchObject({ hooks: [], problems: [] })
  })
})

describe('matchers', () => {
  test.each([
    ['PreToolUse', 'Write, Edit', { subject: { kind: 'names', names: ['Write', 'Edit'] } }],
    ['PreToolUse', '', {}],
    ['PreToolUse', null, {}],
    ['PreToolUse', '(', { subject: { kind: 'never' } }],
    ['PreToolUse', 'mcp__.*', { subject: { kind: 'regex', source: 'mcp__.*', engine: 'linear' } }],
    ['Stop', 'Bash', {}],
    ['UserPromptSubmit', 'whatever', {}],
    ['FileChanged', '.env|a.b', { subject: { kind: 'names', names: ['.env', 'a.b'] } }],
    ['SubagentStop', { agentType: 'worker' }, { agentType: { kind: 'names', names: ['worker'] } }],
    ['SessionStart', { source: 'resume' }, { source: { kind: 'names', names: ['resume'] } }],
    ['PreCompact', { trigger: 'auto' }, { trigger: { kind: 'names', names: ['auto'] } }],
    [
      'PreToolUse',
      { toolName: 'Bash', agentName: 'worker', skill: 'mux', event: 'PreToolUse|PostToolUse' },
      {
        subject: { kind: 'names', names: ['Bash'] },
        agentType: { kind: 'names', names: ['worker'] },
        skill: { kind: 'names', names: ['mux'] },
      },
    ],
  ])('at %s: %j (K-04, R-000-12, R-003-51)', (event, matcher, match) => {
    expect(only(at(event, command('./x.sh'), matcher)).match).toEqual(match)
  })

  test.each([
    [{ tool: 'Bash' }, 'CONFIG_MATCHER'],
    [{ toolName: 7 }, 'CONFIG_MATCHER'],
    [['Bash'], 'CONFIG_MATCHER'],
    [true, 'CONFIG_MATCHER'],
  ])('%j leaves out only its group', (matcher, code) => {
    const groups = [{ matcher, hooks: [command('./x.sh')] }, { hooks: [command('./y.sh')] }]
    const layer = parse({ hooks: { PreToolUse: groups } })
    expect(layer.hooks.map(({ run }) => run.command)).toEqual(['./y.sh'])
    expect(layer.problems).toMatchObject([{ code }])
  })

  test('an entry for a different event is left out', () => {
    expect(parse(at('PreToolUse', command('./x.sh'), { event: 'PostToolUse' })).hooks).toEqual([])
  })
})

describe('`if`', () => {
  test.each([
    ['Bash', { kind: 'names', names: ['Bash'] }],
    ['Bash(*)', { kind: 'names', names: ['Bash'] }],
    ['mcp__github__push', { kind: 'names', names: ['mcp__github__push'] }],
    ['mcp__github', { kind: 'glob', globs: ['mcp__github__*'] }],
  ])('%s names a tool', (rule, toolName) => {
    const entry = only(at('PreToolUse', { ...command('./x.sh'), if: rule }, 'Bash|Edit'))
    expect(entry.match).toEqual({ subject: { kind: 'names', names: ['Bash', 'Edit'] }, toolName })
  })

  test.each(['Bash(git *)', 'Edit', 'Read(./.env)', 'Bash Edit', '', 7])(
    '%j cannot be evaluated here, so the hook is left out and reported',
    (rule) => {
      const layer = parse(at('PreToolUse', { ...command('./x.sh'), if: rule }))
      expect(layer.hooks).toEqual([])
      expect(layer.problems).toMatchObject([{ code: 'CONFIG_VALUE', key: 'hooks.PreToolUse[0].hooks[0].if' }])
    },
  )

  test('a hook with `if` at other events is left out, because it never ran', () => {
    const layer = parse(at('Stop', { ...command('./x.sh'), if: 'Bash' }))
    expect(layer).toMatchObject({ hooks: [], problems: [{ severity: 'warning' }] })
  })
})

describe('how a hook runs', () => {
  test.each([
    ['PreToolUse', {}, 600_000],
    ['UserPromptSubmit', {}, 30_000],
    ['SessionEnd', {}, 1_500],
    ['PreToolUse', { timeout: 5 }, 5_000],
    ['PreToolUse', { timeout: 0.5 }, 500],
    ['PreToolUse', { timeout: 5_000 }, 600_000],
  ])('at %s with %j the time limit is %i ms', (event, more, timeoutMs) => {
    expect(only(at(event, { ...command('./x.sh'), ...more })).timeoutMs).toBe(timeoutMs)
  })

  test.each([
    ['PreToolUse', {}, 'pass'],
    ['PreToolUse', { onFailure: 'continue' }, 'pass'],
    ['PreToolUse', { onFailure: 'block' }, 'deny'],
    ['PreToolUse', { onFailure: 'block', async: true }, 'pass'],
    ['Stop', { onFailure: 'block' }, 'pass'],
  ])('at %s with %j a failure has the same effect as in Claude Code: %s', (event, more, policy) => {
    const { onFailure } = only(at(event, { ...command('./x.sh'), ...more }))
    expect(onFailure).toMatchObject({ timeout: policy, crash: policy, invalidOutput: policy, import: policy })
    expect(onFailure).toHaveProperty('untrusted', 'pass')
  })

  test('a command keeps its arguments, and may answer allow', () => {
    const entry = only(
      at('PreToolUse', { ...command('$CLAUDE_PROJECT_DIR/x'), args: ['a b'], shell: 'bash' }),
    )
    expect(entry).toMatchObject({
      run: {
        type: 'command',
        command: '$CLAUDE_PROJECT_DIR/x',
        args: ['a b'],
        protocol: 'claude',
        root: '/p',
      },
      grants: true,
    })
  })

  test.each([
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh', 'exec "$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh'],
    ['~/x.sh', 'exec ~/x.sh'],
    ['/bin/a;/bin/b', ': ; /bin/a;/bin/b'],
    ['true;false', 'true;false'],
    ['.claude/hooks/x.sh', '.claude/hooks/x.sh'],
    ['python3 "$CLAUDE_PROJECT_DIR"/x.py', 'python3 "$CLAUDE_PROJECT_DIR"/x.py'],
  ])('%j is run by a shell, as in Claude Code', (written, started) => {
    expect(only(at('PreToolUse', command(written))).run.command).toBe(started)
  })

  test('an HTTP hook keeps its headers', () => {
    const http = { type: 'http', url: 'http://127.0.0.1:7/x', headers: { a: '$B' }, allowedEnvVars: ['B'] }
    expect(only(at('PreToolUse', http)).run).toEqual(http)
  })

  test('a plain http address of another machine is called as in Claude Code, with a warning', () => {
    const layer = parse(at('PreToolUse', { type: 'http', url: 'http://guard.example/x' }))
    expect(layer.hooks[0]?.run).toMatchObject({ url: 'http://guard.example/x', insecure: true })
    expect(layer.problems).toMatchObject([{ severity: 'warning', key: 'hooks.PreToolUse[0].hooks[0].url' }])
  })

  test.each<[string, object, 'warning' | undefined]>([
    ['asks a model', { type: 'prompt', prompt: 'x' }, 'warning'],
    ['asks an agent', { type: 'agent', prompt: 'x' }, 'warning'],
    ['asks a server', { type: 'mcp_tool', server: 'x', tool: 'y' }, 'warning'],
    ['is of an unknown type', { type: 'script', command: './x.sh' }, undefined],
    ['has no command', { type: 'command' }, undefined],
    ['has a blank command', command(' '), undefined],
    ['has a NUL in it', command('a\0b'), undefined],
    ['has one argument', { ...command('./x.sh'), args: 'a' }, undefined],
    ['wants another shell', { ...command('./x.sh'), shell: 'powershell' }, undefined],
    ['has a text as timeout', { ...command('./x.sh'), timeout: '5s' }, undefined],
    ['wants no time', { ...command('./x.sh'), timeout: 0 }, undefined],
    ['has an unknown onFailure', { ...command('./x.sh'), onFailure: 'deny' }, undefined],
    ['asks a file', { type: 'http', url: 'file:///etc/passwd' }, undefined],
    ['has headers of numbers', { type: 'http', url: 'https://a', headers: { a: 1 } }, undefined],
    [
      'has a text instead of a list of variables',
      { type: 'http', url: 'https://a', allowedEnvVars: 'B' },
      undefined,
    ],
  ])('a hook that %s is left out and reported', (_name, handler, severity) => {
    const layer = parse(at('PreToolUse', handler))
    expect(layer.hooks).toEqual([])
    expect(layer.problems).toHaveLength(1)
    expect(layer.problems[0]?.severity).toBe(severity)
  })

  test('a background hook is waited for, with a warning', () => {
    const layer = parse(at('PostToolUse', { ...command('./log.sh'), async: true }))
    expect(layer).toMatchObject({ hooks: [{}], problems: [{ severity: 'warning' }] })
  })
})

describe('the whole file', () => {
  test.each([
    ['an unknown event', { hooks: { preToolUse: [] } }, 'Did you mean `PreToolUse`?'],
    ['the event name Unknown', { hooks: { Unknown: [] } }, 'no event'],
    ['an event of one group', { hooks: { Stop: { hooks: [] } } }, 'a list of groups'],
    ['hooks in a list', { hooks: [] }, 'an object of events'],
    ['handlers in an object', { hooks: { Stop: [{ hooks: {} }] } }, 'a list of handlers'],
    ['a group of text', { hooks: { Stop: ['x'] } }, 'an object with `hooks`'],
    ['a handler of text', { hooks: { Stop: [{ hooks: ['x'] }] } }, 'an object with `command`'],
  ])('%s is reported', (_name, json, message) => {
    expect(parse(json).problems).toMatchObject([{ message: expect.stringContaining(message) }])
  })

  test('comments and trailing commas are accepted and reported, because Claude Code does not load such a file', () => {
    const layer = parse(
      '{\n  // mine\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./x"}]}],},\n}',
    )
    expect(layer.hooks).toHaveLength(1)
    expect(layer.problems).toMatchObject([{ severity: 'warning', line: 2 }])
  })

  test('a file that disables all hooks has none', () => {
    const layer = parse({ ...WITH_OBJECTS, ...SKILL_HOOK, disableAllHooks: true })
    expect(layer).toMatchObject({ hooks: [], problems: [{ key: 'disableAllHooks', severity: 'warning' }] })
  })

  test('for duplicate keys the last one counts, as in Claude Code', () => {
    const layer = parse(
      '{"hooks": {"Stop": [{"command": "./a"}], "Stop": [{"command": "./b"}]}, "x": {"__proto__": {}}}',
    )
    expect(layer.hooks.map(({ run }) => run.command)).toEqual(['./b'])
  })

  test('messages contain no control characters, and a thousand problems are cut to a hundred', () => {
    const hooks = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`\u001b[2J${i}`, []]))
    const { problems } = parse({ hooks })
    expect(problems).toHaveLength(100)
    expect(problems.map(({ message, key }) => `${message}${key}`).join('')).not.toContain('\u001b')
  })
})

test('the files of Claude Code are found, and not run on Claude Code itself', () => {
  const finds = source.finds?.({ project: '/p', home: '/home/me' }, () => undefined) ?? []
  expect(finds.map(({ folder, name, rank }) => `${rank} ${folder}/${name}`)).toEqual([
    'managed /etc/claude-code/managed-settings.json',
    'managed /Library/Application Support/ClaudeCode/managed-settings.json',
    'user /home/me/.claude/settings.json',
    'project /p/.claude/settings.json',
    'local /p/.claude/settings.local.json',
  ])
  expect(finds.every(({ root, exceptHost }) => root === '/p' && exceptHost === 'claude-code')).toBe(true)
})
