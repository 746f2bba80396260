import { wordList } from '../../core/word-list.ts'
import type { Opened, Token } from './tokens.ts'

/** How a language is written: its comments, quotations, names and marks. */
export interface Lexicon {
  readonly lineComment: RegExp
  readonly blockComments: readonly (readonly [open: RegExp, close: string])[]
  /** Longest mark first. */
  readonly quotes: readonly (readonly [mark: string, quote: Quote])[]
  readonly name: RegExp
  readonly marks: readonly string[]
  readonly escape: string
  /** Quotations that cannot be told by their first mark alone. */
  readonly special?: (text: string, at: number, before: Token | undefined) => Opened | undefined
}

export interface Quote {
  readonly kind: 'string' | 'command'
  readonly escapes: 'all' | 'quote' | 'none'
  /** What begins something put into the text. */
  readonly fills?: '{' | '${' | '#{' | '$'
  readonly close?: string
  /** What belongs to the quotation after its end. */
  readonly after?: RegExp
}

const PLAIN: Quote = { kind: 'string', escapes: 'all' }
const QUOTE: Quote = { kind: 'string', escapes: 'quote' }
const RAW: Quote = { kind: 'string', escapes: 'none' }
const HASH = /#[^\n]*/y
const SLASHES = /\/\/[^\n]*/y
const BLOCK = [/\/\*/y, '*/'] as const
const MARKS = wordList('=== !== **= <=> ... -> => :: ?. ?? .. == != <= >= && || += .= =~ << **')

