/**
 * Brace expansion is textual and comes before every other expansion, so it works on the source of a word:
 * `a{b,"c d"}` is `ab` and `a"c d"`. Quotes and substitutions are stepped over, never looked into.
 */
export const BRACES_MAX = 128
/** Looking for pairs is quadratic in the worst case; no honest word is this long. */
const LENGTH_MAX = 2_048

/** The words the braces make, or undefined when there would be more than BRACES_MAX. */
export function expandBraces(source: string): readonly string[] | undefined {
  if (source.length > LENGTH_MAX) return undefined
  const group = findGroup(source, 0)
  if (group === undefined) return [source]
  const before = source.slice(0, group.open)
  const tails = expandBraces(source.slice(group.close + 1))
  const heads: string[] = []
  for (const item of group.items) {
    const inner = group.range ? [item] : expandBraces(item)
    if (inner === undefined) return undefined
    heads.push(...inner)
    if (heads.length > BRACES_MAX) return undefined
  }
  if (tails === undefined || heads.length * tails.length > BRACES_MAX) return undefined
  return heads.flatMap((head) => tails.map((tail) => before + head + tail))
}

interface Group {
  readonly open: number
  readonly close: number
  readonly items: readonly string[]
  readonly range: boolean
}

/** The first pair of braces that expands: one with a comma or a range in it. */
function findGroup(source: string, from: number): Group | undefined {
  for (let at = from; at < source.length; at = skip(source, at)) {
    if (source[at] !== '{') continue
    const group = readGroup(source, at)
    if (group !== undefined) return group
  }
  return undefined
}

function readGroup(source: string, open: number): Group | undefined {
  const items: string[] = []
  let depth = 0
  let itemStart = open + 1
  for (let at = open + 1; at < source.length; at = skip(source, at)) {
    const character = source[at]
    if (character === '{') depth += 1
    else if (character === ',' && depth === 0) {
      items.push(source.slice(itemStart, at))
      itemStart = at + 1
    } else if (character === '}' && depth > 0) depth -= 1
    else if (character === '}') {
      const last = source.slice(itemStart, at)
      if (items.length > 0) return { open, close: at, items: [...items, last], range: false }
      const range = expandRange(last)
      return range === undefined ? undefined : { open, close: at, items: range, range: true }
    }
  }
  return undefined
}

const RANGE = /^(?:(-?\d{1,15})\.\.(-?\d{1,15})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,15}))?$/

/** `1..3` and `a..e..2`. More values than allowed are cut one past the bound, which the caller then refuses. */
function expandRange(text: string): readonly string[] | undefined {
  const found = RANGE.exec(text)
  if (found === null) return undefined
  const [, low, high, first, last, stepText] = found
  const letters = first !== undefined && last !== undefined
  const start = letters ? first.charCodeAt(0) : Number(low)
  const end = letters ? last.charCodeAt(0) : Number(high)
  const step = Math.max(1, Math.abs(Number(stepText ?? 1)))
  const count = Math.min(Math.floor(Math.abs(end - start) / step), BRACES_MAX) + 1
  const width = [low, high].some((bound) => /^-?0\d/.test(bound ?? ''))
    ? Math.max(low?.length ?? 0, high?.length ?? 0)
    : 0
  return Array.from({ length: count }, (_, index) => {
    const value = start + index * (end < start ? -step : step)
    return letters ? String.fromCharCode(value) : String(value).padStart(width, '0')
  })
}

/** The place after the character at `at`, past a whole quotation or substitution if one begins there. */
function skip(source: string, at: number): number {
  const character = source[at]
  if (character === '\\') return at + 2
  if (character === "'") return after(source, "'", at + 1, false)
  if (character === '"' || character === '`') return after(source, character, at + 1, true)
  if (character !== '$') return at + 1
  const next = source[at + 1]
  if (next === "'") return after(source, "'", at + 2, true)
  if (next === '(') return afterPair(source, at + 1, '(', ')')
  if (next === '{') return afterPair(source, at + 1, '{', '}')
  return at + 1
}

function after(source: string, quote: string, from: number, escapes: boolean): number {
  for (let at = from; at < source.length; at += 1) {
    if (escapes && source[at] === '\\') at += 1
    else if (source[at] === quote) return at + 1
  }
  return source.length
}

function afterPair(source: string, from: number, open: string, close: string): number {
  let depth = 0
  for (let at = from; at < source.length; ) {
    const character = source[at]
    if (character === open) depth += 1
    else if (character === close) {
      depth -= 1
      if (depth === 0) return at + 1
    }
    at =
      character === '\\' || character === "'" || character === '"' || character === '`'
        ? skip(source, at)
        : at + 1
  }
  return source.length
}
