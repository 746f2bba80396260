/**
 * Computes what follows from a text alone once, although call after call of a session asks for it. Texts come from outside:
 * long ones are not kept, and a full table starts again.
 */
export function oncePerText<Found>(find: (text: string) => Found): (text: string) => Found {
  const known = new Map<string, Found>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined || known.has(text)) return before as Found
    const found = find(text)
    if (text.length > LENGTH_MAX) return found
    if (known.size >= KEPT_MAX) known.clear()
    known.set(text, found)
    return found
  }
}

/** More than the files that a session remembers to have written. */
const KEPT_MAX = 1_000
const LENGTH_MAX = 512

/** Whether a pattern is in a text: many files are looked up in one command, and most of them by the same patterns. */
export function isIn(text: string, pattern: RegExp): boolean {
  if (last.text !== text) last = { text, found: new Map() }
  const known = last.found.get(pattern)
  if (known !== undefined) return known
  const found = pattern.test(text)
  last.found.set(pattern, found)
  return found
}

let last: { readonly text: string; readonly found: Map<RegExp, boolean> } = { text: '', found: new Map() }
