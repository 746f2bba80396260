import { describe, expect, it } from 'vitest'
import { actorOf, bash, eventOf, toolCall } from '../library/testing/events.ts'
import { asMatched, spellEvent } from './spelling.ts'

const NOW = new Date('2026-01-15T12:00:00Z')

describe('the event as a child process reads it', () => {
  it('in the Claude format keeps the host’s payload and the current input (R-000-13)', () => {
    const event = bash('ls', {
      raw: { hook_event_name: 'PreToolUse', tool_input: { command: 'before' }, novel: 1 },
    })
    expect(spellEvent(event, actorOf(event), 'claude', NOW)).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 'call-1',
      novel: 1,
    })
  })

  it('in the MUX format names the skill', () => {
    const event = bash('ls')
    expect(spellEvent(event, actorOf(event, { skills: ['other', 'mux'] }), 'mux', NOW)).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_args: { command: 'ls' },
      context: { skill: 'mux' },
    })
  })

  it('in the MassGen format has exactly the fields of its event (R-004-22, R-004-25)', () => {
    const event = eventOf('PostToolUse', {
      tool: { name: 'Read', input: { path: 'a' } },
      output: { text: 'b' },
      agentId: 'w1',
    })
    const spelled = spellEvent(event, actorOf(event), 'massgen', NOW)
    expect(JSON.parse(JSON.stringify(spelled))).toEqual({
      hook_type: 'PostToolUse',
      session_id: 'session-1',
      orchestrator_id: 'session-1',
      agent_id: 'w1',
      timestamp: '2026-01-15T12:00:00.000Z',
      tool_name: 'Read',
      tool_input: { path: 'a' },
      tool_output: '{"text":"b"}',
    })
  })
})

describe('K-30: the name of the tool as the matcher asks for it', () => {
  const names = (...all: string[]) => ({ subject: { kind: 'names', names: all } }) as const
  const regex = (source: string) => ({ subject: { kind: 'regex', source, engine: 'backtracking' } }) as const
  it.each([
    ['Agent', names('Task'), 'Task'],
    ['Agent', names('Read', 'Task'), 'Task'],
    ['Agent', regex('^Task$'), 'Task'],
    ['Agent', names('Agent', 'Task'), 'Agent'],
    ['Agent', names('Agent'), 'Agent'],
    ['Agent', {}, 'Agent'],
    ['TaskStop', names('KillShell'), 'KillShell'],
    ['apply_patch', names('Edit'), 'apply_patch'],
    ['Bash', names('Bash'), 'Bash'],
  ])('%s for %j is %s', (tool, match, told) => {
    const event = asMatched(toolCall(tool, { prompt: 'x' }), match)
    expect(spellEvent(event, actorOf(event), 'claude', NOW)).toMatchObject({
      tool_name: told,
      tool_input: { prompt: 'x' },
    })
  })
})
