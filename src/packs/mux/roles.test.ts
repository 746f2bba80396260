import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decide } from '../../decide.ts'
import type { Desk } from '../../desk.ts'
import { createEngine } from '../../engine.ts'
import { bad, good } from '../../errors.ts'
import type { Event } from '../../event.ts'
import { ALL_ABILITIES } from '../../hosts/host.ts'
import type { JsonObject } from '../../json.ts'
import { detectPolling } from '../../orchestrator/polling.ts'
import { buildPlan } from '../../plan.ts'
import { createMemoryState } from '../../state/memory-state.ts'
import { eventOf, frozenFacts } from '../../testing/events.ts'
import { liveFacts } from '../../world/live-facts.ts'
import type { Pack } from '../guard.ts'
import { pack } from './pack.ts'

/** Whole sessions on the pack alone: who is judged, when, and by what was let through before. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-mux-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function deskOf(options: JsonObject = {}, more: Partial<Desk> = {}, packs: readonly Pack[] = [pack]) {
  const origin = { file: 'test' }
  const entries = packs.map(({ id }) => ({ pack: id, options, origin }))
  const base = { rank: 'user', file: 'test', trusted: true, hooks: [], settings: {}, problems: [] } as const
  const plan = buildPlan([{ ...base, packs: entries }], new Map(packs.map((each) => [each.id, each])))
  let ids = 0
  const desk: Desk = {
    engine: await createEngine(plan),
    state: createMemoryState(),
    facts: frozenFacts(),
    can: ALL_ABILITIES,
    deliversTwice: false,
    stopBlocksMax: 3,
    skills: [],
    now: () => performance.now(),
    newId: () => `id-${(ids += 1)}`,
    hash: async (text) => text,
    applyFiles: () => good(undefined),
    ...more,
  }
  return desk
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

async function effects(desk: Desk, events: readonly Event[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const event of events) found.push((await decide(event, desk)).decision.effect)
  return found
}
const worker = { agentId: 'a1', agentType: 'researcher' }

describe('who is judged', () => {
  it('is whoever loaded the skill, from then on, and no sub-agent of it (R-000-04, R-000-06, R-000-08, R-001-26)', async () => {
    const events = [read(), loads('mux'), read(), read(worker), call('TaskOutput', {}, worker)]
    expect(await effects(await deskOf(), events)).toEqual(['pass', 'pass', 'deny', 'pass', 'pass'])
  })

  it('is by other rules a sub-agent that loaded its own (R-000-05, R-000-39, R-000-40, R-000-41, R-000-42)', async () => {
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
    expect(await effects(await deskOf(), events)).toEqual(expected)
  })

  it('is a typed skill and one of a plugin too', async () => {
    const typed = eventOf('UserPromptExpansion', {
      expansion: 'slash_command',
      command: 'mux',
      args: '',
      prompt: '',
    })
    expect(await effects(await deskOf(), [typed, read()])).toEqual(['pass', 'deny'])
    expect(await effects(await deskOf(), [loads('team:mux'), read()])).toEqual(['pass', 'deny'])
  })

  it('is a session of its own, also with several orchestrations in one project', async () => {
    const desk = await deskOf()
    const there = { session: 'other' }
    expect(await effects(desk, [loads('mux'), read(there), loads('mux', there), read(there)])).toEqual([
      'pass',
      'pass',
      'pass',
      'deny',
    ])
  })

  it('is a nested sub-agent only once it loads a skill itself', async () => {
    const nested = { agentId: 'a9', agentType: 'helper' }
    const events = [
      loads('mux-subagent', worker),
      call('Skill', { skill: 'x' }, nested),
      loads('mux', nested),
      read(nested),
    ]
    expect(await effects(await deskOf(), events)).toEqual(['pass', 'pass', 'pass', 'deny'])
  })

  it('is everybody when nobody can tell who it is (R-000-62)', async () => {
    const lost = {
      read: () => bad('STATE_UNREADABLE', 'gone'),
      commit: () => bad('STATE_UNWRITABLE', 'gone'),
    }
    expect(await effects(await deskOf({}, { state: lost }), [read(), bash('mkdir -p x')])).toEqual([
      'deny',
      'deny',
    ])
  })
})

describe('what a stop says', () => {
  const reasonOf = async (event: Event, options: JsonObject = {}) => {
    const { decision } = await decide(event, await deskOf(options, { skills: ['mux'] }))
    return {
      effect: decision.effect,
      reason: decision.reasons[0]?.text ?? '',
      context: decision.context[0]?.text,
    }
  }

  it.each([
    // R-000-17, R-000-51
    ['Read', { file_path: '/path' }, 'extract-summary'],
    // R-000-18, R-000-19, R-000-20, R-000-52
    ['Write', { file_path: '/path' }, 'Delegate via Task()'],
    ['Edit', { file_path: '/path' }, 'Delegate via Task()'],
    ['NotebookEdit', { notebook_path: '/path' }, 'Delegate via Task()'],
    // R-000-21, R-000-22, R-000-53
    ['Grep', { pattern: 'x', path: 'src' }, 'Delegate via Task()'],
    ['Glob', { pattern: 'src/**' }, 'Delegate via Task()'],
    // R-000-23, R-000-24
    ['WebSearch', { query: 'x' }, 'Delegate to researcher'],
    ['WebFetch', { url: 'https://example.com' }, 'Delegate to researcher'],
    // R-000-25, R-000-54
    ['TaskOutput', { task_id: 'x' }, 'Use signals'],
    // R-000-26, R-000-57
    ['Skill', { skill: 'pdf' }, 'Context suicide'],
  ])('%s: the tool first, then what to do instead', async (tool, input, advice) => {
    const { effect, reason, context } = await reasonOf(call(tool, input))
    expect(effect).toBe('deny')
    expect(reason).toMatch(new RegExp(`^${tool} is forbidden for MUX orchestrator\\. `))
    expect(reason).toContain(advice)
    expect(context).toContain(
      `PROTOCOL VIOLATION: ${tool} is forbidden for MUX orchestrator.\n\nYou must delegate`,
    )
  })

  it.each([
    // R-000-29, R-000-30, R-000-31, R-000-32, R-000-33, R-000-34: what its lists let through.
    call('Read', { file_path: '.claude/skills/mux/agents/auditor.md' }),
    call('Read', { file_path: '.claude/skills/mux-subagent.md' }),
    call('Read', { file_path: '/srv/elsewhere/signals/001.done' }),
    call('Read', { file_path: 'tmp/mux/20260115-1200-topic/signals/001.done' }),
    call('Grep', { pattern: 'x', path: '.claude/skills/' }),
    call('Glob', { pattern: '.claude/hooks/*' }),
  ])('nothing where the lists of its skill let it through: $tool', async (event) => {
    expect(await reasonOf(event)).toMatchObject({ effect: 'pass', reason: '' })
  })

  it('of a command what is wrong with it (R-000-27, R-000-35, R-000-55)', async () => {
    expect((await reasonOf(bash('mkdir -p x && rm -rf y'))).reason).toContain('it is more than one command')
    expect((await reasonOf(bash('mkdir -p x > y'))).reason).toContain('it redirects')
    expect((await reasonOf(bash('cat a'))).reason).toContain('`cat` is not on it')
  })

  it('of an agent how to start it (R-000-28, R-000-56)', async () => {
    const { reason } = await reasonOf(call('Agent', { prompt: 'x' }))
    expect(reason).toContain('run_in_background=True is required')
  })

  it('asks about a tool on no list, by choice denies or lets it be', async () => {
    const unknown = () => call('mcp__files__read', {})
    expect((await reasonOf(unknown())).effect).toBe('ask')
    expect((await reasonOf(unknown(), { unknownTool: 'deny' })).effect).toBe('deny')
    expect((await reasonOf(unknown(), { unknownTool: 'allow' })).effect).toBe('pass')
    expect((await reasonOf(unknown(), { allow: ['mcp__files__read'] })).effect).toBe('pass')
  })

  it('asks about an agent of unsaid background by choice, never about a foreground one', async () => {
    const options = { taskBackground: { missing: 'ask' } }
    expect((await reasonOf(call('Agent', {}), options)).effect).toBe('ask')
    expect((await reasonOf(call('Agent', { run_in_background: false }), options)).effect).toBe('deny')
  })

  it.each([
    [call('Skill', { skill: 'mux-ospec' }), { skillAllow: ['mux-ospec'] }],
    [bash('make report'), { commands: ['make report'] }],
    [bash('uv run scripts/mux/x.py'), { toolRoots: ['scripts/mux'] }],
  ])('lets pass what is allowed beside: %j', async (event, options) => {
    expect((await reasonOf(event)).effect).toBe('deny')
    expect((await reasonOf(event, options)).effect).toBe('pass')
  })

  it('does not stretch what is allowed beside', async () => {
    expect((await reasonOf(bash('make reports'), { commands: ['make report'] })).effect).toBe('deny')
    expect((await reasonOf(bash('make report; rm x'), { commands: ['make report'] })).effect).toBe('deny')
    expect((await reasonOf(bash('uv run tools/x.py'), { toolRoots: ['scripts/mux'] })).effect).toBe('deny')
    expect((await reasonOf(bash('uv run tools/x.py'), { toolRoots: 'tools' })).effect).toBe('deny')
  })
})

describe('links', () => {
  const ask = async (event: Event) => {
    const facts = liveFacts({ cwd: folder, home: join(folder, 'home'), project: folder, env: {} })
    return (await decide(event, await deskOf({}, { skills: ['mux'], facts }))).decision.effect
  }
  const at = (path: string, text = 'x') => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const reads = (path: string) => ask(call('Read', { file_path: join(folder, path) }))

  it('lead where they lead: out of a folder that may be read, or into one (R-000-29, R-000-31)', async () => {
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

  it('are left by the way up as the system does, and as programs do', async () => {
    at('elsewhere/deep/x.md')
    at('elsewhere/secret.md')
    at('.claude/skills/mux/secret.md')
    symlinkSync(join(folder, 'elsewhere/deep'), join(folder, '.claude/skills/mux/deep'))
    expect(await reads('.claude/skills/mux/deep/../secret.md')).toBe('pass')
    expect(await ask(call('Read', { file_path: '.claude/skills/mux/deep/../secret.md' }))).toBe('deny')
    expect(await ask(call('Read', { file_path: '.claude/skills/mux/x/../secret.md' }))).toBe('pass')
  })

  it('may be the skill itself, kept elsewhere', async () => {
    at('shared/mux/agents/auditor.md')
    at('shared/mux/tools/session.py')
    mkdirSync(join(folder, '.claude/skills'), { recursive: true })
    symlinkSync(join(folder, 'shared/mux'), join(folder, '.claude/skills/mux'))
    expect(await reads('.claude/skills/mux/agents/auditor.md')).toBe('pass')
    expect(await ask(bash('uv run .claude/skills/mux/tools/session.py x'))).toBe('pass')
  })

  it('do not make a tool of another file (R-000-36, R-000-37)', async () => {
    at('evil.py')
    at('tools/session.py')
    symlinkSync(join(folder, 'evil.py'), join(folder, 'tools/verify.py'))
    expect(await ask(bash('uv run tools/session.py x'))).toBe('pass')
    expect(await ask(bash('uv run tools/verify.py x'))).toBe('deny')
  })
})

describe('polling', () => {
  const verify = 'holdpoint mux verify tmp/mux/x'

  it('is the same command again, of the same agent in the same session (R-001-24)', async () => {
    const desk = await deskOf()
    const there = { session: 'other' }
    const events = [
      loads('mux'),
      bash(verify),
      bash(`  ${verify}`),
      bash(`${verify} --json`),
      loads('mux', there),
      bash(verify, there),
    ]
    expect(await effects(desk, events)).toEqual(['pass', 'pass', 'deny', 'pass', 'pass', 'pass'])
  })

  it('counts only what was let through, and a second delivery once', async () => {
    const desk = await deskOf()
    const first = bash(verify)
    const chained = `${verify} && true`
    const events = [loads('mux'), bash(chained), bash(chained), first, first, bash(verify)]
    expect(await effects(desk, events)).toEqual(['pass', 'deny', 'deny', 'pass', 'pass', 'deny'])
    const { decision } = await decide(bash(chained), desk)
    expect(decision.reasons.map(({ hook }) => hook)).toEqual(['mux/orchestrator'])
  })

  it('says so', async () => {
    const desk = await deskOf({}, { skills: ['mux'] })
    await decide(bash(verify), desk)
    expect((await decide(bash(verify), desk)).decision.reasons[0]?.text).toMatch(/^POLLING DETECTED: /)
  })

  it('is a question of tool, arguments and history; only a shell can poll (R-001-25)', () => {
    const facts = frozenFacts()
    expect(detectPolling('Bash', { command: 'ls' }, ['ls'], facts)).toBe(true)
    expect(detectPolling('Bash', { command: 'ls ' }, ['ls'], facts)).toBe(true)
    expect(detectPolling('Bash', { command: 'ls -a' }, ['ls'], facts)).toBe(false)
    expect(detectPolling('Bash', {}, [''], facts)).toBe(false)
    expect(detectPolling('Read', { command: 'ls' }, ['ls'], facts)).toBe(false)
  })
})

describe('a watchdog, where one is wanted', () => {
  it('may look after a silent agent, late, without waiting, and once in a while', async () => {
    let minutes = 0
    const facts = frozenFacts({ now: () => new Date(1_700_000_000_000 + minutes * 60_000) })
    const desk = await deskOf({ watchdog: { afterMinutes: 10, everyMinutes: 5 } }, { skills: ['mux'], facts })
    const look = (block: boolean, task = 'a1') => call('TaskOutput', { task_id: task, block })
    const at = async (minute: number, event: Event) => {
      minutes = minute
      return (await decide(event, desk)).decision.effect
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

describe('the soft rules (R-000-58, R-000-59, R-000-60)', () => {
  const end = (lastMessage: string) =>
    eventOf('SubagentStop', { ...worker, stopHookActive: false, lastMessage })
  const signal = 'holdpoint mux signal tmp/mux/x/001 --path r.md --status success'

  async function played(options: JsonObject, lastMessage: string, files: Readonly<Record<string, string>>) {
    const desk = await deskOf(options, { facts: frozenFacts({ files }) })
    await effects(desk, [loads('mux-subagent', worker), done('Bash', { command: signal }, worker)])
    return (await decide(end(lastMessage), desk)).decision
  }
  const report = '# Table of Contents\n# Executive Summary\n# Next Steps\n'
  const files = {
    '/srv/project/tmp/mux/x/.signals/001.done': `path: r.md\nsize: ${report.length}\nstatus: success\n`,
    '/srv/project/r.md': report,
  }

  it('are told to a person, and hold nobody', async () => {
    const decision = await played({}, 'All done, here is what I found.', {})
    expect(decision.effect).toBe('pass')
    expect(decision.notices).toEqual([
      'MUX: Your last message must be exactly 0.',
      expect.stringContaining('There is no signal'),
    ])
  })

  it('hold an agent where that is wanted, and let it go when they are kept', async () => {
    const held = await played({ enforce: true }, 'All done.', {})
    expect(held).toMatchObject({ effect: 'deny' })
    expect(held.reasons[0]?.text).toContain('- Your last message must be exactly 0.')
    expect(await played({ enforce: true }, '0', files)).toMatchObject({ effect: 'pass', notices: [] })
  })

  it('know a signal by what the tool printed, when the command named it by a variable', async () => {
    const desk = await deskOf({ enforce: true }, { facts: frozenFacts({ files }) })
    const command = 'S=$(cat where); holdpoint mux signal "$S/.signals/001.done" --path "$S/r.md"'
    const output = { stdout: 'SIGNAL=tmp/mux/x/.signals/001.done\n' }
    const events = [loads('mux-subagent', worker), done('Bash', { command }, { ...worker, output }), end('0')]
    expect(await effects(desk, events)).toEqual(['pass', 'pass', 'pass'])
  })

  it('ask nothing of an agent that never loaded the skill', async () => {
    const desk = await deskOf({ enforce: true })
    expect(await effects(desk, [end('All done.')])).toEqual(['pass'])
  })
})
