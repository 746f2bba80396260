/**
 * Reads TypeScript just well enough for the gates: which modules a file names, and which parts are code as opposed to
 * comments, strings and regular expressions. It is not a parser: if it cannot tell, it keeps the text as code and an
 * import as a real one, so that a gate checks too much rather than too little.
 */
export interface Import {
  /** As written; undefined for an `import()` or `require()` whose argument is not a plain string. */
  readonly specifier: string | undefined
  readonly line: number
  /** Erased before the program runs: `import type`, `export type ... from`. */
  readonly typeOnly: boolean
  /** `import()` or `require()`: loaded when the line runs, not when the file is loaded. */
  readonly lazy: boolean
}

/** Every module a file names, in order. */
export function importsOf(text: string): readonly Import[] {
  const code = codeOnly(text)
  const imports: Import[] = []
  let statement = 0
  for (const match of code.matchAll(/(?<![.\w$])(import|export|from|require)\b\s*(\(?)\s*(['"`]?)/g)) {
    const [whole, word, paren, quote] = match
    if (word === 'export' || (word === 'import' && !paren && !quote)) statement = match.index
    else if (word === 'from' ? quote && !paren : word === 'import' || paren) {
      imports.push({
        specifier: quote ? stringFrom(text, code, match.index + whole.length, quote) : undefined,
        line: lineAt(code, match.index),
        typeOnly: word === 'from' && /^\w+\s+type\s+[\w${*]/.test(code.slice(statement, match.index)),
        lazy: Boolean(paren),
      })
    }
  }
  return imports
}

/** 1-based. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/**
 * The text, same length and same lines, with comments, the inside of strings and regular expressions blanked.
 * Code inside a template's `${}` stays.
 */
export function codeOnly(text: string): string {
  let out = ''
  let last = ''
  // One entry for each open `${`: how many braces are open inside it.
  const templates: number[] = []
  while (out.length < text.length) {
    const insideTemplate = templates.at(-1) === 0
    const token = tokenAt(text, out.length, last, insideTemplate)
    out += token.masked
    if (token.masked.trim() !== '') last = token.kind === 'literal' ? LITERAL : token.masked
    if (token.kind === 'template') {
      if (insideTemplate && token.masked.startsWith('}')) templates.pop()
      if (token.masked.endsWith('${')) templates.push(0)
      last = token.masked.endsWith('${') ? '{' : LITERAL
    }
    const depth = templates.at(-1)
    if (token.kind === 'code' && depth !== undefined) {
      if (token.masked === '{') templates[templates.length - 1] = depth + 1
      if (token.masked === '}') templates[templates.length - 1] = depth - 1
    }
  }
  return out
}

const LITERAL = 'literal'
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/y
const TEMPLATE = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const WORD_OR_SPACE = /[\w$]+|\s+/y

interface Token {
  readonly masked: string
  readonly kind: 'code' | 'literal' | 'template'
}

function tokenAt(text: string, at: number, last: string, insideTemplate: boolean): Token {
  const comment = matchAt(COMMENT, text, at)
  if (comment) return { masked: blank(comment), kind: 'code' }
  const string = matchAt(STRING, text, at)
  if (string) return { masked: blankInside(string, 1, isClosed(string) ? 1 : 0), kind: 'literal' }
  if (text[at] === '`' || (insideTemplate && text[at] === '}')) {
    const chunk = matchAt(TEMPLATE, text, at)
    return { masked: blankInside(chunk, 1, chunk.endsWith('${') ? 2 : 1), kind: 'template' }
  }
  const regex = startsExpression(last) ? matchAt(REGEX, text, at) : ''
  if (regex) return { masked: blankInside(regex, 1, 1), kind: 'literal' }
  return { masked: matchAt(WORD_OR_SPACE, text, at) || text.charAt(at), kind: 'code' }
}

/** Whether a `/` after this token opens a regular expression; otherwise it divides. */
function startsExpression(last: string): boolean {
  if (/^[\w$]+$/.test(last)) {
    return /^(?:return|typeof|case|in|of|instanceof|new|delete|void|throw|await|yield|else|do)$/.test(last)
  }
  return last === '' || !/[)\]}]$/.test(last)
}

function isClosed(string: string): boolean {
  return string.length > 1 && string.endsWith(string.charAt(0))
}

function stringFrom(text: string, code: string, start: number, quote: string): string | undefined {
  const end = code.indexOf(quote, start)
  return end < 0 || code.slice(start, end).includes('${') ? undefined : text.slice(start, end)
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function blankInside(text: string, first: number, lastLength: number): string {
  const end = Math.max(first, text.length - lastLength)
  return text.slice(0, first) + blank(text.slice(first, end)) + text.slice(end)
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
