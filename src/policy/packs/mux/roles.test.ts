import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine } from '../../../app/create-engine.ts'
import { decide } from '../../../core/engine/decide.ts'
import type { DecideContext } from '../../../core/engine/decide-context.ts'
import { bad, good } from '../../../core/errors.ts'
import type { Event } from '../../../core/event.ts'
import type { Pack } from '../../../core/guard.ts'
import { FAILURE_KINDS } from '../../../core/hook.ts'
import { ALL_ABILITIES } from '../../../core/host.ts'
import type { JsonObject } from '../../../core/json.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { actorOf, eventOf, frozenFacts } from '../../../library/testing/events.ts'
import { createMemoryState } from '../../../storage/state/memory-state.ts'
import { liveFacts } from '../../../system/live-facts.ts'
import { detectPolling } from '../../mux/polling.ts'
import { orchestrator } from './orchestrator.ts'
import { pack } from './pack.ts'

/** Whole sessions with only this pack: which agents are judged, when, and how earlier calls change that. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-mux-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function contextOf(
  options: JsonObject = {},
  more: Partial<DecideContext> = {},
  packs: readonly Pack[] = [pack],
) {
  const origin = { file: 'test' }
  const entries = packs.map(({ id }) => ({ pack: id, options, origin }))
  const base = { rank: 'user', file: 'test', trusted: true, hooks: [], settings: {}, problems: [] } as const
  const plan = buildPlan([{ ...base, packs: entries }], new Map(packs.map((each) => [each.id, each])))
  let ids = 0
  const context: DecideContext = {
    engine: await createEngine(plan),
    state: createMemoryState(),
    facts: frozenFacts(),
    can: ALL_ABILITIES,
    deliversTwice: false,
    stopBlocksMax: 3,
    skills: [],
    now: () => performance.now(),
    newId: () => `id-${(ids += 1)}`,
    hash: (text) => text,
    applyFiles: () => good(undefined),
    ...more,
  }
  return context
}

let uses = 0
function call(tool: string, input: JsonObject, more: object = {}): Event {
  uses += 1
  return eventOf('PreToolUse', { tool: { name: tool, input, useId: `use-${uses}` }, ...more })
}
const done = (tool: string, input: JsonObject, more: object = {}) =>
  eventOf('PostToolUse', { tool: { name: tool, input, useId: `use-${uses}` }, output: {}, ...more })
const loads = (skill: string, more: object = {}) => done('Skill', { skill }, more)
const read = (more: object = {}) => call('Read', { file_path: 'src/main.ts' }, more)
const bash = (command: string, more: object = {}) => call('Bash', { command }, more)

async function effects(context: DecideContext, events: readonly Event[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const event of events) found.push((await decide(event, context)).decision.effect)
  return found
}
const worker = { agentId: 'a1', agentType: 'researcher' }

describe('the MUX guards judge', () => {
  it('the agent that loaded the skill, from then on, but not its sub-agents (R-000-04, R-001-26)', async () => {
    const research = [
      read(worker),
      call('Grep', { pattern: 'x' }, worker),
      call('WebFetch', { url: 'https://example.com' }, worker),
      call('TaskOutput', {}, worker),
    ]
    const events = [read(), loads('mux'), read(), ...research, read()]
    expect(await effects(await contextOf(), events)).toEqual([
      ...['pass', 'pass', 'deny'],
      ...research.map(() => 'pass'),
      'deny',
    ])
  })

  it('each agent only by the guard of its own skill (R-000-06)', async () => {
    const context = await contextOf()
    await effects(context, [loads('mux'), loads('mux-subagent', worker)])
    const stoppedBy = async (event: Event) =>
      (await decide(event, context)).decision.reasons.map(({ hook }) => hook)
    expect(await stoppedBy(call('TaskOutput', { task_id: 'x' }))).toEqual(['mux/orchestrator'])
    expect(await stoppedBy(call('TaskOutput', { task_id: 'x' }, worker))).toEqual(['mux/subagent'])
    expect(await stoppedBy(read())).toEqual(['mux/orchestrator'])
    expect(await stoppedBy(read(worker))).toEqual([])
  })

  it('main agent and sub-agent alike: only the scope decides (R-000-08)', async () => {
    const calls = [read, (more: object) => call('TaskOutput', {}, more), (more: object) => bash('ls', more)]
    for (const skill of ['mux', 'mux-subagent']) {
      for (const make of calls) {
        const main = await effects(await contextOf(), [loads(skill), make({})])
        expect(await effects(await contextOf(), [loads(skill, worker), make(worker)])).toEqual(main)
      }
    }
  })

  it('a sub-agent that loaded its own skill by other rules (R-000-05, R-000-39)', async () => {
    const other = { agentId: 'a2', agentType: 'auditor' }
    const events = [
      loads('mux'),
      loads('mux-subagent', worker),
      call('TaskOutput', { task_id: 'x' }, worker),
      call('Skill', { skill: 'pdf' }, worker),
      read(worker),
      bash('npm test && cat log', worker),
      call('TaskOutput', { task_id: 'x' }, other),
      call('Skill', { skill: 'mux-subagent' }, other),
      read(),
    ]
    const expected = ['pass', 'pass', 'deny', 'deny', 'pass', 'pass', 'pass', 'pass', 'deny']
    expect(await effects(await contextOf(), events)).toEqual(expected)
  })

  it('an agent whose skill was typed by the user or belongs to a plugin', async () => {
    const typed = eventOf('UserPromptExpansion', {
      expansion: 'slash_command',
      command: 'mux',
      args: '',
      prompt: '',
    })
    expect(await effects(await contextOf(), [typed, read()])).toEqual(['pass', 'deny'])
    expect(await effects(await contextOf(), [loads('team:mux'), read()])).toEqual(['pass', 'deny'])
  })

  it('each session separately, even with several orchestrations in one project', async () => {
    const context = await contextOf()
    const there = { session: 'other' }
    expect(await effects(context, [loads('mux'), read(there), loads('mux', there), read(there)])).toEqual([
      'pass',
      'pass',
      'pass',
      'deny',
    ])
  })

  it('a nested sub-agent only after it loads a skill itself', async () => {
    const nested = { agentId: 'a9', agentType: 'helper' }
    const events = [
      loads('mux-subagent', worker),
      call('Skill', { skill: 'x' }, nested),
      loads('mux', nested),
      read(nested),
    ]
    expect(await effects(await contextOf(), events)).toEqual(['pass', 'pass', 'pass', 'deny'])
  })

  it.each([
    ['mux', 'mux/orchestrator'],
    ['mux-subagent', 'mux/subagent'],
  ])('an agent with the skill %s: it is denied if anything fails in %s (R-000-62)', async (skill, id) => {
    const harmless = () => call('TaskList', {})
    const context = await contextOf({}, { skills: [skill] })
    expect(await effects(context, [harmless()])).toEqual(['pass'])
    const at = context.engine.hooks.findIndex((hook) => hook.id === id)
    for (const failure of FAILURE_KINDS) {
      const broken = context.engine.runners.with(at, () => ({ failure, message: 'broke' }))
      const engine = { ...context.engine, runners: broken }
      expect([failure, ...(await effects({ ...context, engine }, [harmless()]))]).toEqual([failure, 'deny'])
    }
  })

  it('every agent if it is unknown which agent acts', async () => {
    const lost = {
      read: () => bad('STATE_UNREADABLE', 'gone'),
      commit: () => bad('STATE_UNWRITABLE', 'gone'),
    }
    expect(await effects(await contextOf({}, { state: lost }), [read(), bash('mkdir -p x')])).toEqual([
      'deny',
      'deny',
    ])
  })
})

/** Calls that the lists of the orchestrator allow, of tools that are otherwise forbidden. */
const LISTED_INPUTS: Readonly<Record<string, JsonObject>> = {
  Read: { file_path: '.claude/skills/mux/SKILL.md' },
  Grep: { pattern: 'x', path: '.claude/skills/' },
  Glob: { pattern: '.claude/hooks/*' },
}

