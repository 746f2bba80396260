import { describe, expect, it } from 'vitest'
import { actorOf, bash, eventOf, toolCall } from '../../library/testing/events.ts'
import { hookOf, planOf } from '../../library/testing/hooks.ts'
import type { Actor } from '../actor.ts'
import type { Event } from '../event.ts'
import type { Hook, Matcher } from '../hook.ts'
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
})
