/** JSON as the hosts use it. Everything that is passed between processes is one of these. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that the text is; undefined if it is something else, or no JSON. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The string at `key`, or undefined when it is missing, empty or of another type. */
export function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A deeper value is a cycle, or an attack on code that walks it. */
const NESTING_MAX = 512

/**
 * A frozen copy that shares nothing with the original. Undefined if the value is not JSON: a function, a BigInt, NaN, an
 * object with a class, a cycle. As in JSON, a missing value is left out of objects and becomes null in lists.
 */
export function frozenCopy(value: unknown, depth = 0): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      // JSON has no minus zero.
      return Number.isFinite(value) ? value + 0 : undefined
    case 'object':
      if (value === null) return null
      if (depth >= NESTING_MAX) return undefined
      return Array.isArray(value) ? copiedList(value, depth) : copiedObject(value, depth)
    default:
      return undefined
  }
}

function copiedList(list: readonly unknown[], depth: number): Json | undefined {
  const copy: Json[] = []
  for (const value of list) {
    const copied = value === undefined ? null : frozenCopy(value, depth + 1)
    if (copied === undefined) return undefined
    copy.push(copied)
  }
  return Object.freeze(copy)
}

function copiedObject(object: object, depth: number): JsonObject | undefined {
  if (!isPlain(object)) return undefined
  const copy: Record<string, Json> = {}
  for (const key of Object.keys(object)) {
    const value: unknown = object[key as keyof typeof object]
    if (value === undefined) continue
    const copied = frozenCopy(value, depth + 1)
    if (copied === undefined) return undefined
    // A normal assignment to this name would set the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copied, enumerable: true })
    else copy[key] = copied
  }
  return Object.freeze(copy)
}

/** An Error or a Map is an object too. Objects of other realms count: the prototype must be the last one. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Freezes new JSON. A value that is already frozen is assumed to be frozen completely. */
export function frozen<T extends Json | undefined>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}