describe('the reason of a denial', () => {
  const reasonOf = async (event: Event, options: JsonObject = {}) => {
    const { decision } = await decide(event, await contextOf(options, { skills: ['mux'] }))
    return {
      effect: decision.effect,
      reason: decision.reasons[0]?.text ?? '',
      context: decision.context[0]?.text,
    }
  }

  it.each([
    ['R-000-17', 'Read', { file_path: '/path' }, 'extract-summary.py'],
    ['R-000-18', 'Write', { file_path: '/path' }, 'Delegate via Task()'],
    ['R-000-19', 'Edit', { file_path: '/path' }, 'Delegate via Task()'],
    ['R-000-20', 'NotebookEdit', { notebook_path: '/path' }, 'Delegate via Task()'],
    ['R-000-21', 'Grep', { pattern: 'x', path: 'src' }, 'Delegate via Task()'],
    ['R-000-22', 'Glob', { pattern: 'src/**' }, 'Delegate via Task()'],
    ['R-000-23', 'WebSearch', { query: 'x' }, 'Delegate to researcher'],
    ['R-000-24', 'WebFetch', { url: 'https://example.com' }, 'Delegate to researcher'],
    ['R-000-25', 'TaskOutput', { task_id: 'x' }, 'Use signals'],
    ['R-000-26', 'Skill', { skill: 'pdf' }, 'Context suicide'],
  ])('%s: says that %s is forbidden, then what to do instead', async (_id, tool, input, advice) => {
    const { effect, reason, context } = await reasonOf(call(tool, input))
    expect(effect).toBe('deny')
    expect(reason).toMatch(new RegExp(`^${tool} is forbidden for MUX orchestrator\\. `))
    expect(reason).toContain(advice)
    expect(context).toContain(
      `PROTOCOL VIOLATION: ${tool} is forbidden for MUX orchestrator.\n\nYou must delegate`,
    )
    const allowed = LISTED_INPUTS[tool]
    if (allowed !== undefined) expect((await reasonOf(call(tool, allowed))).effect).toBe('pass')
  })

  it.each([
    ['never', 'pass', ''],
    [{ isOn: true, option: 'mode: "background"' }, 'pass', ''],
    [{ isOn: false, option: 'mode: "background"' }, 'deny', 'Make the call again with mode: "background".'],
  ] as const)(
    'judges the background of an agent in the words of its host',
    async (background, effect, advice) => {
      const tool = { name: 'Agent', hostName: 'task', input: { prompt: 'x' }, background }
      const answer = await reasonOf(eventOf('PreToolUse', { tool }))
      expect(answer.effect).toBe(effect)
      expect(answer.reason).toContain(advice)
    },
  )

  it.each([
    ['.agents/skills/mux/agents/auditor.md', '/srv/project/.agents/skills/mux/agents/auditor.md'],
    ['.claude/skills/mux/agents/auditor.md', '/srv/project/.claude/skills/mux/agents/auditor.md'],
    ['/home/dev/.claude/skills/mux/agents/auditor.md', '/home/dev/.claude/skills/mux/agents/auditor.md'],
  ])('K-28: the template of a refusal names a file that exists: %s', async (named, path) => {
    const event = call('Write', { file_path: 'a.md', content: 'x' })
    const input = { event, actor: actorOf(event), options: {}, memory: {} }
    const answer = await orchestrator.check({
      ...input,
      facts: frozenFacts({ files: { [path]: '# Auditor' } }),
    })
    expect(JSON.stringify(answer)).toContain(`Load the skill mux-subagent. Read ${named}. Analyze`)
    const without = await orchestrator.check({ ...input, facts: frozenFacts() })
    expect(JSON.stringify(without)).toContain('Load the skill mux-subagent. Analyze')
  })

  it('says what is wrong with a command outside the whitelist (R-000-27)', async () => {
    for (const listed of ['mkdir -p tmp/mux', 'uv run tools/session.py x']) {
      expect(await reasonOf(bash(listed))).toMatchObject({ effect: 'pass', reason: '' })
    }
    for (const [command, wrong] of [
      ['mkdir -p x && rm -rf y', 'it is more than one command'],
      ['mkdir -p x > y', 'it redirects'],
      ['cat a', '`cat` is not on the whitelist'],
    ]) {
      const { effect, reason } = await reasonOf(bash(command ?? ''))
      expect([effect, reason]).toEqual(['deny', expect.stringContaining(wrong ?? '')])
      expect(reason).toContain('mkdir -p FOLDER, uv run …/tools/TOOL')
    }
  })

  it.each(['Task', 'Agent'])(
    'says that run_in_background=True is required for an agent started by %s (R-000-28, R-000-56)',
    async (tool) => {
      const starts = (input: JsonObject) => reasonOf(call(tool, { prompt: 'x', ...input }))
      expect(await starts({ run_in_background: true })).toMatchObject({ effect: 'pass', reason: '' })
      const others = [{}, ...[false, 'true', 'True', 1, null].map((value) => ({ run_in_background: value }))]
      for (const input of others) {
        const { effect, reason } = await starts(input)
        expect([input, effect]).toEqual([input, 'deny'])
        expect(reason).toContain('run_in_background=True is required')
      }
    },
  )

  it('a tool on no list asks, or by option is denied or passes', async () => {
    const unknown = () => call('mcp__files__read', {})
    expect((await reasonOf(unknown())).effect).toBe('ask')
    expect((await reasonOf(unknown(), { unknownTool: 'deny' })).effect).toBe('deny')
    expect((await reasonOf(unknown(), { unknownTool: 'allow' })).effect).toBe('pass')
    expect((await reasonOf(unknown(), { allow: ['mcp__files__read'] })).effect).toBe('pass')
  })

  it('an agent without a background setting asks by option, a foreground agent never does', async () => {
    const options = { taskBackground: { missing: 'ask' } }
    expect((await reasonOf(call('Agent', {}), options)).effect).toBe('ask')
    expect((await reasonOf(call('Agent', { run_in_background: false }), options)).effect).toBe('deny')
  })

  it.each([
    [call('Skill', { skill: 'mux-ospec' }), { skillAllow: ['mux-ospec'] }],
    [bash('make report'), { commands: ['make report'] }],
    [bash('uv run scripts/mux/x.py'), { toolRoots: ['scripts/mux'] }],
  ])('additionally allowed by option: %j', async (event, options) => {
    expect((await reasonOf(event)).effect).toBe('deny')
    expect((await reasonOf(event, options)).effect).toBe('pass')
  })

  it('the additional options allow nothing else', async () => {
    expect((await reasonOf(bash('make reports'), { commands: ['make report'] })).effect).toBe('deny')
    expect((await reasonOf(bash('make report; rm x'), { commands: ['make report'] })).effect).toBe('deny')
    expect((await reasonOf(bash('uv run tools/x.py'), { toolRoots: ['scripts/mux'] })).effect).toBe('deny')
    expect((await reasonOf(bash('uv run tools/x.py'), { toolRoots: 'tools' })).effect).toBe('deny')
  })
})

