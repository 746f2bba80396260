import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../app/create-engine.ts'
import { evaluate } from '../../../core/engine/evaluate.ts'
import { FAILURE_KINDS } from '../../../core/hook.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { actorOf, eventOf, frozenFacts } from '../../../library/testing/events.ts'
import { guardContract } from '../guard.contract.ts'
import { pack } from './pack.ts'

const layer = { rank: 'user', file: 'test', trusted: true, hooks: [], settings: {}, problems: [] } as const
const on = { pack: pack.id, options: {}, origin: { file: 'test' } }
const plan = buildPlan([{ ...layer, packs: [on] }], new Map([[pack.id, pack]]))

/** Some of the hooks only notify or grant, and never stop a call, so the contract suite does not apply to them. */
for (const guard of pack.guards.filter(({ examples }) => examples.stops.length > 0)) guardContract(guard)

describe('the four scratchpad hooks', () => {
  it('run at the four events, in their order (R-003-03)', () => {
    const [lifecycle, rest] = [pack.guards.slice(0, 4), pack.guards.slice(4)]
    expect(lifecycle.map(({ on }) => on)).toEqual([
      ['SessionStart'],
      ['SubagentStart'],
      ['SubagentStop'],
      ['Stop'],
    ])
    expect(rest.map(({ on, grants }) => [on, grants])).toEqual([[['PermissionRequest'], true]])
  })

  it('run for every agent type (R-003-16, R-003-26)', async () => {
    const { hooks, match } = await createEngine(plan)
    for (const agentType of ['spec-writer', 'Explore', 'plugin:helper', 'a name', '']) {
      for (const kind of ['SubagentStart', 'SubagentStop'] as const) {
        const event = eventOf(kind, { agentId: 'a1', agentType, stopHookActive: false })
        expect(match(event, actorOf(event)).map((index) => hooks[index]?.on)).toEqual([kind])
      }
    }
  })

  it.each([
    ['R-003-15', 'SessionStart', { source: 'startup' }],
    ['R-003-25', 'SubagentStart', { agentId: 'a1', agentType: 'writer' }],
    ['R-003-34', 'SubagentStop', { agentId: 'a1', agentType: 'writer', stopHookActive: false }],
    ['R-003-44', 'Stop', { stopHookActive: false }],
  ] as const)(
    '%s: at %s an error, or ten seconds without an answer, lets the agent continue',
    async (_id, kind, fields) => {
      const engine = await createEngine(plan)
      const event = eventOf(kind, fields)
      const around = { actor: actorOf(event), facts: frozenFacts(), memory: {}, budgetMs: 60_000 }
      for (const failure of FAILURE_KINDS) {
        const runners = engine.runners.map(() => () => ({ failure, message: 'broke' }))
        const decision = await evaluate({ ...engine, runners }, event, { ...around, now: () => 0 })
        expect(decision).toMatchObject({ effect: 'pass', context: [], failed: [{ failure: { failure } }] })
      }
      expect(plan.hooks.find(({ on }) => on === kind)?.timeoutMs).toBe(10_000)
      if (kind !== 'Stop') return
      // So does a session in which no other agent wrote an entry.
      const decision = await evaluate(engine, event, { ...around, now: () => 0 })
      expect(decision).toMatchObject({ effect: 'pass', failed: [], notices: [] })
    },
  )
})
