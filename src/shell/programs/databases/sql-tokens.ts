import { HOLE } from '../../words/gate.ts'

/**
 * SQL as tokens, for every dialect at once: comments are gone, what is quoted is one token, statements are apart.
 * It reads what a statement does, not whether it is right.
 */
export interface SqlToken {
  /** `hole`: known only at run time. `client`: a line for the client itself (`\! ls`, `.shell ls`). */
  readonly kind: 'word' | 'name' | 'text' | 'mark' | 'hole' | 'client'
  /** Words in capitals; what is quoted without its quotes. */
  readonly text: string
}

/** The statements of a text; unknown parts of it are `HOLE`s. */
export function readSql(source: string): readonly (readonly SqlToken[])[] {
  const statements: SqlToken[][] = []
  let current: SqlToken[] = []
  const close = () => {
    if (current.length > 0) statements.push(current)
    current = []
  }
  const text = source.replace(EXECUTED_COMMENT, ' $1 ')
  for (let at = 0; at < text.length; ) {
    const { token, length } = nextToken(text, at, current.length === 0)
    at += Math.max(1, length)
    if (token === undefined) continue
    if (token.kind === 'mark' && token.text === ';') close()
    else if (token.kind === 'client') {
      close()
      statements.push([token])
    } else current.push(token)
  }
  close()
  return statements
}

/** The word in capitals; empty for a token that is none. */
export function sqlWord(token: SqlToken | undefined): string {
  return token?.kind === 'word' ? token.text : ''
}

interface Next {
  readonly token: SqlToken | undefined
  readonly length: number
}

/** MySQL runs what stands in these. */
const EXECUTED_COMMENT = /\/\*M?!\d*([^*]*)\*\//g
const NOTHING = /\s+|--[^\n]*|(?<=^|\n)#[^\n]*/y
const CLIENT_LINE = /(?:\\|(?<=^|\n)[ \t]*\.(?=[a-z]))[^\n]*/y
const GO_LINE = /(?<=^|\n)[ \t]*go[ \t]*(?=\n|$)/iy
const WORD = /[\p{L}_@#][\p{L}\p{N}_$@#]*/uy
const NUMBER = /\d[\w.]*/y
const DOLLAR_QUOTE = /\$(?:[A-Za-z_]\w*)?\$/y

function nextToken(text: string, at: number, opensStatement: boolean): Next {
  const character = text[at] ?? ''
  const gap = matchAt(NOTHING, text, at)
  if (gap !== undefined) return { token: undefined, length: gap.length }
  if (text.startsWith('/*', at)) return { token: undefined, length: lengthTo(text, '*/', at + 2, at) }
  if (character === HOLE) return { token: { kind: 'hole', text: '' }, length: 1 }
  if (character === "'") return quoted(text, at, "'", 'text')
  if (character === '"' || character === '`') return quoted(text, at, character, 'name')
  const dollar = matchAt(DOLLAR_QUOTE, text, at)
  if (dollar !== undefined) return dollarQuoted(text, at, dollar)
  if (opensStatement || character === '\\') {
    const line = matchAt(CLIENT_LINE, text, at)
    if (line !== undefined) return { token: { kind: 'client', text: line.trim() }, length: line.length }
  }
  const go = matchAt(GO_LINE, text, at)
  if (go !== undefined) return { token: { kind: 'mark', text: ';' }, length: go.length }
  const word = matchAt(WORD, text, at)
  if (word !== undefined) return { token: { kind: 'word', text: word.toUpperCase() }, length: word.length }
  const number = matchAt(NUMBER, text, at)
  if (number !== undefined) return { token: { kind: 'text', text: number }, length: number.length }
  return { token: { kind: 'mark', text: character }, length: 1 }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function lengthTo(text: string, end: string, from: number, start: number): number {
  const found = text.indexOf(end, from)
  return (found < 0 ? text.length : found + end.length) - start
}

/** A doubled quote stands for itself. A backslash before it does so in some dialects: there the text ends later. */
function quoted(text: string, at: number, quote: string, kind: 'text' | 'name'): Next {
  let end = at + 1
  while (end < text.length && (text[end] !== quote || text[end + 1] === quote)) {
    end += text[end] === quote ? 2 : 1
  }
  return { token: { kind, text: text.slice(at + 1, end) }, length: end + 1 - at }
}

function dollarQuoted(text: string, at: number, mark: string): Next {
  const length = lengthTo(text, mark, at + mark.length, at)
  return { token: { kind: 'text', text: text.slice(at + mark.length, at + length - mark.length) }, length }
}