describe('the lists of the orchestrator', () => {
  const reads = (path: string) => call('Read', { file_path: path })
  const greps = (path: string) => call('Grep', { pattern: 'x', path })
  const globs = (pattern: string, path?: string) =>
    call('Glob', { pattern, ...(path === undefined ? {} : { path }) })
  const searches = (folder: string) => ({
    passes: [greps(folder), greps(`${folder}/a`), globs(`${folder}/*`), globs(`${folder}/**/*.md`)].concat(
      globs('**/*.md', folder),
      greps(`/srv/project/${folder}`),
    ),
    stops: [greps('src'), greps('.claude'), greps(`${folder}-old`), greps(`${folder}/../../src`)].concat(
      globs('**/*.md'),
      globs(`${folder}-old/*`),
    ),
  })

  it.each<[string, string, { passes: readonly Event[]; stops: readonly Event[] }]>([
    [
      'R-000-29',
      'Read below .claude/skills/mux/',
      {
        passes: ['SKILL.md', 'agents/auditor.md', 'cookbook/prompts/a.md'].map((name) =>
          reads(`.claude/skills/mux/${name}`),
        ),
        stops: ['other/SKILL.md', 'mux-other/SKILL.md', 'mux/../other/SKILL.md'].map((name) =>
          reads(`.claude/skills/${name}`),
        ),
      },
    ],
    [
      'R-000-30',
      'Read of .claude/skills/mux-subagent.md',
      {
        passes: [reads('.claude/skills/mux-subagent.md'), reads('.claude/skills/mux-subagent/SKILL.md')],
        stops: [reads('.claude/skills/other.md'), reads('docs/mux-subagent.md')],
      },
    ],
    [
      'R-000-31',
      'Read of any path through /signals/',
      {
        passes: [reads('/srv/elsewhere/signals/001.done'), reads('a/signals/b/c.json')],
        stops: [reads('notes/signals'), reads('my-signals/a.done'), reads('a/signals.md')],
      },
    ],
    [
      'R-000-32',
      'Read of tmp/mux/.*/signals/',
      {
        passes: [reads('tmp/mux/20260115-1200-topic/signals/001.done'), reads('tmp/mux/a/b/signals/1.fail')],
        stops: [reads('tmp/mux/20260115-1200-topic/research/a.md'), reads('tmp/mux/a/signals')],
      },
    ],
    ['R-000-33', 'Grep and Glob below .claude/skills/', searches('.claude/skills')],
    ['R-000-34', 'Grep and Glob below .claude/hooks/', searches('.claude/hooks')],
    [
      'R-000-35',
      'commands that begin with mkdir -p',
      {
        passes: ['mkdir -p tmp/mux/x', 'mkdir   -p  a b', 'mkdir\t-p a'].map((text) => bash(text)),
        stops: ['mkdir a', 'mkdir -p', 'echo mkdir -p a', 'sudo mkdir -p a', 'xmkdir -p a'].map((text) =>
          bash(text),
        ),
      },
    ],
    [
      'R-000-36',
      'commands that begin with uv run …tools/',
      {
        passes: ['uv run tools/a.py x', 'uv  run   scripts/deep/tools/a.py', 'uv run -q tools/sub/a.py'].map(
          (text) => bash(text),
        ),
        stops: ['uv run a.py', 'uv run mytools/a.py', 'uv pip install tools/a', 'echo uv run tools/a.py'].map(
          (text) => bash(text),
        ),
      },
    ],
    [
      'R-000-37',
      'commands that begin with uv run .claude/skills/mux/tools/',
      {
        passes: [
          'uv run .claude/skills/mux/tools/session.py topic',
          'uv  run\t.claude/skills/mux/tools/deep/a.py',
        ].map((text) => bash(text)),
        stops: [
          'uv run .claude/skills/mux/session.py',
          'uv run .claude/skills/mux/tools/../session.py',
          'echo uv run .claude/skills/mux/tools/session.py',
          'python3 .claude/skills/mux/tools/session.py',
        ].map((text) => bash(text)),
      },
    ],
  ])('%s: %s', async (_id, _what, { passes, stops }) => {
    const judged = async (events: readonly Event[]) =>
      effects(await contextOf({}, { skills: ['mux'] }), events)
    expect(await judged(passes)).toEqual(passes.map(() => 'pass'))
    expect(await judged(stops)).toEqual(stops.map(() => 'deny'))
  })
})

