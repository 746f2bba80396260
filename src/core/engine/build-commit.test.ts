import { describe, expect, it, test } from 'vitest'
import { actorOf, bash, eventOf, frozenFacts } from '../../library/testing/events.ts'
import type { Decision, Finding } from '../decision.ts'
import type { Event } from '../event.ts'
import { ALL_ABILITIES, NO_ABILITIES } from '../host.ts'
import type { JsonObject } from '../json.ts'
import { emptySession } from '../state/fold.ts'
import type { ActorState, SessionState } from '../state/state.ts'
import { buildCommit, sessionProject } from './build-commit.ts'
import { combine, NO_OPINION } from './combine.ts'
import type { DecideContext } from './decide-context.ts'

const contextOf = (more: Partial<DecideContext> = {}) =>
  ({
    can: ALL_ABILITIES,
    deliversTwice: false,
    facts: frozenFacts({ now: () => new Date(7) }),
    hash: (text: string) => text,
    newId: () => 'id',
    ...more,
  }) as DecideContext
const sessionOf = (main: Partial<ActorState> = {}): SessionState => ({
  ...emptySession(),
  actors: new Map([['main', { skills: [], inbox: [], memory: {}, version: 3, ended: false, ...main }]]),
})
const decided = (...findings: readonly Partial<Finding>[]): Decision =>
  combine(findings.map((each, hookIndex) => ({ hook: 'h', hookIndex, effect: 'pass', ...each })))

const CALL = bash('ls', { tool: { name: 'Bash', input: { command: 'ls' }, useId: '1' } })
const KEY = 'test/PreToolUse/main/1/Bash#{"command":"ls"}'
const set = (key: string, value = 1) => ({ op: 'set', key, value }) as const
const patch = (key: string, value = 1) => ({ kind: 'patch', patch: set(key, value) })
const committed = (
  decision: Decision,
  more: Partial<DecideContext> = {},
  event: Event = CALL,
  session = sessionOf(),
) => buildCommit(event, actorOf(event), decision, session, contextOf(more))

describe('what an event changes in its session', () => {
  it('is nothing for most events', () => {
    expect(committed(NO_OPINION)).toBeUndefined()
    expect(committed(decided({ effect: 'deny', reason: 'no' }))).toBeUndefined()
  })

  it('is what hooks remember, at the version they have read, once for each delivery', () => {
    expect(
      committed(decided({ remember: [set('a')] }, { remember: [set('b')], rememberDenied: [set('c')] })),
    ).toEqual({
      agent: 'main',
      changes: [patch('a'), patch('b')],
      nonce: 'id',
      atMs: 7,
      base: 3,
      key: KEY,
      recorded: expect.objectContaining({ effect: 'pass', entry: '' }),
    })
    expect(committed(decided({ remember: [set('a')] }), {}, CALL, emptySession())?.base).toBe(0)
  })

  it('of a denied event is only what hooks remember about denials', () => {
    const denied = decided({ effect: 'deny', remember: [set('a')], rememberDenied: [set('b')] })
    expect(committed(denied)?.changes).toEqual([patch('b')])
  })

  it('is what happened to actors, whatever version they have', () => {
    const agent = eventOf('SubagentStart', { agentId: 'a1', agentType: 'writer' })
    const commit = committed(NO_OPINION, {}, agent)
    expect(commit).toMatchObject({ agent: 'a1', changes: [{ kind: 'agent' }, { kind: 'spawned' }] })
    expect(commit).not.toHaveProperty('base')
    expect(commit).not.toHaveProperty('key')
  })

  it('is the project of the session, which two deliveries may both store', () => {
    const commit = committed(NO_OPINION, { pinProject: '/srv' })
    expect(commit).toEqual({
      agent: 'main',
      changes: [{ kind: 'patch', patch: { op: 'set', key: 'holdpoint/project', value: '/srv' } }],
      nonce: 'id',
      atMs: 7,
    })
  })

  it('has no key if it only notes something, and one if it does more', () => {
    const note = set('holdpoint/note/x')
    expect(committed(decided({ remember: [note] }))).not.toHaveProperty('key')
    expect(committed(decided({ remember: [note, set('a')] }))?.key).toBe(KEY)
    expect(committed(decided({ remember: [set('my/holdpoint/note/x')] }))?.key).toBe(KEY)
  })
})

describe('texts', () => {
  const letter = { id: 'l', context: { text: 't', to: 'self' } } as const

  it('that wait are delivered at an event that can carry them', () => {
    const session = sessionOf({ inbox: [letter] })
    expect(committed(NO_OPINION, {}, CALL, session)?.changes).toEqual([{ kind: 'deliver', ids: ['l'] }])
    expect(committed(NO_OPINION, { can: NO_ABILITIES }, CALL, session)).toBeUndefined()
  })

  test.each<[string, boolean, readonly string[]]>([
    ['for others wait for them', true, ['parent', 'main']],
    ['for oneself wait, too, if this event cannot carry them', false, ['self', 'parent', 'main']],
  ])('%s', (_what, context, sent) => {
    const texts = (['self', 'parent', 'main'] as const).map((to) => ({ text: to, to }))
    const sub = { ...CALL, agentId: 'a1' } as Event
    const actor = { ...actorOf(sub), parent: 'lead' }
    const known = contextOf({ can: { ...ALL_ABILITIES, context } })
    const commit = buildCommit(sub, actor, decided({ context: texts }), emptySession(), known)
    const to = { self: 'a1', parent: 'lead', main: 'main' }
    expect(commit?.changes).toEqual(
      sent.map((text) => ({
        kind: 'send',
        to: to[text as keyof typeof to],
        letter: { id: 'id', context: { text, to: 'self' } },
      })),
    )
    expect(commit).not.toHaveProperty('base')
  })
})

describe('a denial', () => {
  const denied = decided({ effect: 'deny', reason: 'no' })

  it('is recorded for a host that delivers twice', () => {
    expect(committed(denied, { deliversTwice: true })).toEqual({
      agent: 'main',
      changes: [],
      nonce: 'id',
      atMs: 7,
      key: `${KEY}~0`,
      recorded: expect.objectContaining({ effect: 'deny' }),
    })
    expect(committed(decided({ effect: 'ask' }), { deliversTwice: true })).toBeUndefined()
  })
})

describe('the project of a session', () => {
  test.each<[JsonObject, string | undefined]>([
    [{ 'holdpoint/project': '/srv' }, '/srv'],
    [{ 'holdpoint/project': 7 }, undefined],
    [{}, undefined],
  ])('in %j is %s', (memory, project) => {
    expect(sessionProject(sessionOf({ memory }))).toBe(project)
  })

  it('is unknown without a session', () => {
    expect([sessionProject(undefined), sessionProject(emptySession())]).toEqual([undefined, undefined])
  })
})
