import { HOLE } from './gate.ts'
import { BRACKET } from './patterns.ts'

/**
 * What a word becomes when the shell expands it: text that is certain, a few possible texts, or not known before
 * it runs. Nothing here guesses: what is not worked out is an `unknown` piece, and guards treat that as a doubt.
 */
export interface Word {
  readonly source: string
  /** Every text it may be. Never empty. */
  readonly forms: readonly Form[]
  /** It may turn into several words, or none. */
  readonly splits: boolean
}

export type Form = readonly Piece[]

/** `glob`: some text that matches the pattern. `unknown`: any text; `text` is how it was written. */
export interface Piece {
  readonly kind: 'text' | 'glob' | 'unknown'
  readonly text: string
}

export function exactWord(value: string): Word {
  return { source: value, forms: [value === '' ? [] : [textPiece(value)]], splits: false }
}

export function unknownWord(source: string): Word {
  return { source, forms: [[{ kind: 'unknown', text: source }]], splits: true }
}

/** The text of a word that can be only one, without patterns. */
export function exactText(word: Word | undefined): string | undefined {
  return word?.forms.length === 1 && word.forms[0] !== undefined ? exactForm(word.forms[0]) : undefined
}

/** Asked hundreds of times for every command, so it makes nothing but the text. */
export function exactForm(form: Form): string | undefined {
  let text = ''
  for (const piece of form) {
    if (piece.kind !== 'text') return undefined
    text += piece.text
  }
  return text
}

/** Every possible text of the word that is exact; the others are left out. */
export function exactTexts(word: Word): readonly string[] {
  return word.forms.map(exactForm).filter((each) => each !== undefined)
}

export function hasUnknown(form: Form): boolean {
  return form.some((piece) => piece.kind === 'unknown')
}

/** Nothing at all is known of the text. */
export function isWhollyUnknown(form: Form): boolean {
  return form.length > 0 && form.every((piece) => piece.kind === 'unknown')
}

/** The form as source text to be parsed again; what is unknown becomes a hole in it. */
export function textWithHoles(form: Form): string {
  return form.map((piece) => (piece.kind === 'unknown' ? HOLE : piece.text)).join('')
}

/** More possible texts than this are one unknown. */
export const FORMS_MAX = 32

/** The words as one text, as `eval` joins its arguments. Undefined when there are too many combinations. */
export function joinWords(words: readonly Word[]): readonly Form[] | undefined {
  let forms: readonly Form[] = [[]]
  for (const [index, word] of words.entries()) {
    const gap = index === 0 ? [] : [textPiece(' ')]
    forms = forms.flatMap((form) => word.forms.map((next) => concatForms(form, gap, next)))
    if (forms.length > FORMS_MAX) return undefined
  }
  return forms
}

/** Text read as a pattern by the command it is given to (`find -name '*.log'`). */
export function patternForm(value: string): Form {
  return concatForms(patternPieces(value))
}

const PATTERN = new RegExp(`(\\*+|\\?|${BRACKET.source})`)

/** Text in which `*`, `?` and `[…]` are patterns. */
function patternPieces(value: string): readonly Piece[] {
  const parts = value.split(PATTERN)
  return parts.map((part, index) => (index % 2 === 1 ? { kind: 'glob', text: part } : textPiece(part)))
}

export function textPiece(value: string): Piece {
  return { kind: 'text', text: value }
}

/** Text as a form; nothing is no piece at all. */
export function textForm(text: string): Form {
  return text === '' ? [] : [{ kind: 'text', text }]
}

/** A variable doubled often enough (`x=$x$x`) outgrows any memory; past this nothing is known of the text. */
const PIECES_MAX = 64
const LENGTH_MAX = 32 * 1024

/** Forms one after the other as one: neighbouring texts joined, empty ones dropped. Every word of a command is made here. */
export function concatForms(...forms: readonly Form[]): Form {
  const result: Piece[] = []
  let last: Piece | undefined
  let length = 0
  for (const form of forms) {
    for (const piece of form) {
      length += piece.text.length
      if (length > LENGTH_MAX || result.length > PIECES_MAX) return [{ kind: 'unknown', text: '…' }]
      if (piece.text === '') continue
      if (piece.kind === 'text' && last?.kind === 'text') {
        last = { kind: 'text', text: last.text + piece.text }
        result[result.length - 1] = last
      } else {
        last = piece
        result.push(piece)
      }
    }
  }
  return result
}

/** The lines of a text that is known only in part: `printf '%s\\n' .c*`. */
export function itemForms(form: Form, gap: RegExp): readonly Form[] {
  const items: Form[] = [[]]
  for (const piece of form) {
    const [first = '', ...rest] = piece.kind === 'text' ? piece.text.split(gap) : [piece.text]
    items[items.length - 1] = concatForms(items.at(-1) ?? [], [{ ...piece, text: first }])
    for (const text of rest) items.push([textPiece(text)])
  }
  const filled = items.filter((item) => item.some(({ text }) => text !== ''))
  return filled.length === 0 || filled.length > ITEMS_MAX ? [form] : filled
}

const ITEMS_MAX = 16

/** The change applied to every text; undefined when one of them is not exact. */
export function eachText(
  forms: readonly Form[],
  change: (text: string) => string | undefined,
): readonly Form[] | undefined {
  const changed: Form[] = []
  for (const form of forms) {
    let text = ''
    for (const piece of form) {
      if (piece.kind !== 'text') return undefined
      text += piece.text
    }
    const next = change(text)
    if (next === undefined) return undefined
    changed.push(next === '' ? [] : [{ kind: 'text', text: next }])
  }
  return changed
}