describe('the hard rules of MUX', () => {
  const foreground = { prompt: 'x', run_in_background: false }

  it.each<[string, string, readonly [string, JsonObject][], readonly string[]]>([
    ['R-000-51', 'Read', [['Read', { file_path: 'src/main.ts' }]], ['mux']],
    [
      'R-000-52',
      'Write and Edit',
      [
        ['Write', { file_path: 'a.md', content: 'x' }],
        ['Edit', { file_path: 'a.md', old_string: 'a', new_string: 'b' }],
      ],
      ['mux'],
    ],
    [
      'R-000-53',
      'Grep and Glob',
      [
        ['Grep', { pattern: 'x', path: 'src' }],
        ['Glob', { pattern: 'src/**' }],
      ],
      ['mux'],
    ],
    ['R-000-54', 'TaskOutput', [['TaskOutput', { task_id: 'a1' }]], ['mux', 'mux-subagent']],
    ['R-000-55', 'Bash outside of the whitelist', [['Bash', { command: 'npm test' }]], ['mux']],
    ['R-000-56', 'Task in the foreground', [['Task', foreground]], ['mux']],
    ['R-000-57', 'Skill', [['Skill', { skill: 'pdf' }]], ['mux', 'mux-subagent']],
  ])('%s: %s is denied in its roles, and in no other role', async (_id, _what, calls, roles) => {
    for (const [tool, input] of calls) {
      const judged = async (skills: readonly string[]) =>
        effects(await contextOf({}, { skills }), [call(tool, input)])
      expect(await judged([])).toEqual(['pass'])
      for (const role of ['mux', 'mux-subagent']) {
        expect([role, ...(await judged([role]))]).toEqual([role, roles.includes(role) ? 'deny' : 'pass'])
      }
    }
  })
})

