import { types } from 'node:util'
import { ANSWER_MAX_BYTES } from './protocol.ts'

/**
 * A value of foreign code as JSON text. Everything is read by hand and no prototype is used, because that code may have
 * changed it: an answer arrives as it was given, or not at all. Throws if it is not valid.
 */
export function plainJson(value: unknown): string {
  const state: State = { bytes: 0, open: new Set() }
  const text = stringify(copy(value, state, 0))
  if (text === undefined) throw new Error('its answer has no JSON form')
  // Characters are counted on the way, so that nothing large is built; bytes only here.
  if (byteLength(text) > ANSWER_MAX_BYTES) throw tooLarge()
  return text
}

const { isProxy } = types
const { stringify } = JSON
const { byteLength } = Buffer
const { isArray } = Array
const { isFinite: isFiniteNumber } = Number
const { keys, getPrototypeOf, setPrototypeOf, create, defineProperty } = Object
const objectPrototype = Object.prototype
const DEPTH_MAX = 64

interface State {
  bytes: number
  readonly open: Set<object>
}
const has = Set.prototype.has.call.bind(Set.prototype.has) as (set: Set<object>, value: object) => boolean
const add = Set.prototype.add.call.bind(Set.prototype.add) as (set: Set<object>, value: object) => unknown
const remove = Set.prototype.delete.call.bind(Set.prototype.delete) as typeof add

function copy(value: unknown, state: State, depth: number): unknown {
  count(state, 8)
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? null
  if (typeof value === 'string') {
    count(state, value.length)
    return value
  }
  if (typeof value === 'number') {
    if (!isFiniteNumber(value)) throw new Error('its answer holds a number that JSON does not have')
    return value
  }
  if (typeof value !== 'object') throw new Error(`its answer holds a ${typeof value}`)
  if (isProxy(value)) throw new Error('its answer holds a proxy')
  if (depth > DEPTH_MAX) throw new Error(`its answer is nested deeper than ${DEPTH_MAX}`)
  if (has(state.open, value)) throw new Error('its answer contains itself')
  add(state.open, value)
  const made = isArray(value) ? copyList(value, state, depth) : copyObject(value, state, depth)
  remove(state.open, value)
  return made
}

function copyList(list: readonly unknown[], state: State, depth: number): unknown {
  const { length } = list
  count(state, length)
  const made: unknown[] = []
  // Without a prototype there is no `toJSON` to find.
  setPrototypeOf(made, null)
  for (let i = 0; i < length; i += 1) put(made, i, copy(list[i], state, depth + 1))
  return made
}

function copyObject(object: object, state: State, depth: number): unknown {
  const prototype: unknown = getPrototypeOf(object)
  if (prototype !== null && prototype !== objectPrototype) {
    throw new Error('its answer holds an object that is not plain data')
  }
  const made: object = create(null)
  const names = keys(object)
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string
    const value = (object as Record<string, unknown>)[name]
    if (value === undefined) continue
    count(state, name.length)
    put(made, name, copy(value, state, depth + 1))
  }
  return made
}

function put(target: object, key: string | number, value: unknown): void {
  defineProperty(target, key, {
    __proto__: null,
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  } as PropertyDescriptor)
}

function count(state: State, bytes: number): void {
  state.bytes += bytes
  if (state.bytes > ANSWER_MAX_BYTES) throw tooLarge()
}

function tooLarge(): Error {
  return new Error(`its answer has more than ${ANSWER_MAX_BYTES} bytes`)
}
