const KEY = Symbol.for('holdpoint.plugins')

/** One for the whole process, also if an agent loads this module several times. */
export function once<T>(name: string, create: () => T): T {
  const known = registry()
  if (!known.has(name)) known.set(name, create())
  return known.get(name) as T
}

function registry(): Map<string, unknown> {
  const all = globalThis as { [KEY]?: Map<string, unknown> }
  all[KEY] ??= new Map()
  return all[KEY]
}