describe('the rules for a sub-agent that loaded its skill', () => {
  const judge = async (tool: string, input: JsonObject) => {
    const context = await contextOf()
    await effects(context, [loads('mux'), loads('mux-subagent', worker)])
    const { decision } = await decide(call(tool, input, worker), context)
    return { effect: decision.effect, reason: decision.reasons.map(({ text }) => text).join() }
  }

  it.each([
    ['R-000-40', 'TaskOutput', { task_id: 'a1' }, 'Use signal files'],
    ['R-000-41', 'Skill', { skill: 'pdf' }, 'no additional skills after mux-subagent'],
  ])('%s: says that %s is forbidden, then what to do instead', async (_id, tool, input, advice) => {
    const { effect, reason } = await judge(tool, input)
    expect(effect).toBe('deny')
    expect(reason).toMatch(new RegExp(`^${tool} is forbidden for MUX sub-agents\\.`))
    expect(reason).toContain(advice)
  })

  /** Everything that is denied to an orchestrator, everything it may use, and tools that are on no list. */
  it.each<[string, JsonObject]>([
    ['Read', { file_path: 'src/main.ts' }],
    ['Write', { file_path: 'a.md', content: 'x' }],
    ['Edit', { file_path: 'a.md', old_string: 'a', new_string: 'b' }],
    ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x' }],
    ['Grep', { pattern: 'x' }],
    ['Glob', { pattern: '**/*.ts' }],
    ['WebSearch', { query: 'x' }],
    ['WebFetch', { url: 'https://example.com' }],
    ['Bash', { command: 'npm test && cat log | head' }],
    ['Task', { prompt: 'x' }],
    ['Agent', { prompt: 'x', run_in_background: false }],
    ['TaskStop', { task_id: 'a1' }],
    ['TaskCreate', { subject: 'x' }],
    ['AskUserQuestion', { questions: [] }],
    ['mcp__files__read', { path: 'a' }],
    ['SomethingNew', {}],
  ])('everything else is allowed: %s (R-000-42)', async (tool, input) => {
    expect(await judge(tool, input)).toEqual({ effect: 'pass', reason: '' })
  })
})

