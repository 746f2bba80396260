import { describe, expect, it, test } from 'vitest'
import { actorOf, eventOf, toolCall } from '../../library/testing/events.ts'
import type { Event } from '../event.ts'
import { actorChanges, addressee, bareSkill, resolveActor } from './actors.ts'
import { emptySession, type FoldedSession } from './fold.ts'
import type { ActorState, Spawn } from './state.ts'

const KNOWN: ActorState = { skills: [], inbox: [], memory: {}, version: 1, ended: false }

function session(
  actors: Readonly<Record<string, Partial<ActorState>>> = {},
  more: Partial<FoldedSession> = {},
): FoldedSession {
  const known = Object.entries(actors).map(([id, actor]) => [id, { ...KNOWN, ...actor }] as const)
  return { ...emptySession(), actors: new Map(known), ...more }
}

describe('the actor of an event', () => {
  it('is the main agent, with the skills that began in its session', () => {
    const state = session({ main: { skills: ['a'] }, sub: { skills: ['b'] } })
    expect(resolveActor(toolCall('Read', {}), state)).toStrictEqual({
      session: 'session-1',
      role: 'main',
      skills: ['a'],
      scopeKnown: true,
    })
  })

  it('is a sub-agent, with the type and the parent that were seen before', () => {
    const event = toolCall('Read', {}, { agentId: 'sub' })
    const state = session({ sub: { type: 'writer', parent: 'main', skills: ['b'] } })
    expect(resolveActor(event, state)).toStrictEqual({
      session: 'session-1',
      role: 'subagent',
      agentId: 'sub',
      agentType: 'writer',
      parent: 'main',
      skills: ['b'],
      scopeKnown: true,
    })
    expect(resolveActor({ ...event, agentType: 'reader' }, state).agentType).toBe('reader')
    const { agentType, parent, skills } = resolveActor(event, session())
    expect([agentType, parent, skills]).toEqual([undefined, 'unknown', []])
  })

  it('has the skills that the caller names, each once, after those of the session', () => {
    const state = session({ main: { skills: ['a', 'b'] } })
    expect(resolveActor(toolCall('Read', {}), state, ['b', 'c', 'c']).skills).toEqual(['a', 'b', 'c'])
    expect(state.actors.get('main')?.skills).toEqual(['a', 'b'])
  })

  test.each<[string, FoldedSession | undefined, Partial<Event>, readonly string[], boolean]>([
    ['known', session(), {}, [], true],
    ['unknown without a state', undefined, {}, [], false],
    ['unknown after damage', session({}, { damaged: true }), {}, [], false],
    ['unknown without a session', session(), { session: '' }, [], false],
    ['known if the caller names a skill', undefined, { session: '' }, ['a'], true],
  ])('has skills that are %s', (_what, state, fields, skills, isKnown) => {
    expect(resolveActor(toolCall('Read', {}, fields), state, skills).scopeKnown).toBe(isKnown)
  })
})

const used = (name: string, input: object = {}, more: object = {}) => ({
  tool: { name, input, useId: '1', ...more },
})
const typed = (fields: object = {}) =>
  eventOf('UserPromptExpansion', { expansion: 'slash_command', command: '/team:tidy', ...fields })
const sub = { agentId: 'a1', agentType: 'writer' }
const begins = (name: string) => ({ kind: 'skill', name, active: true })
const fork = (skill: string) => ({ kind: 'spawn', type: '', skill })
const over = (skill: string) => ({ kind: 'spawned', type: '', skill })

