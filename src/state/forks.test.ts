import { describe, expect, it } from 'vitest'
import { actorKey } from '../actor.ts'
import type { Event } from '../event.ts'
import { eventOf, toolCall } from '../testing/events.ts'
import { actorChanges } from './actors.ts'
import { emptySession, foldCommit } from './fold.ts'

/** The skills of every actor after these events, none of them denied. */
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

describe('a skill in a fork', () => {
  it.each<[string, readonly Event[], object]>([
    ['is the fork’s', [calls, starts], { a1: ['tidy'] }],
    ['is nobody’s afterwards', [calls, starts, stops, called({ status: 'forked', agentId: 'a1' })], {}],
    [
      'is the fork’s, and for lack of an end its caller’s, when typed',
      [typed, prompt, starts],
      { main: ['tidy'], a1: ['tidy'] },
    ],
    ['that is none is its caller’s', [calls, called({ success: true })], { main: ['tidy'] }],
    ['that is none is not for agents started later', [calls, called({}), starts], { main: ['tidy'] }],
    ['that is none is not for agents started beside it', [calls, agent('general-purpose'), starts], {}],
    ['nor for those whose type nobody named', [calls, agent(), starts], {}],
    ['that failed is nobody’s', [calls, failed, starts], {}],
    ['that was typed is not for agents of a later turn', [typed, stop, starts], { main: ['tidy'] }],
    ['beside an agent is the fork’s alone', [calls, agent('other'), starts], { a1: ['tidy'] }],
  ])('%s', (_name, events, skills) => {
    expect(skillsAfter(...events)).toEqual(skills)
  })
})
