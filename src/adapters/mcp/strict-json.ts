/**
 * Why a JSON text must be refused although it parses: two parsers may read it differently. Parsers differ on
 * which of two equal keys wins, so checking one and forwarding both would check nothing. Walks a text that
 * `JSON.parse` has accepted; for other texts the result has no meaning.
 */
export function ambiguityIn(text: string): string | undefined {
  // A set of keys for an object, undefined for a list.
  const open: (Set<string> | undefined)[] = []
  let expectsKey = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      const keys = open.at(-1)
      if (expectsKey && keys !== undefined) {
        const key = keyAt(text, at, end)
        if (keys.has(key)) return `has the key ${JSON.stringify(key.slice(0, SHOWN_MAX))} twice`
        keys.add(key)
        expectsKey = false
      }
      at = end
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (open.length === DEPTH_MAX) return 'is nested too deeply'
      open.push(code === OPEN_OBJECT ? new Set() : undefined)
      expectsKey = code === OPEN_OBJECT
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      open.pop()
      expectsKey = false
    } else if (code === COMMA) {
      expectsKey = open.at(-1) !== undefined
    }
  }
  return undefined
}

const QUOTE = 34
const COMMA = 44
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
/** Deeper than any real message, but shallow enough for recursive code. */
const DEPTH_MAX = 500
const SHOWN_MAX = 80

/** The index of the closing quote. Long strings are skipped with a search: results may have megabytes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/** As a parser reads it: `\u006d` is an `m`. */
function keyAt(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end)
  return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
}
