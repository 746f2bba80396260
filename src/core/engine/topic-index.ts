import type { Failure } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Topics } from '../guard.ts'
import type { Runner } from '../handler.ts'

/** Leaves out the hooks that name topics of which the event has none. The order stays that of the plan. */
export type TopicIndex = (hookIndexes: readonly number[], event: Event, facts: Facts) => readonly number[]

/**
 * Most guards look for a few acts, and most commands have none of them. Asking each guard would touch all of them for every
 * command, so they are found by their topics instead.
 */
export function createTopicIndex(runners: readonly (Runner | Failure)[]): TopicIndex {
  const lists = new WeakMap<readonly number[], IndexedList>()
  return (hookIndexes, event, facts) => {
    let list = lists.get(hookIndexes)
    if (list === undefined) {
      list = indexed(hookIndexes, runners)
      lists.set(hookIndexes, list)
    }
    if (list.byTopic.size === 0) return hookIndexes
    const found = new Set<number>()
    for (const [topicsOf, byTopic] of list.byTopic) {
      for (const topic of topicsOf(event, facts)) {
        for (const hookIndex of byTopic.get(topic) ?? NONE) found.add(hookIndex)
      }
    }
    return found.size === 0 ? list.always : [...list.always, ...found].sort((a, b) => a - b)
  }
}

interface IndexedList {
  /** The hooks that name no topics. */
  readonly always: readonly number[]
  /** The others, by what finds the topics of an event. */
  readonly byTopic: ReadonlyMap<FindTopics, ReadonlyMap<string, readonly number[]>>
}

type FindTopics = Topics['of']

const NONE: readonly number[] = []

function indexed(hookIndexes: readonly number[], runners: readonly (Runner | Failure)[]): IndexedList {
  const always: number[] = []
  const byTopic = new Map<FindTopics, Map<string, number[]>>()
  for (const hookIndex of hookIndexes) {
    const runner = runners[hookIndex]
    const topics = typeof runner === 'function' ? runner.topics : undefined
    if (topics === undefined) {
      always.push(hookIndex)
      continue
    }
    for (const { of, any } of topics) {
      const known = byTopic.get(of) ?? new Map<string, number[]>()
      byTopic.set(of, known)
      for (const topic of any) known.set(topic, [...(known.get(topic) ?? []), hookIndex])
    }
  }
  return { always, byTopic }
}
