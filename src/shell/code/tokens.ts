import type { Lexicon, Quote } from './lexicons.ts'

/** The words of a program in another language: enough to find the calls it makes, not enough to run it. */
export type Token =
  | { readonly kind: 'name' | 'number' | 'mark' | 'line'; readonly text: string }
  /** `parts` are texts and the tokens of what is put between them. A `command` is text that is run: back-quotes. */
  | { readonly kind: 'string' | 'command'; readonly text: string; readonly parts: readonly StringPart[] }

export type StringPart = string | readonly Token[]

export interface Tokens {
  readonly tokens: readonly Token[]
  /** A quotation or comment that never ends, or more text than is looked at: what follows was not read. */
  readonly broken: boolean
}

const TOKENS_MAX = 6_000
const DEPTH_MAX = 8
const FILL_MAX = 2_000

export function tokenize(text: string, lexicon: Lexicon, depth = 0): Tokens {
  const tokens: Token[] = []
  const end = (broken: boolean): Tokens => ({ tokens, broken })
  let at = 0
  while (at < text.length) {
    if (tokens.length > TOKENS_MAX) return end(true)
    const gap = skipped(text, at, lexicon)
    if (gap === undefined) return end(true)
    if (gap > at) {
      if (text.slice(at, gap).includes('\n')) tokens.push({ kind: 'line', text: '\n' })
      at = gap
      continue
    }
    const quoted = quotation(text, at, lexicon, tokens.at(-1))
    if (quoted !== undefined) {
      const closed = readQuoted(text, quoted, lexicon, depth)
      if (closed === undefined) return end(true)
      tokens.push(...asCall(closed.token, quoted.call), ...closed.more)
      at = closed.next
      continue
    }
    const word = matchAt(lexicon.name, text, at) ?? matchAt(NUMBER, text, at)
    if (word !== undefined) {
      tokens.push({ kind: /^\d/.test(word) ? 'number' : 'name', text: word })
      at += word.length
      continue
    }
    const mark = lexicon.marks.find((each) => text.startsWith(each, at)) ?? text[at] ?? ''
    tokens.push({ kind: 'mark', text: mark })
    at += mark.length
  }
  return end(false)
}

/** A quotation that stands for a call with its text. */
function asCall(token: Token, call: string | undefined): readonly Token[] {
  if (call === undefined) return [token]
  return [{ kind: 'name', text: call }, { kind: 'mark', text: '(' }, token, { kind: 'mark', text: ')' }]
}

const NUMBER = /\d[\w.]*/y

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Past blanks and comments; undefined when a comment has no end. */
function skipped(text: string, from: number, lexicon: Lexicon): number | undefined {
  const blank = matchAt(/\s+/y, text, from)
  if (blank !== undefined) return from + blank.length
  const line = matchAt(lexicon.lineComment, text, from)
  if (line !== undefined) return from + line.length
  for (const [open, close] of lexicon.blockComments) {
    const begins = matchAt(open, text, from)
    if (begins === undefined || (/^=/.test(begins) && from > 0 && text[from - 1] !== '\n')) continue
    const end = text.indexOf(close, from + begins.length)
    if (end >= 0) return end + close.length
    // Documentation may stand last without an end mark.
    return begins.startsWith('=') ? text.length : undefined
  }
  return from
}

export interface Opened extends Quote {
  /** Where the text inside begins. */
  readonly start: number
  readonly close: string
  /** The function it is called with: `<*.c>` of Perl is `glob("*.c")`. */
  readonly call?: string
  /** The bracket that nests inside, where the quotation is written with brackets. */
  readonly open?: string
}

function quotation(
  text: string,
  at: number,
  lexicon: Lexicon,
  before: Token | undefined,
): Opened | undefined {
  const special = lexicon.special?.(text, at, before)
  if (special !== undefined) return special
  for (const [mark, quote] of lexicon.quotes) {
    if (text.startsWith(mark, at)) return { ...quote, start: at + mark.length, close: quote.close ?? mark }
  }
  return undefined
}

