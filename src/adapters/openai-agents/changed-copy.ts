/** A copy with other parts. The SDK hides some properties of tools behind symbols, and a tool may be of a class. */
export function changedCopy<Whole extends object>(
  whole: Whole,
  parts: Partial<Record<keyof Whole, unknown>>,
): Whole {
  const descriptors = Object.getOwnPropertyDescriptors(whole)
  const copy: Whole = Object.create(Object.getPrototypeOf(whole), descriptors)
  for (const [key, value] of Object.entries(parts)) {
    Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return copy
}
