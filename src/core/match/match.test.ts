import { describe, expect, it } from 'vitest'
import { actorOf, bash, eventOf, toolCall } from '../../library/testing/events.ts'
import { hookOf, planOf } from '../../library/testing/hooks.ts'
import type { Actor } from '../actor.ts'
import type { Event } from '../event.ts'
import type { Hook, Matcher } from '../hook.ts'
import type { JsonObject } from '../json.ts'
import { createMatcher } from './match.ts'
import { parsePattern } from './pattern.ts'
import { checkRegex, linearEngine } from './regex.ts'

function pattern(text: string) {
  const parsed = parsePattern(text, 'auto', checkRegex)
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return parsed.value
}
const subject = (text: string): Matcher => {
  const parsed = pattern(text)
  return parsed === undefined ? {} : { subject: parsed }
}

function matching(
  hooks: readonly Partial<Hook>[],
  event: Event,
  actor: Actor = actorOf(event),
): readonly number[] {
  const plan = planOf(hooks.map(hookOf))
  return createMatcher(plan, linearEngine)(event, actor)
}

const NAMED = (...names: readonly string[]) => ({ kind: 'names', names }) as const
const IN_AGENT = bash('ls', { agentId: 'a1', agentType: 'w' })

describe('match', () => {
  it('leaves out the agents that override the hook', () => {
    const hook = { actor: { exceptAgents: [pattern('writer') ?? { kind: 'never' }] } } as const
    const by = (agentType: string) => bash('ls', { agentId: 'a', agentType })
    expect(matching([hook], by('writer'))).toEqual([])
    expect(matching([hook], by('reader'))).toEqual([0])
    expect(matching([hook], bash('ls'))).toEqual([0])
  })

  it('leaves out the host that runs the entry itself', () => {
    const hook = { match: { exceptHost: 'claude-code' } } as const
    expect(matching([hook], bash('ls', { host: 'claude-code' }))).toEqual([])
    expect(matching([hook], bash('ls', { host: 'codex' }))).toEqual([0])
  })

  it.each<[string, Event, boolean]>([
    ['Bash', bash('ls'), true],
    ['Bash|Read', toolCall('Read', {}), true],
    ['bash', bash('ls'), false],
    ['Ba', bash('ls'), false],
    ['*', bash('ls'), true],
    ['mcp__*', toolCall('mcp__files__read', {}), true],
    ['^mcp__(files|web)__', toolCall('mcp__web__get', {}), true],
    ['Edit.*', toolCall('NotebookEdit', {}), true],
    ['Task', toolCall('Agent', {}), true],
    ['Task', toolCall('TaskOutput', {}), false],
    ['startup', eventOf('SessionStart', { source: 'startup' }), true],
    ['startup', eventOf('SessionStart', { source: 'resume' }), false],
    ['*-writer', eventOf('SubagentStop', { agentId: 'a', agentType: 'spec-writer' }), true],
    ['__proto__', bash('ls'), false],
    ['constructor', toolCall('constructor', {}), true],
    ['Bash', toolCall('toString', {}), false],
  ])('%s on %o is %s', (text, event, expected) => {
    expect(matching([{ on: event.kind, match: subject(text) }], event)).toEqual(expected ? [0] : [])
  })

  it('keeps plan order however a hook matched', () => {
    const hooks = ['Ba.*h', 'Bash', '*', 'Read', 'Bash'].map((text) => ({ match: subject(text) }))
    expect(matching(hooks, bash('ls'))).toEqual([0, 1, 2, 4])
  })

  it('joins the keys of an object matcher with AND (R-002-35)', () => {
    const match: Matcher = {
      ...{ toolName: pattern('Bash') ?? { kind: 'never' } },
      agentType: pattern('*-agent') ?? { kind: 'never' },
    }
    const inAgent = (agentType: string) => bash('ls', { agentId: 'a', agentType })
    expect(matching([{ match }], inAgent('test-agent'))).toEqual([0])
    expect(matching([{ match }], inAgent('writer'))).toEqual([])
    expect(matching([{ match }], toolCall('Read', {}, { agentId: 'a', agentType: 'test-agent' }))).toEqual([])
    expect(
      matching(
        [{ match: { source: pattern('compact') ?? { kind: 'never' } }, on: 'SessionStart' }],
        eventOf('SessionStart', { source: 'compact' }),
      ),
    ).toEqual([0])
    expect(
      matching(
        [{ match: { trigger: pattern('auto') ?? { kind: 'never' } }, on: 'PreCompact' }],
        eventOf('PreCompact', { trigger: 'manual' }),
      ),
    ).toEqual([])
  })

  it('scopes to a role, an agent type and a skill', () => {
    const event = bash('ls')
    const main = actorOf(event)
    expect(matching([{ actor: { role: 'subagent' } }], event, main)).toEqual([])
    expect(matching([{ actor: { role: 'main' } }], event, main)).toEqual([0])
    expect(matching([{ actor: { skill: 'mux' } }], event, main)).toEqual([])
    expect(matching([{ actor: { skill: 'mux' } }], event, { ...main, skills: ['mux'] })).toEqual([0])
    expect(
      matching([{ match: { skill: pattern('mux*') ?? { kind: 'never' } } }], event, {
        ...main,
        skills: ['mux-sub'],
      }),
    ).toEqual([0])
  })

  it('runs a scoped hook if the scope is unknown', () => {
    const event = bash('ls')
    expect(matching([{ actor: { skill: 'mux' } }], event, { ...actorOf(event), scopeKnown: false })).toEqual([
      0,
    ])
  })

  it('gives the same answer from the cache, also for more names than it can hold', () => {
    const plan = planOf([hookOf({ match: subject('Tool1.*') })])
    const match = createMatcher(plan, linearEngine)
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 5_000; i += 1) {
        const event = toolCall(`Tool${i}`, {})
        expect(match(event, actorOf(event)).length === 1).toBe(String(i).startsWith('1'))
      }
    }
  })

  it('remembers lists, so that what follows from them is computed once', () => {
    const plan = planOf([hookOf({}), hookOf({ actor: { role: 'main' } }), hookOf({ actor: { skill: 's' } })])
    const match = createMatcher(plan, linearEngine)
    const call = bash('ls')
    const list = (more: Partial<Actor>) => match(call, actorOf(call, more))
    expect(list({ skills: ['s'] })).toEqual([0, 1, 2])
    expect(list({ skills: ['s'] })).toBe(list({ skills: ['s', 't'] }))
    expect(list({})).toEqual([0, 1])
    expect(list({})).toBe(list({}))
    // Another list than the one without the other hook.
    expect(list({ role: 'subagent' })).toEqual([0])
    expect(list({ role: 'subagent', skills: ['s'] })).toEqual([0, 2])
  })

  it('asks hooks for a shell about every tool that runs commands, and no others', () => {
    const shell: Partial<Hook> = {
      match: { subject: { kind: 'names', names: ['Bash'] }, orRunsCommands: true },
    }
    const plain: Partial<Hook> = { match: { subject: { kind: 'names', names: ['Bash'] } } }
    const powershell = toolCall('PowerShell', { command: 'ls' })
    expect(matching([shell, plain], bash('ls'))).toEqual([0, 1])
    expect(matching([shell, plain], powershell)).toEqual([0])
    expect(matching([shell, plain], toolCall('Read', {}))).toEqual([])
    const match = createMatcher(planOf([hookOf(shell), hookOf({})]), linearEngine)
    // The same name, once with a command and once without.
    const named = (input: JsonObject) => {
      const event = toolCall('mcp__desktop__run_shell_command', input)
      return match(event, actorOf(event))
    }
    expect([named({ command: 'ls' }), named({}), named({ command: 'ls' })]).toEqual([[0, 1], [1], [0, 1]])
  })

  it.each<[string, Partial<Hook>, Event, Partial<Actor>, boolean]>([
    ['the type of an agent', { actor: { agentType: NAMED('w') } }, IN_AGENT, {}, true],
    ['the name of an agent', { actor: { agentType: NAMED('a1') } }, IN_AGENT, {}, true],
    ['another agent', { actor: { agentType: NAMED('x') } }, IN_AGENT, {}, false],
    ['an agent of the main agent', { actor: { agentType: NAMED('a1') } }, bash('ls'), {}, false],
    [
      'an agent that is excepted by its name',
      { actor: { exceptAgents: [NAMED('a1')] } },
      IN_AGENT,
      {},
      false,
    ],
    ['an agent that is not excepted', { actor: { exceptAgents: [NAMED('x')] } }, IN_AGENT, {}, true],
    ['a type, where its name does not count', { match: { agentType: NAMED('a1') } }, IN_AGENT, {}, false],
    ['a tool that is excepted', { match: { exceptTools: ['Bash'] } }, bash('ls'), {}, false],
    ['another tool than is excepted', { match: { exceptTools: ['Read'] } }, bash('ls'), {}, true],
    ['a tool by its name', { match: { toolName: NAMED('Bash') } }, bash('ls'), {}, true],
    ['a skill that is active', { match: { skill: NAMED('s') } }, bash('ls'), { skills: ['s'] }, true],
    ['a skill that is not', { match: { skill: NAMED('s') } }, bash('ls'), {}, false],
    ['a skill that may be', { match: { skill: NAMED('s') } }, bash('ls'), { scopeKnown: false }, true],
    ['another skill', { actor: { skill: 's' } }, bash('ls'), { skills: ['t'] }, false],
  ])('%s', (_what, hook, event, more, isMatch) => {
    expect(matching([hook], event, actorOf(event, more))).toEqual(isMatch ? [0] : [])
  })

  it.each<[Event, boolean]>([
    [eventOf('SessionStart', { source: 'x' }), true],
    [eventOf('SessionStart', { source: 'y' }), false],
    [eventOf('SessionStart'), false],
  ])('a source, if the event has one: %o', (event, isMatch) => {
    expect(matching([{ on: 'SessionStart', match: { source: NAMED('x') } }], event)).toEqual(
      isMatch ? [0] : [],
    )
  })

  it('a trigger, if the event has one', () => {
    const hook: Partial<Hook> = { on: 'PreCompact', match: { trigger: NAMED('auto') } }
    expect(matching([hook], eventOf('PreCompact', { trigger: 'auto' }))).toEqual([0])
    expect(matching([{ ...hook, on: 'Stop' }], eventOf('Stop'))).toEqual([])
  })

  it('a tool by its name, if the event has one', () => {
    const hook: Partial<Hook> = { on: 'Stop', match: { toolName: NAMED('Bash') } }
    expect(matching([hook, { on: 'Stop' }], eventOf('Stop'))).toEqual([1])
    const except: Partial<Hook> = { on: 'Stop', match: { exceptTools: ['Bash'] } }
    expect(matching([except], eventOf('Stop'))).toEqual([0])
  })

  it('keeps the conditions of one event apart from those of others', () => {
    const hooks = [hookOf({ on: 'Stop', actor: { role: 'subagent' } }), hookOf({})]
    const match = createMatcher(planOf(hooks), linearEngine)
    const found = (event: Event) => match(event, actorOf(event))
    expect([found(bash('ls')), found(eventOf('Stop')), found(eventOf('SessionEnd'))]).toEqual([[1], [], []])
  })
})

describe('more lists than are remembered', () => {
  it('are found all the same', () => {
    const skills = Array.from({ length: 80 }, (_, i) => `s${i}`)
    const match = createMatcher(planOf(skills.map((skill) => hookOf({ actor: { skill } }))), linearEngine)
    const call = bash('ls')
    for (const round of [1, 2])
      for (const [i, skill] of skills.entries())
        expect([round, match(call, actorOf(call, { skills: [skill] }))]).toEqual([round, [i]])
  })
})
