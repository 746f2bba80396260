import { describe, expect, it } from 'vitest'
import { actorOf, bash, eventOf } from '../testing/events.ts'
import { spellEvent } from './spelling.ts'

const NOW = new Date('2026-01-15T12:00:00Z')

describe('the event as a child process reads it', () => {
  it('in Claude spelling keeps what the host sent and the input as it is now (R-000-13)', () => {
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

  it('in MUX spelling names the skill', () => {
    const event = bash('ls')
    expect(spellEvent(event, actorOf(event, { skills: ['other', 'mux'] }), 'mux', NOW)).toMatchObject({
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_args: { command: 'ls' },
      context: { skill: 'mux' },
    })
  })

  it('in MassGen spelling has exactly the fields of its event (R-004-22, R-004-25)', () => {
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
