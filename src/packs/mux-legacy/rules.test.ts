import { describe, expect, it } from 'vitest'
import type { Answer } from '../../decision.ts'
import type { JsonObject } from '../../json.ts'
import { actorOf, frozenFacts, toolCall } from '../../testing/events.ts'
import { orchestrator } from './orchestrator.ts'

function ask(
  tool: string,
  input: JsonObject,
  more: Readonly<Record<string, unknown>> = {},
  options: JsonObject = {},
  memory: JsonObject = {},
) {
  const event = toolCall(tool, input, more)
  const actor = actorOf(event, { skills: ['mux'] })
  return orchestrator.check({ event, actor, facts: frozenFacts(), options, memory }) as Answer | null
}

describe('the older rules', () => {
  it('hold for the skill mux alone, so sub-agents are free of them (R-001-26)', () => {
    expect(orchestrator.skill).toBe('mux')
  })

  it('let a call of another skill be (R-001-12)', () => {
    expect(ask('Read', {}, { raw: { context: { skill: 'other' } } })).toBeNull()
    expect(ask('Read', {}, { raw: { context: {} } })).toBeNull()
    expect(ask('Read', {}, { raw: { context: { skill: 'mux' } } })).toMatchObject({ effect: 'deny' })
    expect(ask('Read', {}, { raw: {} })).toMatchObject({ effect: 'deny' })
  })

  // R-001-13, R-001-14, R-001-16, R-001-22, R-001-23: word for word.
  it.each([
    'Read',
    'Write',
    'Edit',
    'Grep',
    'Glob',
    'WebSearch',
    'WebFetch',
    'NotebookEdit',
    'TaskOutput',
    'TaskStop',
  ])('forbid %s', (tool) => {
    expect(ask(tool, {})).toEqual({
      effect: 'deny',
      reason: `${tool} is forbidden for MUX orchestrator. Delegate via Task().`,
      context: [
        {
          to: 'self',
          text: `PROTOCOL VIOLATION: ${tool} is forbidden for MUX orchestrator.

You must delegate this work via Task():

Task(
    prompt="Read agents/auditor.md. Analyze {file_path}...",
    subagent_type="general-purpose",
    model="sonnet",
    run_in_background=True
)`,
        },
      ],
    })
  })

  it('forbid Skill, except for the skill itself (R-001-17)', () => {
    expect(ask('Skill', { skill: 'pdf' })).toMatchObject({
      reason: 'Skill is forbidden for MUX orchestrator. Delegate via Task().',
    })
    expect(ask('Skill', { skill: 'mux' })).toBeNull()
  })

  // R-001-15, R-001-18
  it.each([
    'Task',
    'AskUserQuestion',
    'mcp__voicemode__converse',
    'TaskCreate',
    'TaskUpdate',
    'TaskList',
    'AnythingElse',
  ])('allow %s', (tool) => {
    expect(ask(tool, {})).toBeNull()
  })

  it('allow a few commands (R-001-19, R-001-20) and ls once (R-001-21)', () => {
    const bash = (command: string, memory: JsonObject = {}) => ask('Bash', { command }, {}, {}, memory)
    for (const tool of ['session', 'verify', 'signal', 'agents']) {
      expect(bash(`uv run tools/${tool}.py`)).toBeNull()
    }
    expect(bash('mkdir -p tmp/mux')).toBeNull()
    expect(bash('cat x')).toMatchObject({ effect: 'deny' })
    expect(bash('ls')).toEqual({
      effect: 'pass',
      remember: [{ op: 'set', key: 'mux-legacy/ls', value: true }],
    })
    expect(bash('ls -la', { 'mux-legacy/ls': true })).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('`ls` may run once, and it did'),
    })
  })

  it('show three lines when somebody debugs them (R-001-29, R-001-30)', () => {
    expect(ask('Read', { file_path: '/path' }, {}, { debug: true })).toMatchObject({
      effect: 'deny',
      notices: [
        'PreToolUse: tool call intercepted: Read {"file_path":"/path"}',
        'PreToolUse: hook evaluation result: {"action":"block","reason":"Read is forbidden for MUX orchestrator. Delegate via Task()."}',
        'PreToolUse: decision: block',
      ],
    })
    expect(ask('Task', {}, {}, { debug: true })).toMatchObject({ effect: 'pass' })
  })
})
