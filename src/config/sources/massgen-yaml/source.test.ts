import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../app/create-engine.ts'
import type { Decision } from '../../../core/decision.ts'
import { evaluate } from '../../../core/engine/evaluate.ts'
import { FAILURE_KINDS, type FailureKind } from '../../../core/hook.ts'
import type { Layer } from '../../../core/layer.ts'
import { createMatcher } from '../../../core/match/match.ts'
import { linearEngine } from '../../../core/match/regex.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { actorOf, bash, frozenFacts, toolCall } from '../../../library/testing/events.ts'
import { sourceContract } from '../source.contract.ts'
import { source } from './source.ts'

const FILE = { path: '/p/massgen.yaml', rank: 'project', trusted: true, root: '/p' } as const

/** The example of the design document, in a file that configures more than hooks. */
const SEED = `
orchestrator:
  snapshot_storage: snapshots
hooks:
  PreToolUse:
    - matcher: "*"
      handler: "massgen.hooks.audit_all_tools"
      type: "python"
agents:
  - id: "agent1"
    system_message: |
      hooks: none of these
    backend:
      type: openai
      hooks:
        PreToolUse:
          - matcher: "Write"
            handler: "custom_write_hook.py"
            type: "command"
        PostToolUse:
          override: true
          hooks:
            - handler: "agent1_logging.py"
              type: "command"
  - id: agent2
    backend: { type: claude }
ui: { display_type: rich }
`

