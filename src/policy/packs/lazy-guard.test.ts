import { expect, it } from 'vitest'
import type { Guard } from '../../core/guard.ts'
import { actorOf, bash, frozenFacts } from '../../library/testing/events.ts'
import { lazyGuard } from './lazy-guard.ts'
import { forcePush } from './safety/git/force-push.ts'

const event = bash('git push --force')
const input = { event, actor: actorOf(event), facts: frozenFacts(), options: {}, memory: undefined }

function lazy(guard: Guard = forcePush) {
  let loads = 0
  const made = lazyGuard(guard, guard.concerns !== undefined, () => {
    loads += 1
    return guard
  })
  return { made, loads: () => loads }
}

it('is known by its name, its events, its tools and its topics before it is loaded', () => {
  const { made, loads } = lazy()
  const { id, on, match, topics } = forcePush
  expect({ id: made.id, on: made.on, match: made.match, topics: made.topics }).toEqual({
    id,
    on,
    match,
    topics,
  })
  expect([made.needs, made.knowsAgents, loads()]).toEqual([undefined, undefined, 0])
})

it('answers as the guard itself', () => {
  const { made, loads } = lazy()
  expect(made.concerns?.(event, input.facts)).toBe(true)
  expect(made.concerns?.(bash('ls'), input.facts)).toBe(false)
  expect(made.check(input)).toEqual(forcePush.check(input))
  expect(loads()).toBeGreaterThan(0)
})

it('has everything else of the guard', () => {
  const guard: Guard = {
    ...forcePush,
    ...{ skill: 's', grants: true, undoable: true, onFailure: 'pass', timeoutMs: 1, options: {} },
  }
  const { made } = lazy(guard)
  const others = Object.keys(guard).filter((key) => !/^(?:needs|knowsAgents|concerns|check)$/.test(key))
  const values = (each: Guard) => others.map((key) => [key, each[key as keyof Guard]])
  expect(values(made)).toEqual(values(guard))
})

it('has no quick check if the guard has none', () => {
  const { concerns: _concerns, ...guard } = forcePush
  expect(lazy(guard).made.concerns).toBeUndefined()
})
