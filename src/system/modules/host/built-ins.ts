/**
 * Whether anything has changed the built-in objects or the global names since the start. Modules of one process share
 * these, so a module that changes them must not share its process.
 */
export function watchBuiltIns(): () => boolean {
  const before = objects()
  const known = before.map(describe)
  return () => {
    for (let i = 0; i < before.length; i += 1) {
      if (!isSame(before[i] as object, known[i] as Described)) return true
    }
    return false
  }
}

interface Described {
  readonly prototype: unknown
  readonly names: readonly PropertyKey[]
  readonly values: readonly PropertyDescriptor[]
}

const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect
const { is } = Object

function describe(object: object): Described {
  const names = ownKeys(object)
  const values = names.map((name) => getOwnPropertyDescriptor(object, name) as PropertyDescriptor)
  return { prototype: getPrototypeOf(object), names, values }
}

function isSame(object: object, { prototype, names, values }: Described): boolean {
  const now = ownKeys(object)
  if (now.length !== names.length || getPrototypeOf(object) !== prototype) return false
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as PropertyKey
    const [was, current] = [values[i], getOwnPropertyDescriptor(object, name)]
    if (now[i] !== name || current === undefined || was === undefined) return false
    // Node replaces some of its global getters by their values when they are first read.
    if (object === globalThis && was.get !== undefined && 'value' in current) continue
    if (!is(was.value, current.value) || was.get !== current.get || was.set !== current.set) return false
  }
  return true
}

/** The global object, everything it names, and their prototypes. */
function objects(): readonly object[] {
  const found = new Set<object>([globalThis])
  for (const name of ownKeys(globalThis)) {
    const value: unknown = getOwnPropertyDescriptor(globalThis, name)?.value
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
    if (!isObject || value === process) continue
    found.add(value)
    const prototype = getOwnPropertyDescriptor(value, 'prototype')?.value as object | undefined
    if (typeof prototype === 'object' && prototype !== null) found.add(prototype)
  }
  for (const value of [
    [][Symbol.iterator](),
    (function* () {})(),
    (async () => {})(),
    async function* () {},
  ]) {
    for (let at = getPrototypeOf(value); at !== null && !found.has(at); at = getPrototypeOf(at)) found.add(at)
  }
  return [...found]
}
