import { describe, expect, it } from 'vitest'
import { hookOf } from '../../library/testing/hooks.ts'
import type { Override, Pattern } from '../hook.ts'
import { applyOverrides } from './overrides.ts'

const names = (...list: readonly string[]): Pattern => ({ kind: 'names', names: list })
const writer: Override = { on: 'PreToolUse', agent: names('writer') }
const reader: Override = { on: 'PreToolUse', agent: { kind: 'glob', globs: ['read*'] } }
const exceptAgentsOf = (more: Parameters<typeof hookOf>[0], overrides: readonly Override[]) =>
  applyOverrides([hookOf(more)], overrides)[0]?.actor.exceptAgents

describe('overrides by agents', () => {
  it('remove a hook for all agents from each of these agents', () => {
    expect(exceptAgentsOf({}, [writer, reader])).toEqual([writer.agent, reader.agent])
  })

  it('are added to the existing overrides of the hook', () => {
    expect(exceptAgentsOf({ actor: { exceptAgents: [names('x')] } }, [writer])).toEqual([
      names('x'),
      writer.agent,
    ])
  })

  it.each<[string, Parameters<typeof hookOf>[0]]>([
    ['a hook at another event', { on: 'Stop' }],
    ['a hook of one agent', { actor: { agentType: names('writer') } }],
    ['a required hook', { required: true }],
    ['a guard of a pack', { run: { type: 'guard', pack: 'safety', guard: 'x' } }],
  ])('leave %s as it is', (_name, more) => {
    const hook = hookOf(more)
    expect(applyOverrides([hook], [writer])).toEqual([hook])
  })

  it('return the same list if there are no overrides', () => {
    const hooks = [hookOf({})]
    expect(applyOverrides(hooks, [])).toBe(hooks)
  })
})
