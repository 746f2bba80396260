import { HOLE } from '../words/gate.ts'
import {
  concatForms,
  exactForm,
  type Form,
  hasUnknown,
  type Piece,
  patternForm,
  textPiece,
  unknownWord,
  type Word,
} from '../words/words.ts'
import type { VariableScope } from './scope.ts'

export const BREAK = Symbol('the next word begins here')

/** One possible expansion of a word that is not complete yet. */
export interface PartialWord {
  readonly pieces: readonly (Piece | typeof BREAK)[]
  /** A quotation, even an empty one, makes a word. */
  readonly keeps: boolean
  readonly splits: boolean
}

/** A partial word that can still be extended. */
export interface WordBuilder {
  readonly pieces: (Piece | typeof BREAK)[]
  keeps: boolean
  splits: boolean
}

export function append(partial: WordBuilder, more: PartialWord): void {
  for (const piece of more.pieces) partial.pieces.push(piece)
  partial.keeps ||= more.keeps
  partial.splits ||= more.splits
}

export function concatenated(left: PartialWord, right: PartialWord): WordBuilder {
  const both: WordBuilder = { ...left, pieces: [...left.pieces] }
  append(both, right)
  return both
}

const BLANKS = /[ \t\n]+/

/** What separates words; undefined when that is known only at run time. */
function gapsOf(scope: VariableScope): RegExp | undefined {
  const set = scope.variables.get('IFS')
  if (set === undefined || set.unset === true) return BLANKS
  const [only] = 'forms' in set ? set.forms : []
  const marks = only === undefined || ('forms' in set && set.forms.length > 1) ? undefined : exactForm(only)
  if (marks === undefined) return undefined
  if (marks === '') return /(?!)/
  return new RegExp(`[${marks.replace(/[\\\]^-]/g, '\\$&')}]+`)
}

/** A value put into a word: unquoted it is split at blanks and its `*?[` are patterns. */
export function wordFromValue(form: Form, quoted: boolean, scope: VariableScope): PartialWord {
  if (quoted) return { ...wordFromForm(form), keeps: true }
  if (scope.keepsWords === true) return wordFromForm(form)
  const gaps = gapsOf(scope)
  if (gaps === undefined && form.length > 0) return unknownPartialWord('$IFS', false)
  const pieces: (Piece | typeof BREAK)[] = []
  for (const piece of form) {
    if (piece.kind !== 'text') pieces.push(piece)
    else {
      const fields = gaps === undefined ? [piece.text] : piece.text.split(gaps)
      for (const [index, field] of fields.entries()) {
        if (index > 0) pieces.push(BREAK)
        pieces.push(...patternForm(field))
      }
    }
  }
  return { pieces, keeps: false, splits: hasUnknown(form) }
}

export function wordFromText(value: string, quoted: boolean): PartialWord {
  if (!value.includes(HOLE)) return { pieces: [textPiece(value)], keeps: quoted, splits: false }
  const pieces = value.split(new RegExp(`(${HOLE}+)`)).map((part): Piece => {
    return part.startsWith(HOLE) ? { kind: 'unknown', text: '…' } : textPiece(part)
  })
  return { pieces, keeps: quoted, splits: !quoted }
}

export function wordFromForm(form: Form): PartialWord {
  return { pieces: form, keeps: false, splits: false }
}

export function unknownPartialWord(source: string, quoted: boolean): PartialWord {
  return { pieces: [{ kind: 'unknown', text: source }], keeps: quoted, splits: !quoted }
}

export function fieldsOf(source: string, partials: readonly PartialWord[]): readonly Word[] {
  const splits = partials.some((partial) => partial.splits)
  if (partials.every((partial) => !partial.pieces.includes(BREAK))) {
    const forms = partials.map((partial) => concatForms(partial.pieces.filter((piece) => piece !== BREAK)))
    const gone = forms.every((form) => form.length === 0) && partials.every((partial) => !partial.keeps)
    return gone ? [] : [{ source, forms, splits }]
  }
  const [only] = partials
  if (only === undefined || partials.length > 1) return [unknownWord(source)]
  const fields: Piece[][] = [[]]
  for (const piece of only.pieces) {
    if (piece === BREAK) fields.push([])
    else fields.at(-1)?.push(piece)
  }
  return fields
    .map((pieces) => concatForms(pieces))
    .filter((form) => form.length > 0)
    .map((form) => ({ source, forms: [form], splits }))
}
