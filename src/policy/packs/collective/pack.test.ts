import { describe, expect, it } from 'vitest'
import type { Event } from '../../../core/event.ts'
import { FAILURE_PRESETS } from '../../../core/failure-presets.ts'
import type { Layer } from '../../../core/layer.ts'
import { createMatcher } from '../../../core/match/match.ts'
import { linearEngine } from '../../../core/match/regex.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { actorOf, eventOf, toolCall } from '../../../library/testing/events.ts'
import { guardContract } from '../guard.contract.ts'
import { REGISTRY, SYSTEM } from './agents.ts'
import { pack } from './pack.ts'

/** Guards that only notify have no stopping examples, so the contract suite does not apply to them. */
for (const guard of pack.guards.filter(({ examples }) => examples.stops.length > 0)) guardContract(guard)

const on: Layer = {
  rank: 'user',
  file: 'x',
  trusted: true,
  packs: [{ pack: 'collective', options: {}, origin: { file: 'x' } }],
  hooks: [],
  settings: {},
  problems: [],
}
const plan = buildPlan([on], new Map([['collective', pack]]))
const match = createMatcher(plan, linearEngine)

/** The hooks that run for an event, in order. A hook with several rules is listed once. */
const hooksAt = (event: Event): readonly string[] => {
  const found = match(event, actorOf(event)).map((index) => plan.hooks[index]?.id.split('/')[1] ?? '')
  return [...new Set(found)]
}
const asks = (tool: string) => toolCall(tool, {})
const done = (tool: string) =>
  eventOf('PostToolUse', { tool: { name: tool, input: {}, useId: '1' }, output: {} })
const starts = (agentType: string) => eventOf('SubagentStart', { agentId: 'a1', agentType })
const ends = (agentType: string) =>
  eventOf('SubagentStop', { agentId: 'a1', agentType, stopHookActive: false })

/** Additional to the hooks in the document: metrics and tasks are collected at several events. */
const COUNTING = ['metrics', 'pre-compact-state']
const without = (hooks: readonly string[], ...left: readonly string[]) =>
  hooks.filter((name) => !left.includes(name))

describe('the hooks of the collective', () => {
  it('there are eight hooks (R-002-01)', () => {
    expect(new Set(pack.guards.map(({ id }) => id.split('/')[1]))).toEqual(
      new Set([
        ...['load-behavioral-system', 'block-destructive-commands', 'block-sensitive-files', 'metrics'],
        ...['semantic-docs', 'test-driven-handoff', 'pre-compact-state', 'subagent-context'],
      ]),
    )
  })

  it('at SessionStart they load the behavioural system, for every source (R-002-02, R-002-36)', () => {
    for (const source of ['startup', 'resume', 'clear', 'compact', 'new']) {
      const hooks = hooksAt(eventOf('SessionStart', { source }))
      expect(without(hooks, ...COUNTING)).toEqual(['load-behavioral-system'])
    }
  })

  it('at PreToolUse two hooks block: commands for Bash, files for Read and Grep (R-002-03, R-002-37, R-002-38)', () => {
    expect(hooksAt(asks('Bash'))).toEqual(['block-destructive-commands'])
    expect(hooksAt(asks('Read'))).toEqual(['block-sensitive-files'])
    expect(hooksAt(asks('Grep'))).toEqual(['block-sensitive-files'])
    for (const tool of ['Write', 'Edit', 'Glob', 'Task', 'WebFetch', 'BashOutput', 'mcp__a__Read']) {
      expect(hooksAt(asks(tool))).toEqual([])
    }
  })

  it('at PostToolUse metrics and the reminder run for every tool, then the handoff for Task (R-002-04, R-002-39, R-002-40)', () => {
    for (const tool of ['Bash', 'Read', 'Edit', 'mcp__files__write', 'Agent']) {
      expect(hooksAt(done(tool)).slice(0, 2)).toEqual(['metrics', 'semantic-docs'])
    }
    expect(without(hooksAt(done('Agent')), 'pre-compact-state')).toEqual([
      ...['metrics', 'semantic-docs', 'test-driven-handoff'],
    ])
  })

  it('at PreCompact they save the state, for every trigger (R-002-05, R-002-41)', () => {
    for (const trigger of ['auto', 'manual']) {
      expect(hooksAt(eventOf('PreCompact', { trigger }))).toEqual(['pre-compact-state'])
    }
  })

  it('at SubagentStart they add context, for every agent name (R-002-06, R-002-42)', () => {
    for (const name of [...REGISTRY, 'Explore', 'plugin:helper', 'a name', '*', '']) {
      expect(without(hooksAt(starts(name)), 'metrics')).toEqual(['subagent-context'])
    }
    expect(hooksAt(ends('research-agent'))).not.toContain('subagent-context')
  })

  it('at SubagentStop they validate the handoff, for every agent (R-002-07, R-002-43)', () => {
    for (const name of [...REGISTRY, 'Explore']) {
      expect(without(hooksAt(ends(name)), ...COUNTING)).toEqual(['test-driven-handoff'])
    }
  })

  it('they fail as the document says, except those that only collect metrics (R-002-75, R-002-76, R-002-77, R-002-78)', () => {
    const { hooks } = plan
    const others = hooks.filter(({ id }) => !id.startsWith('collective/metrics/'))
    expect(others.length).toBeGreaterThan(10)
    for (const { onFailure } of others) expect(onFailure).toEqual(FAILURE_PRESETS.collective)
  })

  it('they know fifteen agents, and the agents that do not belong to a project (R-002-94)', () => {
    expect(new Set(REGISTRY).size).toBe(15)
    expect(SYSTEM).toContain('tdd-validation-agent')
    expect(REGISTRY.filter((name) => SYSTEM.includes(name))).toEqual([])
  })

  it('every pattern has a separate file, so that it can be configured separately', () => {
    const rules = pack.guards.flatMap(({ id }) => id.split('block-destructive-commands/')[1] ?? [])
    expect(rules).toEqual(['rm-rf', 'sudo-rm', 'climbing', 'system-call', 'exec-call', 'force-push'])
  })
})