describe('links in paths of MUX calls', () => {
  const ask = async (event: Event) => {
    const facts = liveFacts({ cwd: folder, home: join(folder, 'home'), project: folder, env: {} })
    return (await decide(event, await contextOf({}, { skills: ['mux'], facts }))).decision.effect
  }
  const at = (path: string, text = 'x') => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const reads = (path: string) => ask(call('Read', { file_path: join(folder, path) }))

  it('are followed: out of an allowed folder, or into one', async () => {
    at('secret.txt')
    at('.claude/skills/mux/SKILL.md')
    at('s/.signals/a.done')
    symlinkSync(join(folder, 'secret.txt'), join(folder, '.claude/skills/mux/link.md'))
    symlinkSync(join(folder, 'secret.txt'), join(folder, 's/.signals/b.done'))
    symlinkSync(join(folder, 's'), join(folder, 'signals'))
    symlinkSync(join(folder, '.claude/skills/mux'), join(folder, 'docs'))
    expect(await reads('.claude/skills/mux/SKILL.md')).toBe('pass')
    expect(await reads('s/.signals/a.done')).toBe('pass')
    expect(await reads('.claude/skills/mux/link.md')).toBe('deny')
    expect(await reads('s/.signals/b.done')).toBe('deny')
    expect(await reads('signals/a.md')).toBe('deny')
    expect(await reads('docs/SKILL.md')).toBe('pass')
  })

  it('are resolved before `..` as the system does, and after it as programs do', async () => {
    at('elsewhere/deep/x.md')
    at('elsewhere/secret.md')
    at('.claude/skills/mux/secret.md')
    symlinkSync(join(folder, 'elsewhere/deep'), join(folder, '.claude/skills/mux/deep'))
    expect(await reads('.claude/skills/mux/deep/../secret.md')).toBe('pass')
    expect(await ask(call('Read', { file_path: '.claude/skills/mux/deep/../secret.md' }))).toBe('deny')
    expect(await ask(call('Read', { file_path: '.claude/skills/mux/x/../secret.md' }))).toBe('pass')
  })

  it('may be the skill itself, stored elsewhere', async () => {
    at('shared/mux/agents/auditor.md')
    at('shared/mux/tools/session.py')
    mkdirSync(join(folder, '.claude/skills'), { recursive: true })
    symlinkSync(join(folder, 'shared/mux'), join(folder, '.claude/skills/mux'))
    expect(await reads('.claude/skills/mux/agents/auditor.md')).toBe('pass')
    expect(await ask(bash('uv run .claude/skills/mux/tools/session.py x'))).toBe('pass')
  })

  it('do not turn another file into a tool', async () => {
    at('evil.py')
    at('tools/session.py')
    symlinkSync(join(folder, 'evil.py'), join(folder, 'tools/verify.py'))
    expect(await ask(bash('uv run tools/session.py x'))).toBe('pass')
    expect(await ask(bash('uv run tools/verify.py x'))).toBe('deny')
  })
})