describe('what an event changes about actors', () => {
  test.each<[string, Event, readonly unknown[]]>([
    [
      'an Agent call may start one',
      toolCall('Agent', { subagent_type: 'writer' }),
      [{ kind: 'spawn', type: 'writer' }],
    ],
    ['an Agent call without a type may start any', toolCall('Agent', {}), [{ kind: 'spawn', type: '' }]],
    [
      'a type that is no text is none',
      toolCall('Agent', { subagent_type: 7 }),
      [{ kind: 'spawn', type: '' }],
    ],
    ['a Skill call may run in a fork', toolCall('Skill', { skill: 'team:tidy' }), [fork('tidy')]],
    ['a Skill call without a skill', toolCall('Skill', { skill: '' }), []],
    ['a skill that is no text', toolCall('Skill', { skill: 7 }), []],
    ['another call', toolCall('Read', { skill: 'tidy' }), []],
    [
      'a skill is over, and active',
      eventOf('PostToolUse', { ...used('Skill', { skill: 'tidy' }), output: {} }),
      [over('tidy'), begins('tidy')],
    ],
    [
      'a skill ran in a fork',
      eventOf('PostToolUse', { ...used('Skill', { skill: 'tidy' }), output: { status: 'forked' } }),
      [over('tidy')],
    ],
    ['a skill failed', eventOf('PostToolUseFailure', used('Skill', { skill: 'tidy' })), [over('tidy')]],
    [
      'the file of a skill was read',
      eventOf('PostToolUse', { ...used('Read', {}, { loadsSkill: 'mux' }), output: '' }),
      [begins('mux')],
    ],
    ['another call is over', eventOf('PostToolUse', { ...used('Read'), output: { agentId: 'a1' } }), []],
    [
      'an Agent call names its child',
      eventOf('PostToolUse', { ...used('Agent'), output: { agentId: 'a1', agentType: 'writer' } }),
      [{ kind: 'parent', of: 'a1', parent: 'main', type: 'writer' }],
    ],
    [
      'one of a sub-agent does, too',
      eventOf('PostToolUse', { ...used('Agent'), output: { agentId: 'a2' }, ...sub }),
      [{ kind: 'parent', of: 'a2', parent: 'a1' }],
    ],
    [
      'an Agent call that names none',
      eventOf('PostToolUse', { ...used('Agent'), output: { agentType: 'writer' } }),
      [],
    ],
    ['an Agent call that only says a text', eventOf('PostToolUse', { ...used('Agent'), output: 'done' }), []],
    ['a typed command begins a skill, which may fork', typed(), [begins('tidy'), fork('tidy')]],
    ['a typed command without a name', typed({ command: '' }), []],
    ['a prompt of a server', typed({ expansion: 'mcp_prompt' }), []],
    [
      'a sub-agent starts',
      eventOf('SubagentStart', sub),
      [
        { kind: 'agent', type: 'writer' },
        { kind: 'spawned', type: 'writer' },
      ],
    ],
    [
      'a sub-agent without a type starts',
      eventOf('SubagentStart', { agentId: 'a1' }),
      [{ kind: 'agent' }, { kind: 'spawned', type: '' }],
    ],
    ['a start without an agent', eventOf('SubagentStart', { agentType: 'writer' }), []],
    ['a sub-agent ends', eventOf('SubagentStop', sub), [{ kind: 'end' }]],
    ['compaction ends', eventOf('SubagentStop', { agentType: 'writer' }), []],
    ['an end without a type', eventOf('SubagentStop', { agentId: 'a1' }), []],
    ['a conversation is cleared', eventOf('SessionStart', { source: 'clear' }), [{ kind: 'clear' }]],
    ['a session starts', eventOf('SessionStart', { source: 'startup' }), []],
    ['a prompt is sent', eventOf('UserPromptSubmit', { prompt: '/tidy' }), []],
  ])('%s', (_what, event, changes) => {
    expect(actorChanges(event, 'pass', session())).toStrictEqual(changes)
    // A session that nobody knows yet is like one in which nothing happened.
    expect(actorChanges(event, 'pass', undefined)).toEqual(changes)
  })

  test.each<[string, Event, readonly unknown[]]>([
    ['a call that was denied starts nothing', toolCall('Agent', {}), []],
    ['a typed command that was denied begins nothing', typed(), []],
    ['an agent whose stop was blocked has not finished', eventOf('SubagentStop', sub), []],
    [
      'a call that ran is over',
      eventOf('PostToolUse', { ...used('Skill', { skill: 'a' }), output: {} }),
      [over('a'), begins('a')],
    ],
  ])('%s', (_what, event, changes) => {
    expect(actorChanges(event, 'deny', session())).toEqual(changes)
  })

  it('no fork of a command that was typed follows the stop of its actor', () => {
    const spawns: Spawn[] = [
      { by: 'main', type: '', skill: 'tidy' },
      { by: 'main', type: 'writer' },
      { by: 'a1', type: '', skill: 'other' },
    ]
    const state = session({}, { spawns })
    expect(actorChanges(eventOf('Stop'), 'pass', state)).toEqual([over('tidy')])
    expect(actorChanges(eventOf('Stop', sub), 'pass', state)).toEqual([over('other')])
    expect(actorChanges(eventOf('Stop'), 'pass', undefined)).toEqual([])
  })
})

