import { isObject, type Json } from '../core/json.ts'

/** JSON for parsers that are stricter than ours: what they cannot read, they drop, and then the tool runs. */

/**
 * Half of a surrogate pair, as a text cut to length may end in, is legal for us and an error for many parsers. Every
 * escape is read in turn, so that an escaped backslash before `ud800` stays what it is.
 */
export function readableJson(value: Json): string {
  return JSON.stringify(value).replace(/\\(?:u(d[89a-f][\da-f]{2})|.)/g, (whole, half) =>
    half === undefined ? whole : '\uFFFD',
  )
}

/** Parsers in Rust give up at 128 levels, the reply's own included. */
export function isTooDeep(value: Json): boolean {
  return isDeeperThan(value, DEPTH_MAX)
}

const DEPTH_MAX = 100

function isDeeperThan(value: Json, levels: number): boolean {
  if (!isObject(value) && !Array.isArray(value)) return false
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}