function readQuoted(
  text: string,
  quote: Opened,
  lexicon: Lexicon,
  depth: number,
): { readonly token: Token; readonly more: readonly Token[]; readonly next: number } | undefined {
  const parts: StringPart[] = []
  let plain = ''
  let nested = 0
  let at = quote.start
  for (; at < text.length; ) {
    if (nested === 0 && text.startsWith(quote.close, at)) {
      if (plain !== '') parts.push(plain)
      const whole = parts.map((part) => (typeof part === 'string' ? part : '…')).join('')
      const after = trailing(text, at + quote.close.length, quote)
      // `s/a/code/e`: the replacement is run.
      const more = /\W[a-z]*e[a-z]*$/.test(after)
        ? tokenize(after.replace(/\W[a-z]*$/, ''), lexicon, depth + 1).tokens
        : []
      return {
        token: { kind: quote.kind, text: whole, parts },
        more,
        next: at + quote.close.length + after.length,
      }
    }
    const character = text[at] ?? ''
    if (quote.open !== undefined && character === quote.open) nested += 1
    else if (quote.open !== undefined && character === quote.close) nested -= 1
    if (character === lexicon.escape && quote.escapes !== 'none') {
      const { value, length } = unescaped(text, at + 1, quote)
      plain += value
      at += 1 + length
      continue
    }
    const inner = quote.fills === undefined ? undefined : filled(text, at, quote.fills)
    if (inner !== undefined && depth < DEPTH_MAX) {
      if (plain !== '') parts.push(plain)
      plain = ''
      parts.push(tokenize(inner.code, lexicon, depth + 1).tokens)
      at = inner.next
      continue
    }
    plain += character
    at += 1
  }
  return undefined
}

/** The second half of `s/a/b/` and `tr/a/b/`, and the flags of a pattern. */
function trailing(text: string, at: number, quote: Opened): string {
  return quote.after === undefined ? '' : (matchAt(quote.after, text, at) ?? '')
}

/** What a string puts between its texts: `{x}`, `${x}`, `#{x}`, `$x`. */
function filled(
  text: string,
  at: number,
  fills: string,
): { readonly code: string; readonly next: number } | undefined {
  if (fills === '$') {
    const variable = matchAt(
      /\$(?:\{\w+\}|\(|(?:env:|::)?\w+(?:->\w+|\{[^}]*\}|\[[^\]]*\]|::\w+)*)|\{\$[^}]*\}/y,
      text,
      at,
    )
    if (variable === undefined) return undefined
    if (variable !== '$(')
      return {
        code: variable.replace(/^\$\{(\w+)\}$/, '$$$1').replace(/^\{(.*)\}$/s, '$1'),
        next: at + variable.length,
      }
  } else if (!text.startsWith(fills, at)) return undefined
  if (fills === '{' && text[at + 1] === '{') return undefined
  const open = fills === '$' ? '(' : '{'
  const close = open === '(' ? ')' : '}'
  let depth = 0
  const start = text.indexOf(open, at) + 1
  for (let end = start; end < Math.min(text.length, start + FILL_MAX); end += 1) {
    if (text[end] === open) depth += 1
    else if (text[end] === close) {
      if (depth === 0) return { code: text.slice(start, end), next: end + 1 }
      depth -= 1
    }
  }
  return undefined
}

const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  0: '\0',
  a: '',
  b: '',
  f: '',
  v: '',
  e: '\x1b',
  '\n': '',
}
const CODES =
  /x\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{1,2})|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|([0-7]{1,3})/y

function unescaped(
  text: string,
  at: number,
  quote: Quote,
): { readonly value: string; readonly length: number } {
  const next = text[at] ?? ''
  // Single quotes of most languages know only \' and \\.
  if (quote.escapes === 'quote')
    return /['"\\/]/.test(next) ? { value: next, length: 1 } : { value: '\\', length: 0 }
  CODES.lastIndex = at
  const code = CODES.exec(text)
  if (code === null) return { value: ESCAPED[next] ?? next, length: next.length }
  const hex = code[1] ?? code[2] ?? code[3] ?? code[4]
  const point = hex === undefined ? Number.parseInt(code[5] ?? '0', 8) : Number.parseInt(hex, 16)
  return { value: point <= 0x10ffff ? String.fromCodePoint(point) : '', length: code[0].length }
}
