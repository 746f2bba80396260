import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../core/decision.ts'
import type { JsonObject } from '../../../core/json.ts'
import { createMatcher } from '../../../core/match/match.ts'
import { linearEngine } from '../../../core/match/regex.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { actorOf, frozenFacts, toolCall } from '../../../library/testing/events.ts'
import { legacyOrchestrator } from './orchestrator.ts'
import { pack } from './pack.ts'

function ask(
  tool: string,
  input: JsonObject,
  more: Readonly<Record<string, unknown>> = {},
  options: JsonObject = {},
  memory: JsonObject = {},
) {
  const event = toolCall(tool, input, more)
  const actor = actorOf(event, { skills: ['mux'] })
  return legacyOrchestrator.check({ event, actor, facts: frozenFacts(), options, memory }) as Answer | null
}

describe('the older rules', () => {
  it('apply only to the skill mux, so sub-agents are not restricted (R-001-07, R-001-26)', () => {
    const on = { pack: pack.id, options: {}, origin: { file: 'test' } }
    const layer = { rank: 'user', file: 'test', trusted: true, settings: {}, problems: [] } as const
    const plan = buildPlan([{ ...layer, packs: [on], hooks: [] }], new Map([[pack.id, pack]]))
    const hooksFor = (tool: string, skills: readonly string[], more = {}) => {
      const event = toolCall(tool, {}, more)
      return createMatcher(plan, linearEngine)(event, actorOf(event, { skills })).length
    }
    const researcher = { agentId: 'a1', agentType: 'general-purpose' }
    for (const tool of ['Read', 'Grep', 'WebFetch', 'Bash']) {
      expect(hooksFor(tool, ['mux'])).toBeGreaterThan(0)
      expect(hooksFor(tool, [])).toBe(0)
      expect(hooksFor(tool, ['pdf', 'mux-subagent'])).toBe(0)
      expect(hooksFor(tool, [], researcher)).toBe(0)
    }
  })

  it('ignore a call of another skill (R-001-12)', () => {
    expect(ask('Read', {}, { raw: { context: { skill: 'other' } } })).toBeNull()
    expect(ask('Read', {}, { raw: { context: {} } })).toBeNull()
    expect(ask('Read', {}, { raw: { context: { skill: 'mux' } } })).toMatchObject({ effect: 'deny' })
    expect(ask('Read', {}, { raw: {} })).toMatchObject({ effect: 'deny' })
  })

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
  ])('forbid %s, word for word (R-001-14, R-001-16, R-001-22, R-001-23)', (tool) => {
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

  it.each([
    'Task',
    'AskUserQuestion',
    'mcp__voicemode__converse',
    'TaskCreate',
    'TaskUpdate',
    'TaskList',
    'AnythingElse',
  ])('allow %s (R-001-15, R-001-18)', (tool) => {
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
      reason: expect.stringContaining('`ls` may run only once, and it already ran'),
    })
  })

  it('print three lines in debug mode (R-001-29, R-001-30)', () => {
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
