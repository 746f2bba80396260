import { describe, expect, it, test } from 'vitest'
import type { Hook } from '../hook.ts'
import { ALL_ABILITIES, type Host, NO_ABILITIES } from '../host.ts'
import { unenforceable } from './unenforceable.ts'

const HOST: Pick<Host, 'title' | 'events' | 'limits' | 'notProved'> = {
  title: 'Agent',
  events: {
    PreToolUse: ALL_ABILITIES,
    PostToolUse: NO_ABILITIES,
    UserPromptSubmit: ALL_ABILITIES,
    Stop: ALL_ABILITIES,
    SubagentStop: ALL_ABILITIES,
    SessionStart: ALL_ABILITIES,
  },
  limits: [],
}

function hook(id: string, on: Hook['on'], more: Partial<Hook> = {}): Hook {
  return { id, on, actor: {}, rewrites: false, run: { type: 'guard' }, ...more } as Hook
}

describe('rules that a host cannot enforce', () => {
  it('do not exist if the host supports everything', () => {
    expect(unenforceable([hook('a', 'PreToolUse'), hook('b', 'Stop')], HOST)).toEqual([])
  })

  test.each<[string, Partial<typeof HOST>, Hook, RegExp]>([
    ['an event that never comes', { events: {} }, hook('a', 'Stop'), /no event Stop.*: a\./],
    [
      'a gate that cannot hold',
      { events: { ...HOST.events, Stop: NO_ABILITIES } },
      hook('a', 'Stop'),
      /cannot be stopped at Stop.* a\./,
    ],
    [
      'a question that is not put to anybody',
      { events: { ...HOST.events, PreToolUse: { ...ALL_ABILITIES, ask: false } } },
      hook('a', 'PreToolUse', { run: { type: 'rule', outcome: { ask: 'Sure?' } } }),
      /does not stop to ask: the call is denied by a\./,
    ],
    [
      'a text that the model never reads',
      { events: { ...HOST.events, SessionStart: NO_ABILITIES } },
      hook('a', 'SessionStart'),
      /passes no text on at SessionStart.* a\./,
    ],
    [
      'a changed input that is not taken',
      { events: { ...HOST.events, PreToolUse: { ...ALL_ABILITIES, rewrite: false } } },
      hook('a', 'PreToolUse', { rewrites: true }),
      /takes no changed input.* a\./,
    ],
    [
      'a role that cannot be told',
      { limits: [{ kind: 'identity', says: 'They look alike.' }] },
      hook('a', 'PreToolUse', { actor: { role: 'main' } }),
      /They look alike\. This concerns a\./,
    ],
    [
      'sub-agents that are not seen',
      { limits: [{ kind: 'unseen', says: 'Not seen.' }] },
      hook('a', 'PreToolUse'),
      /Not seen/,
    ],
    [
      'a gate that holds only so often',
      { limits: [{ kind: 'stop', says: 'Once.' }] },
      hook('a', 'Stop'),
      /Once/,
    ],
    [
      'all of them on an agent that was never tried',
      { notProved: true },
      hook('a', 'SessionStart'),
      /is not proved: .*This concerns a\./,
    ],
  ])('are reported: %s', (_name, host, rule, says) => {
    expect(unenforceable([rule], { ...HOST, ...host })).toEqual([
      { hooks: ['a'], says: expect.stringMatching(says) },
    ])
  })

  it('are reported with a stricter rule that the host can enforce', () => {
    const limits = [{ kind: 'unseen', says: 'Not seen.', instead: 'Deny the tool Agent.' }] as const
    expect(unenforceable([hook('a', 'PreToolUse')], { ...HOST, limits })[0]?.instead).toBe(
      'Deny the tool Agent.',
    )
  })

  it('are named, at most three of them', () => {
    const rules = ['d', 'b', 'c', 'a', 'a'].map((id) => hook(id, 'Stop'))
    expect(unenforceable(rules, { ...HOST, events: {} })[0]?.says).toContain('a, b, c and 1 more')
  })

  it('do not include a limit that concerns no rule of the plan', () => {
    const limits = [{ kind: 'identity', says: 'They look alike.' }] as const
    expect(unenforceable([hook('a', 'PreToolUse')], { ...HOST, limits })).toEqual([])
  })

  it.each([
    [3, 'h0, h1, h2.'],
    [4, 'h0, h1, h2 and 1 more.'],
    [6, 'h0, h1, h2 and 3 more.'],
  ])('name three of %d rules', (count, said) => {
    const hooks = Array.from({ length: count }, (_, i) => hook(`h${i}`, 'Stop'))
    const [found] = unenforceable(hooks, { ...HOST, events: {} })
    expect(found?.says.endsWith(`: ${said}`)).toBe(true)
    expect(found?.hooks).toHaveLength(count)
  })
})