describe('the parent of an agent that starts', () => {
  const parentAfter = (...spawns: readonly Spawn[]) =>
    actorChanges(eventOf('SubagentStart', sub), 'pass', session({}, { spawns }))[0]
  const agent = (parent?: string) => ({
    kind: 'agent',
    type: 'writer',
    ...(parent === undefined ? {} : { parent }),
  })

  test.each<[string, readonly Spawn[], string | undefined]>([
    ['is who called for one of its type', [{ by: 'b', type: 'writer' }], 'b'],
    ['is who called for any', [{ by: 'b', type: '' }], 'b'],
    ['is not who called for another type', [{ by: 'b', type: 'reader' }], undefined],
    [
      'is not known if two wait',
      [
        { by: 'b', type: 'writer' },
        { by: 'c', type: '' },
      ],
      undefined,
    ],
    [
      'is known if one waits twice',
      [
        { by: 'b', type: 'writer' },
        { by: 'b', type: '' },
      ],
      'b',
    ],
    [
      'is who called, not who runs a skill',
      [
        { by: 'b', type: '', skill: 's' },
        { by: 'c', type: '' },
      ],
      'c',
    ],
    ['is who runs a skill, if nobody called', [{ by: 'b', type: '', skill: 's' }], 'b'],
  ])('%s', (_what, spawns, parent) => {
    expect(parentAfter(...spawns)).toEqual(agent(parent))
  })

  it('gives its skill to a fork', () => {
    const spawns = [{ by: 'b', type: '', skill: 's' }]
    const changes = actorChanges(eventOf('SubagentStart', sub), 'pass', session({}, { spawns }))
    expect(changes).toEqual([agent('b'), { kind: 'spawned', type: 'writer' }, begins('s')])
  })
})

describe('names of skills', () => {
  test.each([
    ['tidy', 'tidy'],
    ['/tidy', 'tidy'],
    ['team:tidy', 'tidy'],
    ['/a:b:tidy', 'tidy'],
    ['a/b', 'a/b'],
  ])('%s is %s', (name, bare) => {
    expect(bareSkill(name)).toBe(bare)
  })
})

describe('who gets a text', () => {
  const mainAgent = actorOf(toolCall('Read', {}))
  const subAgent = actorOf(toolCall('Read', {}, { agentId: 'a1' }))
  test.each<[string, Parameters<typeof addressee>, string]>([
    ['oneself, as a sub-agent', ['self', subAgent, undefined], 'a1'],
    ['oneself, as the main agent', ['self', mainAgent, undefined], 'main'],
    ['the main agent', ['main', { ...subAgent, parent: 'b' }, undefined], 'main'],
    ['the parent that is stored', ['parent', { ...subAgent, parent: 'b' }, { ...KNOWN, parent: 'c' }], 'c'],
    ['the parent that is known', ['parent', { ...subAgent, parent: 'b' }, KNOWN], 'b'],
    ['the main agent for an unknown parent', ['parent', subAgent, undefined], 'main'],
    ['the main agent, which has no parent', ['parent', mainAgent, undefined], 'main'],
  ])('%s', (_what, words, key) => {
    expect(addressee(...words)).toBe(key)
  })
})