function parse(text: string): Layer {
  const result = source.parse(text, FILE)
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

/** The hooks of this text that run for an agent, by what they start. */
function runFor(text: string, agentType: string | undefined, tool = 'Write'): readonly unknown[] {
  const plan = buildPlan([parse(text)], new Map())
  const event = toolCall(tool, {}, agentType === undefined ? {} : { agentId: 'a1', agentType })
  const orders = createMatcher(plan, linearEngine)(event, actorOf(event))
  return orders.map((order) => plan.hooks[order]?.run.python ?? plan.hooks[order]?.run.command)
}

sourceContract({
  name: 'massgen-yaml',
  source,
  good: [
    '',
    'agents: []',
    SEED,
    'agents: nobody\nhooks:\nagent: { id: one, backend: { hooks: { PostToolUse: [{ handler: log.sh, type: command }] } } }',
    'extendedEvents: true\nhooks: { Stop: [{ handler: gate.sh --now, type: command, timeout: 0.5, required: true }] }',
  ],
  broken: [
    { text: '- hooks', code: 'CONFIG_VALUE', line: 1 },
    { text: 'hooks:\n  PreToolUse: [', code: 'CONFIG_NOT_YAML', line: 2 },
    { text: 'hooks: {}\nhooks: {}', code: 'CONFIG_NOT_YAML', line: 2 },
    { text: 'a: "\0"', code: 'CONFIG_NOT_YAML', line: 1 },
  ],
  oneBadEntry: {
    text: `hooks:
  PreToolUse:
    - { handler: a.py, type: command }
    - { handler: b.py, type: shell }
`,
    problem: { code: 'CONFIG_VALUE', line: 4, key: 'hooks.PreToolUse[1].type' },
    packs: 0,
    hooks: 1,
  },
  wouldExecute: (marker) =>
    `hooks: { PreToolUse: [{ handler: "touch ${marker}", type: command }, { handler: os.abort, type: python }] }`,
})

describe('the example (R-004-12, R-004-13, R-004-14, R-004-15, R-004-17, R-004-18)', () => {
  test('becomes entries, each with its location', () => {
    const { hooks, problems } = parse(SEED)
    expect(problems).toEqual([])
    expect(hooks).toMatchObject([
      {
        on: ['PreToolUse'],
        match: {},
        actor: {},
        run: { type: 'command', python: 'massgen.hooks.audit_all_tools', protocol: 'massgen', root: '/p' },
        origin: { file: '/p/massgen.yaml', line: 6, key: 'hooks.PreToolUse[0]' },
      },
      {
        on: ['PreToolUse'],
        match: { subject: { kind: 'names', names: ['Write'] } },
        actor: { agentType: { kind: 'names', names: ['agent1'] } },
        run: { command: 'custom_write_hook.py', args: [] },
        origin: { line: 17, key: 'agents[0].backend.hooks.PreToolUse[0]' },
      },
      { on: ['PostToolUse'], match: {}, run: { command: 'agent1_logging.py', args: [] } },
    ])
  })

  test.each([
    [undefined, 'Write', ['massgen.hooks.audit_all_tools']],
    ['agent2', 'Write', ['massgen.hooks.audit_all_tools']],
    ['agent1', 'Write', ['massgen.hooks.audit_all_tools', 'custom_write_hook.py']],
    ['agent1', 'Edit', ['massgen.hooks.audit_all_tools']],
    ['Agent1', 'Write', ['massgen.hooks.audit_all_tools']],
  ])('for %s and %s runs %j', (agent, tool, ran) => {
    expect(runFor(SEED, agent, tool)).toEqual(ran)
  })
})

const ALL = '{ handler: all.py, type: command }'
const OWN = '{ handler: own.py, type: command }'
const two = (global: string, own: string) =>
  `hooks: { PreToolUse: [${global}] }\nagents: [{ id: one, backend: { hooks: { PreToolUse: ${own} } } }]`

describe('an agent with its own hooks (K-10, R-004-15, R-004-16)', () => {
  test.each([
    ['a list extends', two(ALL, `[${OWN}]`), ['all.py', 'own.py']],
    ['an object extends', two(ALL, `{ hooks: [${OWN}] }`), ['all.py', 'own.py']],
    ['`override: false` extends', two(ALL, `{ override: false, hooks: [${OWN}] }`), ['all.py', 'own.py']],
    ['`override: true` replaces', two(ALL, `{ override: true, hooks: [${OWN}] }`), ['own.py']],
    ['also by nothing', two(ALL, '{ override: true, hooks: [] }'), []],
    ['override without a list replaces them too', two(ALL, '{ override: true }'), []],
    [
      'override does not replace a required hook',
      two('{ handler: all.py, type: command, required: true }', '{ override: true, hooks: [] }'),
      ['all.py'],
    ],
    [
      'override does not replace hooks at another event',
      two(ALL, '[]').replace('{ PreToolUse: []', '{ PostToolUse: { override: true }'),
      ['all.py'],
    ],
    [
      'override has no effect if the new hooks are invalid',
      two(ALL, `{ override: true, hooks: [${OWN}, 7] }`),
      ['all.py', 'own.py'],
    ],
    ['a misspelled override has no effect', two(ALL, '{ overide: true, hooks: [] }'), ['all.py']],
    ['override with a text has no effect', two(ALL, '{ override: "yes", hooks: [] }'), ['all.py']],
  ])('%s', (_name, text, ran) => {
    expect(runFor(text, 'one')).toEqual(ran)
    // Other agents are not affected.
    expect(runFor(text, 'two')).toEqual(['all.py'])
  })

  test('other files and managed policy keep their hooks', () => {
    const managed: Layer = { ...parse(two(ALL, '[]')), rank: 'managed', file: '/etc/x' }
    const layers = [managed, parse(two(ALL, '{ override: true }'))]
    const plan = buildPlan(layers, new Map())
    const event = toolCall('Write', {}, { agentId: 'a1', agentType: 'one' })
    const orders = createMatcher(plan, linearEngine)(event, actorOf(event))
    expect(orders.map((order) => plan.hooks[order]?.rank)).toEqual(['managed'])
  })

  test('hooks for all agents may have the same form, but replace nothing', () => {
    const all = (form: string) => `hooks: { PreToolUse: ${form} }`
    expect(runFor(all(`{ hooks: [${ALL}] }`), 'one')).toEqual(['all.py'])
    expect(runFor(all(`{ override: true, hooks: [${ALL}] }`), 'one')).toEqual(['all.py'])
    expect(parse(all(`{ override: true, hooks: [${ALL}] }`)).problems).toMatchObject([
      { code: 'CONFIG_KEY', severity: 'warning', key: 'hooks.PreToolUse.override' },
    ])
  })

  test('hooks of an agent outside its backend are left out and reported', () => {
    const { hooks, problems } = parse(`agents: [{ id: one, hooks: { PreToolUse: [${OWN}] } }]`)
    expect(hooks).toEqual([])
    expect(problems).toMatchObject([{ code: 'CONFIG_KEY', key: 'agents[0].hooks' }])
  })

  test('hooks of an agent without a name are left out and reported', () => {
    const { hooks, problems } = parse(`agents: [{ backend: { hooks: { PreToolUse: [${OWN}] } } }]`)
    expect(hooks).toEqual([])
    expect(problems).toMatchObject([{ code: 'CONFIG_VALUE', key: 'agents[0].id' }])
  })
})

describe('matchers are globs (K-01, R-004-05, R-004-18, R-004-23, R-004-24)', () => {
  test.each([
    ['"Write|Edit"', 'Edit', true],
    ['"Write|Edit"', 'NotebookEdit', false],
    ['"*"', 'Bash', true],
    ['""', 'Bash', true],
    ['null', 'Bash', true],
    ['"mcp__*"', 'mcp__github__push', true],
    ['"mcp__*"', 'Bash', false],
    ['"Notebook????"', 'NotebookEdit', true],
    ['"[WE]*"', 'Edit', true],
    ['"[!WE]*"', 'Edit', false],
    ['"edit"', 'Edit', false],
    ['"Edit.*"', 'NotebookEdit', false],
  ])('%s on %s: %s', (matcher, tool, matches) => {
    const text = `hooks: { PreToolUse: [{ matcher: ${matcher}, handler: x.py, type: command }] }`
    expect(runFor(text, undefined, tool)).toEqual(matches ? ['x.py'] : [])
  })

  test('a regex written by mistake gets a warning', () => {
    const text = 'hooks: { PreToolUse: [{ matcher: "^(Write|Edit)$", handler: x.py, type: command }] }'
    expect(parse(text)).toMatchObject({
      hooks: [{}],
      problems: [{ code: 'CONFIG_MATCHER', severity: 'warning' }],
    })
  })
})

describe('events (K-25, R-004-08)', () => {
  test.each([
    ['', ['PreToolUse'], [{ severity: 'warning', message: expect.stringContaining('extendedEvents: true') }]],
    ['extendedEvents: true', ['PreToolUse', 'Stop'], []],
    ['extendedEvents: 1', ['PreToolUse'], [{ key: 'extendedEvents' }, { severity: 'warning' }]],
  ])('other events, with extendedEvents %j: %j', (extended, on, problems) => {
    const layer = parse(`${extended}\nhooks: { PreToolUse: [${ALL}], Stop: [${ALL}] }`)
    expect(layer.hooks.flatMap((hook) => hook.on)).toEqual(on)
    expect(layer.problems).toMatchObject(problems)
  })

  test.each(['PreTooluse', 'Unknown', 'pre_tool_use'])('%s is not an event', (event) => {
    expect(parse(`hooks: { ${event}: [${ALL}] }`)).toMatchObject({
      hooks: [],
      problems: [{ code: 'CONFIG_KEY', key: `hooks.${event}` }],
    })
  })
})

describe('handlers', () => {
  test.each([
    ['command', 'check.py', { command: 'check.py', args: [] }],
    ['command', './hooks/check', { command: './hooks/check', args: [] }],
    ['command', 'uv run check.py', { command: 'uv run check.py' }],
    ['python', 'hooks.check', { python: 'hooks.check' }],
    ['python', 'a.b.c_d', { python: 'a.b.c_d' }],
    ['module', './hooks/check.ts', { type: 'module', module: './hooks/check.ts', env: undefined }],
    [
      'module',
      './hooks/check.ts#audit',
      { type: 'module', module: './hooks/check.ts', export: 'audit', env: undefined },
    ],
    ['callable', 'audit', { type: 'callable', name: 'audit', env: undefined }],
  ])('%s: %s (R-004-17)', (type, handler, run) => {
    const { hooks, problems } = parse(`hooks: { PreToolUse: [{ handler: "${handler}", type: ${type} }] }`)
    expect(problems).toEqual([])
    expect(hooks[0]?.run).toEqual({ type: 'command', protocol: 'massgen', root: '/p', env: [], ...run })
  })

  test('a handler without a type is a Python function', () => {
    expect(parse('hooks: { PreToolUse: [{ handler: hooks.check }] }')).toMatchObject({
      hooks: [{ run: { python: 'hooks.check' } }],
      problems: [],
    })
  })

  test.each(['check', 'hooks.check()', 'hooks/check.py', '../x.y'])(
    '%s is not a function, which is reported, and denies (R-004-28)',
    async (handler) => {
      const layer = parse(`hooks: { PreToolUse: [{ handler: "${handler}", type: python }] }`)
      expect(layer.problems).toMatchObject([{ code: 'CONFIG_VALUE', key: 'hooks.PreToolUse[0].handler' }])
      for (const trusted of [true, false]) {
        expect(await decide({ ...layer, trusted })).toMatchObject({
          effect: 'deny',
          failed: [{ failure: { failure: 'import' } }],
        })
      }
    },
  )

  test.each([
    ['command', '  ', 'handler'],
    ['python', '', 'handler'],
    ['command', 'holdpoint hook claude-code', 'handler'],
    ['shell', 'x', 'type'],
  ])('%s: %j is rejected', (type, handler, key) => {
    const layer = parse(`hooks: { PreToolUse: [{ handler: "${handler}", type: ${type} }, ${ALL}] }`)
    expect(layer).toMatchObject({
      hooks: [{}],
      problems: [{ code: 'CONFIG_VALUE', key: `hooks.PreToolUse[0].${key}` }],
    })
  })

  test.each([
    ['timeout: 30', { timeoutMs: 30_000 }],
    ['timeout: 0.01', { timeoutMs: 10 }],
    ['timeout: 1e9', { timeoutMs: 600_000 }],
    ['required: true', { required: true }],
    ['required: false', {}],
    ['timeout: null', {}],
  ])('%s', (more, expected) => {
    const [hook] = parse(`hooks: { PreToolUse: [{ handler: x.py, type: command, ${more} }] }`).hooks
    expect({ timeoutMs: hook?.timeoutMs, required: hook?.required }).toEqual({
      timeoutMs: 30_000,
      required: undefined,
      ...expected,
    })
  })

  test('a hook gets the environment variables that it names (R-004-32)', () => {
    const [hook] = parse('hooks: { PreToolUse: [{ handler: a.b, env: [TOKEN, A_1] }] }').hooks
    expect(hook?.run.env).toEqual(['TOKEN', 'A_1'])
  })

  test.each([
    'timeout: 0',
    'timeout: -1',
    'timeout: soon',
    'required: 1',
    'fail_closed: maybe',
    'env: TOKEN',
    'env: ["A=B"]',
    'matcher: [Bash]',
  ])('%s leaves the hook out', (more) => {
    const layer = parse(`hooks: { PreToolUse: [{ handler: x.py, type: command, ${more} }] }`)
    expect(layer).toMatchObject({ hooks: [], problems: [{}] })
  })

  test('an unknown key does not disable a guard', () => {
    const layer = parse('hooks: { PreToolUse: [{ handler: x.py, type: command, priority: 3 }] }')
    expect(layer).toMatchObject({ hooks: [{}], problems: [{ code: 'CONFIG_KEY', severity: 'warning' }] })
  })
})

describe('a hook that fails (K-03, R-004-27, R-004-28, R-004-29)', () => {
  test.each(FAILURE_KINDS)('%s', async (kind) => {
    const decision = await decide(parse(SEED), kind)
    expect(decision.effect).toBe(kind === 'import' ? 'deny' : 'pass')
    // The failure is always reported.
    expect(decision.failed).toHaveLength(1)
    expect(JSON.stringify([decision.notices, decision.findings])).toContain('broke')
  })

  test.each(FAILURE_KINDS)('%s, where `fail_closed` is true', async (kind) => {
    const closed = parse('hooks: { PreToolUse: [{ handler: a.b, fail_closed: true }] }')
    expect((await decide(closed, kind)).effect).toBe('deny')
    const open = parse('hooks: { PreToolUse: [{ handler: a.b, fail_closed: false }] }')
    expect((await decide(open, kind)).effect).toBe(kind === 'import' ? 'deny' : 'pass')
  })
})

describe('hooks of one event', () => {
  test('run one after another until one denies (K-11)', () => {
    expect(parse(SEED).hooks).toMatchObject(Array(3).fill({ rewrites: true, shortCircuit: true }))
  })
})

/** The decision about a call; with `kind`, if every hook fails in this way. */
async function decide(layer: Layer, kind?: FailureKind): Promise<Decision> {
  const engine = await createEngine(buildPlan([layer], new Map()))
  const runners =
    kind === undefined
      ? engine.runners
      : engine.runners.map(() => () => ({ failure: kind, message: 'broke' }))
  const event = bash('ls')
  return evaluate({ ...engine, runners }, event, {
    actor: actorOf(event),
    facts: frozenFacts(),
    memory: {},
    budgetMs: 1_000,
    now: () => 0,
  })
}
