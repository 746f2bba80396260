/** A place where a text is not TOML, and why. */
export interface TomlProblem {
  readonly line: number
  readonly why: string
}

/**
 * The first statement that is neither a table nor `key = value`, or that does not end. It is not a whole parser: what
 * a table that is added at the end of the file needs is that everything before it is closed.
 */
export function tomlProblem(text: string): TomlProblem | undefined {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const statement = match(BLANK, text, at)
    if (statement !== undefined) {
      at = statement
      continue
    }
    const wrong = (why: string, from = at) => ({ line: text.slice(0, from).split('\n').length, why })
    const begin = at
    const table = match(TABLE, text, at)
    const key = match(KEY, text, at)
    if (table !== undefined) at = table
    else if (key === undefined) return wrong('neither a table nor `key = value`')
    else {
      const end = valueEnd(text, key)
      if (end === undefined) return wrong('a value that is missing or does not end')
      at = end
    }
    const rest = match(LINE_END, text, at)
    if (rest === undefined) return wrong('more than one value in a line', begin)
    at = rest
  }
  return undefined
}

const BASIC = String.raw`"(?:[^"\\\r\n]|\\[^\r\n])*"`
const LITERAL = String.raw`'[^'\r\n]*'`
const NAME = `(?:[A-Za-z0-9_-]+|${BASIC}|${LITERAL})`
const DOTTED = String.raw`[ \t]*${NAME}(?:[ \t]*\.[ \t]*${NAME})*[ \t]*`
const BLANK = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y
const LINE_END = BLANK
const TABLE = new RegExp(String.raw`[ \t]*(?:\[\[${DOTTED}\]\]|\[${DOTTED}\])`, 'y')
const KEY = new RegExp(`${DOTTED}=[ \\t]*`, 'y')
const STRING = new RegExp(
  String.raw`"""(?:[^"\\]|\\[\s\S]|"(?!"")|"(?="""))*"""|'''(?:[^']|'(?!'')|'(?='''))*'''|${BASIC}|${LITERAL}`,
  'y',
)
/** Numbers, dates, times, `true`, `inf` and others. */
const BARE = /[A-Za-z0-9_+-][A-Za-z0-9_+.:-]*(?: \d\d:\d\d[\d:.Z+-]*)?/y
/** Between the parts of a list or an inline table. */
const BETWEEN = new RegExp(String.raw`(?:[ \t\r\n,]|#[^\n]*|${DOTTED}=)+`, 'y')

/** Where the value ends that begins here; undefined: there is none, or it does not end. */
function valueEnd(text: string, from: number): number | undefined {
  const open: string[] = []
  let at = from
  for (;;) {
    const char = text[at] ?? ''
    const simple = match(STRING, text, at) ?? match(BARE, text, at)
    if (char === '[' || char === '{') {
      open.push(char === '[' ? ']' : '}')
      at += 1
    } else if (open.length > 0 && char === open.at(-1)) {
      open.pop()
      at += 1
    } else if (simple !== undefined) at = simple
    else return undefined
    if (open.length === 0) return at
    at = match(BETWEEN, text, at) ?? at
  }
}

/** The end of what this pattern finds exactly here. */
function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