describe('polling by an orchestrator', () => {
  const verify = 'holdpoint mux verify tmp/mux/x'

  it('is the same command again, by the same agent in the same session (R-001-24)', async () => {
    const context = await contextOf()
    const there = { session: 'other' }
    const events = [
      loads('mux'),
      bash(verify),
      bash(`  ${verify}`),
      bash(`${verify} --json`),
      loads('mux', there),
      bash(verify, there),
    ]
    expect(await effects(context, events)).toEqual(['pass', 'pass', 'deny', 'pass', 'pass', 'pass'])
  })

  it('counts only calls that passed, and counts a second delivery once', async () => {
    const context = await contextOf()
    const first = bash(verify)
    const chained = `${verify} && true`
    const events = [loads('mux'), bash(chained), bash(chained), first, first, bash(verify)]
    expect(await effects(context, events)).toEqual(['pass', 'deny', 'deny', 'pass', 'pass', 'deny'])
    const { decision } = await decide(bash(chained), context)
    expect(decision.reasons.map(({ hook }) => hook)).toEqual(['mux/orchestrator'])
  })

  it('is named in the reason', async () => {
    const context = await contextOf({}, { skills: ['mux'] })
    await decide(bash(verify), context)
    expect((await decide(bash(verify), context)).decision.reasons[0]?.text).toMatch(/^POLLING DETECTED: /)
  })

  it('depends on tool, arguments and history; only a shell can poll (R-001-25)', () => {
    const facts = frozenFacts()
    expect(detectPolling('Bash', { command: 'ls' }, ['ls'], facts)).toBe(true)
    expect(detectPolling('Bash', { command: 'ls ' }, ['ls'], facts)).toBe(true)
    expect(detectPolling('Bash', { command: 'ls -a' }, ['ls'], facts)).toBe(false)
    expect(detectPolling('Bash', {}, [''], facts)).toBe(false)
    expect(detectPolling('Read', { command: 'ls' }, ['ls'], facts)).toBe(false)
  })
})

