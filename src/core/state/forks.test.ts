import { describe, expect, it } from 'vitest'
import { eventOf, toolCall } from '../../library/testing/events.ts'
import { actorKey } from '../actor.ts'
import type { Event } from '../event.ts'
import { actorChanges } from './actors.ts'
import { emptySession, foldCommit } from './fold.ts'

/** The skills of every actor after these events, if none of them is denied. */
function skillsAfter(...events: readonly Event[]): Readonly<Record<string, readonly string[]>> {
  let session = emptySession()
  for (const [n, event] of events.entries()) {
    const changes = actorChanges(event, 'pass', session)
    const commit = { agent: actorKey(event.agentId), changes, nonce: `${n}`, atMs: n }
    session = foldCommit(session, commit).state
  }
  const named = [...session.actors].filter(([, { skills }]) => skills.length > 0)
  return Object.fromEntries(named.map(([id, { skills }]) => [id, skills]))
}

const general = { agentId: 'a1', agentType: 'general-purpose' }
const typed = eventOf('UserPromptExpansion', { expansion: 'slash_command', command: 'tidy' })
const prompt = eventOf('UserPromptSubmit', { prompt: '/tidy' })
const calls = toolCall('Skill', { skill: 'tidy' })
const called = (output: unknown) =>
  eventOf('PostToolUse', { tool: { name: 'Skill', input: { skill: 'tidy' }, useId: '1' }, output })
const failed = eventOf('PostToolUseFailure', {
  tool: { name: 'Skill', input: { skill: 'tidy' }, useId: '1' },
})
const agent = (type?: string) => toolCall('Agent', type === undefined ? {} : { subagent_type: type })
const starts = eventOf('SubagentStart', general)
const stops = eventOf('SubagentStop', { ...general, stopHookActive: false })
const stop = eventOf('Stop', { stopHookActive: false })

it('a call that reads the file of a skill loads it for its caller, once it has run', () => {
  const tool = { name: 'Read', input: {}, useId: '2', loadsSkill: 'mux' }
  const reads = eventOf('PreToolUse', { tool, ...general })
  const hasRead = eventOf('PostToolUse', { tool, output: '', ...general })
  expect(skillsAfter(reads)).toEqual({})
  expect(skillsAfter(reads, hasRead)).toEqual({ a1: ['mux'] })
})

describe('a skill in a fork', () => {
  it.each<[string, readonly Event[], object]>([
    ['is the fork’s', [calls, starts], { a1: ['tidy'] }],
    ['is nobody’s afterwards', [calls, starts, stops, called({ status: 'forked', agentId: 'a1' })], {}],
    [
      'is active for the fork and for its caller when typed, because a typed skill has no end event',
      [typed, prompt, starts],
      { main: ['tidy'], a1: ['tidy'] },
    ],
    ['that does not fork is active for its caller', [calls, called({ success: true })], { main: ['tidy'] }],
    [
      'that does not fork is not active for agents started later',
      [calls, called({}), starts],
      { main: ['tidy'] },
    ],
    [
      'that does not fork is not active for agents started at the same time',
      [calls, agent('general-purpose'), starts],
      {},
    ],
    ['that does not fork is not active for agents without a type', [calls, agent(), starts], {}],
    ['that failed is not active for any actor', [calls, failed, starts], {}],
    ['that was typed is not active for agents of a later turn', [typed, stop, starts], { main: ['tidy'] }],
    [
      'that starts at the same time as an agent is active only for its fork',
      [calls, agent('other'), starts],
      { a1: ['tidy'] },
    ],
  ])('%s', (_name, events, skills) => {
    expect(skillsAfter(...events)).toEqual(skills)
  })
})
