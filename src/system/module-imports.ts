export interface Specifiers {
  readonly specifiers: readonly string[]
  /** True if something is loaded under a name that exists only when the code runs, or that cannot be read here. */
  readonly computed: boolean
}

/**
 * All names that a script imports. Names in comments and strings count too: this may pin one file too many, never one too
 * few. It assumes honest code: the person who trusts the file must find an import that is hidden on purpose.
 */
export function specifiersIn(text: string): Specifiers {
  const found = new Set<string>()
  let computed = false
  let isCommentOpen = false
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '/*' || token === '*/') {
      isCommentOpen = token === '/*'
      continue
    }
    const name = nameAfter(text, token, index + token.length, index)
    if (typeof name === 'string') found.add(name)
    else if (name === UNREADABLE && !isCommented(text, index, isCommentOpen)) computed = true
  }
  for (const { 2: name } of text.matchAll(STARTED)) if (name !== undefined) found.add(name)
  return { specifiers: [...found], computed }
}

/** Files that the script starts or addresses without an import. */
const STARTED =
  /(?<![\w$])(?:new\s{1,9}(?:Worker|URL)|fork|register)\s{0,9}\(\s{0,9}(['"`])(\.{1,2}\/[^'"`$\\\n]{1,300})\1/g

const UNREADABLE = Symbol('loads something nobody can name')

/** A method of another object does not count, but a spread does: `x.require(y)`, `[...require('./y')]`. */
const TOKENS =
  /\/\*|\*\/|(?<![\w$])(?:createRequire|(?<!(?<!\.\.)\.)(?:import|require|from))(?![\w$])|(?<![\w$])(?:module|main)\s{0,9}\.\s{0,9}require(?![\w$])/g

function nameAfter(
  text: string,
  token: string,
  end: number,
  start: number,
): string | typeof UNREADABLE | undefined {
  if (token === 'createRequire') return isPlainRequire(text, start, end) ? undefined : UNREADABLE
  if (token.endsWith('require') && token !== 'require') return UNREADABLE
  const next = skipGap(text, end)
  if (next === undefined) return UNREADABLE
  if (token !== 'require' && /['"]/.test(text.charAt(next))) return staticName(text, next)
  if (token === 'from') return undefined
  const call = token === 'require' && text.startsWith('?.', next) ? skipGap(text, next + 2) : next
  if (call !== undefined && text[call] === '(') return calledName(text, call + 1)
  return isPassedOn(text, token, start, next) ? UNREADABLE : undefined
}

/** `require` under its own name, relative to the script: its calls are then found as such. */
function isPlainRequire(text: string, start: number, end: number): boolean {
  const after = text.slice(end, end + LOOK_AROUND)
  if (/^\s*[,}]/.test(after)) return true
  const before = text.slice(Math.max(0, start - LOOK_AROUND), start)
  return (
    /\b(?:const|let|var)\s+require\s*=\s*(?:[\w$]+\.)?$/.test(before) &&
    /^\s*\(\s*(?:import\.meta\.(?:url|filename)|__filename)\s*\)/.test(after)
  )
}

/** A way to load files that continues under another name. */
function isPassedOn(text: string, token: string, start: number, next: number): boolean {
  const after = text.slice(next, next + LOOK_AROUND)
  if (token === 'import') return /^\.\s*(?:defer|source)\b/.test(after)
  const before = text.slice(Math.max(0, start - LOOK_AROUND), start)
  if (/^\.\s*(?:call|apply|bind)\b|^\[/.test(after)) return true
  return (
    (/=\s*$/.test(before) && /^(?:[;,)}]|$)|^\w/.test(after)) || (/\(\s*$/.test(before) && /^\)/.test(after))
  )
}

/** Skips spaces and comments. Undefined if the comments are unusually long. */
function skipGap(text: string, from: number): number | undefined {
  let at = from
  while (at - from < GAP_MAX) {
    const char = text.charAt(at)
    if (/\s/.test(char)) at += 1
    else if (text.startsWith('//', at) || text.startsWith('/*', at)) {
      const mark = text[at + 1] === '/' ? '\n' : '*/'
      const end = text.slice(at + 2, at + GAP_MAX).indexOf(mark)
      if (end < 0) return at + GAP_MAX < text.length ? undefined : text.length
      at += 2 + end + mark.length
    } else return at
  }
  return undefined
}

/** Limited, because an untrusted file must not make this slow. */
const GAP_MAX = 2_000
const NAME_MAX = 1_000
const LOOK_AROUND = 60
const LOOK_BACK = 200

interface Literal {
  readonly name: string
  readonly end: number
}

function literalAt(text: string, start: number): Literal | typeof UNREADABLE | undefined {
  const quote = text[start]
  for (let at = start + 1; at < Math.min(text.length, start + NAME_MAX); at += 1) {
    const char = text[at]
    if (char === quote) return { name: text.slice(start + 1, at), end: at + 1 }
    // Not a JavaScript string: prose, or the end of another string.
    if (char === '\n' && quote !== '`') return undefined
    if (char === '\\') at += 1
  }
  return start + NAME_MAX < text.length ? UNREADABLE : undefined
}

function staticName(text: string, start: number): string | typeof UNREADABLE | undefined {
  const literal = literalAt(text, start)
  if (typeof literal !== 'object') return literal
  if (!literal.name.includes('\\')) return literal.name
  const next = skipGap(text, literal.end) ?? text.length
  const isWhole =
    text.slice(literal.end, next).includes('\n') ||
    /^(?:$|;|with\b|assert\b)/.test(text.slice(next, next + 7))
  return isWhole ? UNREADABLE : undefined
}

function calledName(text: string, from: number): string | typeof UNREADABLE {
  const start = skipGap(text, from)
  if (start === undefined || !/['"`]/.test(text.charAt(start))) return UNREADABLE
  const literal = literalAt(text, start)
  if (typeof literal !== 'object' || /[\\$]/.test(literal.name)) return UNREADABLE
  const end = skipGap(text, literal.end)
  return end !== undefined && /[,)]/.test(text.charAt(end)) ? literal.name : UNREADABLE
}

/** The line begins as a comment, and the comment has not ended before this position. */
function isCommented(text: string, index: number, isCommentOpen: boolean): boolean {
  const before = text.slice(Math.max(0, index - LOOK_BACK), index)
  const line = /(?:^|\n)[^\S\n]*(\/\/|\/?\*)[^\n]*$/.exec(index <= LOOK_BACK ? `\n${before}` : before)
  if (line === null || (index > LOOK_BACK && !line[0].startsWith('\n'))) return false
  return line[1] === '//' || isCommentOpen
}
