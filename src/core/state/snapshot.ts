import { isObject, type Json, type JsonObject } from '../json.ts'
import { type FoldedSession, LIMITS } from './fold.ts'
import { allKeys, recentKeys } from './recent-keys.ts'
import type { ActorState, Spawn } from './state.ts'

/** A folded session as JSON, both ways: the first line of a file that continues a longer one. */
export function encodeSnapshot(state: FoldedSession): JsonObject {
  return {
    actors: [...state.actors] as unknown as Json,
    recorded: [...state.recorded],
    spawns: state.spawns as unknown as Json,
    keys: allKeys(state.keys),
    damaged: state.damaged,
  }
}

/** Undefined if it is not a snapshot. Its parts were checked when they were committed. */
export function decodeSnapshot(value: Json | undefined): FoldedSession | undefined {
  if (value === undefined || !isObject(value)) return undefined
  const { actors, recorded, spawns, keys, damaged } = value
  if (!Array.isArray(spawns) || !Array.isArray(keys) || typeof damaged !== 'boolean') return undefined
  if (!arePairs(actors) || !arePairs(recorded)) return undefined
  return {
    actors: new Map(actors as unknown as [string, ActorState][]),
    recorded: new Map(recorded as unknown as [string, JsonObject][]),
    spawns: spawns as unknown as readonly Spawn[],
    keys: recentKeys(keys.map(String), LIMITS.keys),
    damaged,
  }
}

function arePairs(value: Json | undefined): boolean {
  return (
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && typeof pair[0] === 'string' && isObject(pair[1]))
  )
}