const PYTHON: Lexicon = {
  lineComment: HASH,
  blockComments: [],
  quotes: [],
  name: /[A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*/y,
  marks: wordList('** -> := == != <= >= += // << >>'),
  escape: '\\',
  special(text, at) {
    const found = /^([rbfuRBFU]{0,2})('''|"""|'|")/.exec(text.slice(at, at + 5))
    if (found === null) return undefined
    const [all, prefix = '', close = ''] = found
    const fills = /f/i.test(prefix) ? { fills: '{' as const } : {}
    return {
      kind: 'string',
      escapes: /r/i.test(prefix) ? 'none' : 'all',
      ...fills,
      start: at + all.length,
      close,
    }
  },
}

/** Where a `/` begins a pattern: after nothing, a mark that is no closing bracket, or a word that wants an operand. */
function opensPattern(text: string, at: number, before: Token | undefined): boolean {
  if (text[at] !== '/' || text[at + 1] === '/' || text[at + 1] === '*') return false
  if (before === undefined || before.kind === 'line') return true
  if (before.kind === 'mark') return !/^[)\]}]$/.test(before.text)
  return (
    before.kind === 'name' &&
    /^(return|typeof|case|in|of|and|or|not|if|unless|when|split|grep|x|while|until|puts)$/.test(before.text)
  )
}

function pattern(text: string, at: number, before: Token | undefined): Opened | undefined {
  return opensPattern(text, at, before)
    ? { ...RAW, escapes: 'quote', start: at + 1, close: '/', after: /[a-z]*/y }
    : undefined
}

const JAVASCRIPT: Lexicon = {
  lineComment: SLASHES,
  blockComments: [BLOCK],
  quotes: [
    ["'", PLAIN],
    ['"', PLAIN],
    ['`', { kind: 'string', escapes: 'all', fills: '${' }],
  ],
  name: /[A-Za-z_$][\w$]*/y,
  marks: MARKS,
  escape: '\\',
  special: pattern,
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** A quotation whose delimiter is chosen by who writes it: `%w[a b]`, `qq{a}`. */
function bracketed(quote: Quote, start: number, open: string): Opened {
  const close = PAIRS[open]
  return close === undefined ? { ...quote, start, close: open } : { ...quote, start, close, open }
}

const RUBY: Lexicon = {
  lineComment: HASH,
  blockComments: [[/=begin\b/y, '=end']],
  quotes: [
    ["'", QUOTE],
    ['"', { ...PLAIN, fills: '#{' }],
    ['`', { kind: 'command', escapes: 'all', fills: '#{' }],
  ],
  name: /[@$]{0,2}[A-Za-z_]\w*[?!]?/y,
  marks: ['&.', ...MARKS],
  escape: '\\',
  special(text, at, before) {
    const found = /^%([qQwWxiI]?)([([{<|!/])/.exec(text.slice(at, at + 3))
    const operand =
      before === undefined || before.kind === 'mark' || before.kind === 'line' || before.kind === 'name'
    if (found === null || !operand) return pattern(text, at, before)
    const [all, letter = '', open = ''] = found
    const fills = letter === 'q' || letter === 'w' ? {} : { fills: '#{' as const }
    return bracketed(
      { kind: letter === 'x' ? 'command' : 'string', escapes: 'all', ...fills },
      at + all.length,
      open,
    )
  },
}

const PERL: Lexicon = {
  lineComment: HASH,
  blockComments: [[/=(?:pod|head\d|begin|item|over|for|encoding|cut)\b/y, '=cut']],
  quotes: [
    ["'", QUOTE],
    ['"', { ...PLAIN, fills: '$' }],
    ['`', { kind: 'command', escapes: 'all', fills: '$' }],
  ],
  name: /[$@%&]?\$?[A-Za-z_]\w*(?:(?:::)\w+)*|\$[\d_&!@/\\,;.0]/y,
  marks: MARKS,
  escape: '\\',
  special(text, at, before) {
    const names = globbed(text, at, before)
    if (names !== undefined) return names
    const member = before?.kind === 'mark' && before.text === '->'
    const found = member ? null : /^(qq|qx|qw|qr|q|m|s|tr|y)(\s*)([^\w\s,;)}=])/.exec(text.slice(at, at + 12))
    if (found === null || (at > 0 && /[\w$@%]/.test(text[at - 1] ?? ''))) return pattern(text, at, before)
    const [all, operator = '', , open = ''] = found
    if (open === '#' && found[2] !== '') return undefined
    const kind = operator === 'qx' ? 'command' : 'string'
    const fills = /^(qq|qx)$/.test(operator) ? { fills: '$' as const } : {}
    const close = PAIRS[open] ?? open
    const second = /^(s|tr|y)$/.test(operator)
      ? { after: secondHalf(open, close) }
      : /^(m|qr)$/.test(operator)
        ? { after: /[a-z]*/y }
        : {}
    return bracketed(
      { kind, escapes: /^(qq|qx)$/.test(operator) ? 'all' : 'quote', ...fills, ...second },
      at + all.length,
      open,
    )
  },
}

/** `<*.c>` lists files; `<STDIN>`, `<$f>` and `<>` read lines, and after an operand `<` is smaller. */
function globbed(text: string, at: number, before: Token | undefined): Opened | undefined {
  if (text[at] !== '<') return undefined
  const operand =
    before?.kind === 'number' ||
    before?.kind === 'string' ||
    (before?.kind === 'mark' && /^[)\]}]$/.test(before.text))
  const variable = before?.kind === 'name' && /^[$@%]/.test(before.text)
  if (operand || variable || !/^<[^<>\n;=\s]*[*?~/.{][^<>\n;]*>/.test(text.slice(at, at + 200)))
    return undefined
  return { ...PLAIN, fills: '$', start: at + 1, close: '>', call: 'glob' }
}

/** The replacement of `s/a/b/e`, with its flags. */
function secondHalf(open: string, close: string): RegExp {
  const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const begins = open === close ? '' : `\\s*${escaped(open)}`
  return new RegExp(`${begins}(?:[^${escaped(close)}\\\\]|\\\\.)*${escaped(close)}[a-z]*`, 'ys')
}

const PHP: Lexicon = {
  lineComment: /(?:#(?!\[)|\/\/)[^\n]*/y,
  blockComments: [BLOCK, [/<\?(?:php|=)?|\?>/y, '']],
  quotes: [
    ["'", QUOTE],
    ['"', { ...PLAIN, fills: '$' }],
    ['`', { kind: 'command', escapes: 'all', fills: '$' }],
  ],
  name: /\$?\\?[A-Za-z_]\w*(?:\\\w+)*/y,
  marks: MARKS,
  escape: '\\',
}

const LUA: Lexicon = {
  lineComment: /--(?!\[\[)[^\n]*/y,
  blockComments: [[/--\[\[/y, ']]']],
  quotes: [
    ['[[', { ...RAW, close: ']]' }],
    ["'", PLAIN],
    ['"', PLAIN],
  ],
  name: /[A-Za-z_]\w*/y,
  marks: ['...', '..', '==', '~=', '<=', '>=', '//', '::'],
  escape: '\\',
}

const R: Lexicon = {
  lineComment: HASH,
  blockComments: [],
  quotes: [
    ["'", PLAIN],
    ['"', PLAIN],
  ],
  name: /[A-Za-z_.][\w.]*/y,
  marks: wordList('<<- <- -> |> %>% :: == != <= >='),
  escape: '\\',
}

const APPLESCRIPT: Lexicon = {
  lineComment: /(?:--|#)[^\n]*/y,
  blockComments: [[/\(\*/y, '*)']],
  quotes: [['"', PLAIN]],
  name: /[A-Za-z_]\w*/y,
  marks: [],
  escape: '\\',
}

const AWK: Lexicon = {
  lineComment: HASH,
  blockComments: [],
  quotes: [['"', PLAIN]],
  name: /\$?[A-Za-z_]\w*|\$\d+/y,
  marks: wordList('|| && |& == != <= >= >> += ++ -- !~'),
  escape: '\\',
  special: pattern,
}

export const LEXICONS = {
  python: PYTHON,
  javascript: JAVASCRIPT,
  ruby: RUBY,
  perl: PERL,
  php: PHP,
  lua: LUA,
  r: R,
  applescript: APPLESCRIPT,
  awk: AWK,
} as const satisfies Readonly<Record<string, Lexicon>>