describe('an optional watchdog', () => {
  it('may check an agent that does not report, after some time, without waiting, and only now and then', async () => {
    let minutes = 0
    const facts = frozenFacts({ now: () => new Date(1_700_000_000_000 + minutes * 60_000) })
    const context = await contextOf(
      { watchdog: { afterMinutes: 10, everyMinutes: 5 } },
      { skills: ['mux'], facts },
    )
    const look = (block: boolean, task = 'a1') => call('TaskOutput', { task_id: task, block })
    const at = async (minute: number, event: Event) => {
      minutes = minute
      return (await decide(event, context)).decision.effect
    }
    expect(await at(0, look(false))).toBe('deny')
    expect(await at(0, call('Agent', { run_in_background: true }))).toBe('pass')
    expect(await at(9, look(false))).toBe('deny')
    expect(await at(11, look(true))).toBe('deny')
    expect(await at(11, look(false))).toBe('pass')
    expect(await at(12, look(false))).toBe('deny')
    expect(await at(12, look(false, 'a2'))).toBe('pass')
    expect(await at(17, look(false))).toBe('pass')
  })
})

describe('the soft rules of MUX (R-000-58, R-000-59, R-000-60)', () => {
  const end = (lastMessage: string) =>
    eventOf('SubagentStop', { ...worker, stopHookActive: false, lastMessage })
  const signal = 'holdpoint mux signal tmp/mux/x/001 --path r.md --status success'

  async function played(options: JsonObject, lastMessage: string, files: Readonly<Record<string, string>>) {
    const context = await contextOf(options, { facts: frozenFacts({ files }) })
    await effects(context, [loads('mux-subagent', worker), done('Bash', { command: signal }, worker)])
    return (await decide(end(lastMessage), context)).decision
  }
  const report = '# Table of Contents\n# Executive Summary\n# Next Steps\n'
  const files = {
    '/srv/project/tmp/mux/x/.signals/001.done': `path: r.md\nsize: ${report.length}\nstatus: success\n`,
    '/srv/project/r.md': report,
  }

  it('are shown to the user and hold no agent by default', async () => {
    const decision = await played({}, 'All done, here is what I found.', {})
    expect(decision.effect).toBe('pass')
    expect(decision.notices).toEqual([
      'MUX: Your last message must be exactly 0.',
      expect.stringContaining('There is no signal'),
    ])
  })

  it('hold an agent by option, until the rules are met', async () => {
    const held = await played({ enforce: true }, 'All done.', {})
    expect(held).toMatchObject({ effect: 'deny' })
    expect(held.reasons[0]?.text).toContain('- Your last message must be exactly 0.')
    expect(await played({ enforce: true }, '0', files)).toMatchObject({ effect: 'pass', notices: [] })
  })

  it('recognize a signal in the output of the tool if the command named it by a variable', async () => {
    const context = await contextOf({ enforce: true }, { facts: frozenFacts({ files }) })
    const command = 'S=$(cat where); holdpoint mux signal "$S/.signals/001.done" --path "$S/r.md"'
    const output = { stdout: 'SIGNAL=tmp/mux/x/.signals/001.done\n' }
    const events = [loads('mux-subagent', worker), done('Bash', { command }, { ...worker, output }), end('0')]
    expect(await effects(context, events)).toEqual(['pass', 'pass', 'pass'])
  })

  it('do not apply to an agent that never loaded the skill', async () => {
    const context = await contextOf({ enforce: true })
    expect(await effects(context, [end('All done.')])).toEqual(['pass'])
  })
})
