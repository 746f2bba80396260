import { describe, expect, it } from 'vitest'
import type { Layer } from '../../config.ts'
import { FAILURE_PRESETS } from '../../failure-presets.ts'
import { buildPlan } from '../../plan.ts'
import { guardContract } from '../guard.contract.ts'
import { REGISTRY, SYSTEM } from './agents.ts'
import { pack } from './pack.ts'

/** Those that tell and never stop anything have no examples that stop: what the suite asks of them is not for them. */
for (const guard of pack.guards.filter(({ examples }) => examples.stops.length > 0)) guardContract(guard)

const at = (event: string, match?: string) =>
  pack.guards
    .filter(({ on, ...guard }) => on.some((kind) => kind === event) && (match ?? guard.match) === guard.match)
    .map(({ id }) => id.split('/')[1])

describe('the hooks of the collective (R-002-01)', () => {
  it('stand where the document puts them', () => {
    // R-002-02, R-002-08, R-002-36: no matcher, so every source.
    expect(at('SessionStart', '')).toEqual(['load-behavioral-system'])
    // R-002-03, R-002-09, R-002-37
    expect(new Set(at('PreToolUse', 'Bash'))).toEqual(new Set(['block-destructive-commands']))
    // R-002-10, R-002-38, R-002-72: what else reads files is for another pack.
    expect(at('PreToolUse', 'Read|Grep')).toEqual(['block-sensitive-files'])
    expect(at('PreToolUse')).toHaveLength(7)
    // R-002-04, R-002-39, R-002-40: metrics, reminder, handoff, in this order.
    expect(at('PostToolUse').slice(0, 3)).toEqual(['metrics', 'semantic-docs', 'test-driven-handoff'])
    // R-002-05, R-002-41
    expect(at('PreCompact')).toEqual(['pre-compact-state'])
    // R-002-06, R-002-15, R-002-42
    expect(at('SubagentStart')).toContain('subagent-context')
    // R-002-07, R-002-13, R-002-43
    expect(at('SubagentStop')).toContain('test-driven-handoff')
  })

  it('fail as the document says, but for those that only count (R-002-75, R-002-76, R-002-77, R-002-78)', () => {
    const on: Layer = {
      rank: 'user',
      file: 'x',
      trusted: true,
      packs: [{ pack: 'collective', options: {}, origin: { file: 'x' } }],
      hooks: [],
      settings: {},
      problems: [],
    }
    const { hooks } = buildPlan([on], new Map([['collective', pack]]))
    const others = hooks.filter(({ id }) => !id.startsWith('collective/metrics/'))
    expect(others.length).toBeGreaterThan(10)
    for (const { onFailure } of others) expect(onFailure).toEqual(FAILURE_PRESETS.collective)
  })

  it('know fifteen agents, and those that belong to no project (R-002-94)', () => {
    expect(new Set(REGISTRY).size).toBe(15)
    expect(SYSTEM).toContain('tdd-validation-agent')
    expect(REGISTRY.filter((name) => SYSTEM.includes(name))).toEqual([])
  })

  it('have one file a pattern, so that each can be switched (R-002-60, R-002-61, R-002-62, R-002-63, R-002-64, R-002-66)', () => {
    const rules = pack.guards.flatMap(({ id }) => id.split('block-destructive-commands/')[1] ?? [])
    expect(rules).toEqual(['rm-rf', 'sudo-rm', 'climbing', 'system-call', 'exec-call', 'force-push'])
  })
})
