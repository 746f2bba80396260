import { HOLE } from '../words/gate.ts'
import { concatForms, exactForm, type Form, type Piece, textPiece, type Word } from '../words/words.ts'

/** What an expression of another language stands for, as far as its text tells. */
export type CodeValue =
  /** `decoded`: it was written in another alphabet (base64, hex), which honest code seldom runs. */
  | { readonly kind: 'text'; readonly form: Form; readonly decoded?: boolean }
  | {
      readonly kind: 'list'
      readonly items: readonly CodeValue[]
      readonly named: ReadonlyMap<string, CodeValue>
    }
  /** Something known by the name it was reached by: `os.path`; with `args` what a call of it returned. */
  | { readonly kind: 'thing'; readonly name: string; readonly made?: CodeCall }
  /** One of these: what a loop goes over. */
  | { readonly kind: 'any'; readonly of: readonly CodeValue[] }
  | { readonly kind: 'unknown'; readonly text: string }

export interface CodeCall {
  /** `os.system`, `child_process.exec`; for a method of what was returned, `open().write`. */
  readonly name: string
  readonly args: readonly CodeValue[]
  readonly named: ReadonlyMap<string, CodeValue>
  /** What the method was called on. */
  readonly receiver: CodeValue | undefined
}

export const NO_NAMES: ReadonlyMap<string, CodeValue> = new Map()

/** A hole in the code (`python3 -c "f('$X')"`) is a part that is not known. */
export function codeText(value: string): CodeValue {
  if (!value.includes(HOLE)) return { kind: 'text', form: value === '' ? [] : [textPiece(value)] }
  const pieces = value.split(new RegExp(`(${HOLE}+)`)).map((part): Piece => {
    return part.startsWith(HOLE) ? { kind: 'unknown', text: '…' } : textPiece(part)
  })
  return { kind: 'text', form: concatForms(pieces) }
}

export function unknown(source: string): CodeValue {
  return { kind: 'unknown', text: source }
}

export function list(
  items: readonly CodeValue[],
  named: ReadonlyMap<string, CodeValue> = NO_NAMES,
): CodeValue {
  return { kind: 'list', items, named }
}

/** The value as text to be put beside other text; what is not known becomes an unknown piece. */
export function formOf(value: CodeValue | undefined): Form {
  if (value?.kind === 'text') return value.form
  if (value === undefined) return []
  return [
    {
      kind: 'unknown',
      text: value.kind === 'unknown' ? value.text : value.kind === 'thing' ? value.name : '…',
    },
  ]
}

export function textOf(value: CodeValue | undefined): string | undefined {
  return value?.kind === 'text' ? exactForm(value.form) : undefined
}

/** Every text the value may be. */
export function possibleTexts(value: CodeValue | undefined): readonly Form[] {
  return value?.kind === 'any' ? value.of.map(formOf) : [formOf(value)]
}

/** What a loop over the value sees. */
export function elementOf(value: CodeValue): CodeValue {
  if (value.kind !== 'list') return value.kind === 'text' ? value : unknown('…')
  const [only] = value.items
  if (value.items.length === 1 && only !== undefined) return only
  return value.items.length > 16 || value.items.length === 0 ? unknown('…') : { kind: 'any', of: value.items }
}

export function concat(left: CodeValue, right: CodeValue): CodeValue {
  if (left.kind === 'any' && right.kind === 'any') return unknown('…')
  if (left.kind === 'any') return { kind: 'any', of: left.of.map((each) => concat(each, right)) }
  if (right.kind === 'any') return { kind: 'any', of: right.of.map((each) => concat(left, each)) }
  const decoded =
    (left.kind === 'text' && left.decoded === true) || (right.kind === 'text' && right.decoded === true)
  return { kind: 'text', form: concatForms(formOf(left), formOf(right)), ...(decoded ? { decoded } : {}) }
}

/** Path parts with a slash between them; an absolute one starts anew. */
export function joinPath(parts: readonly CodeValue[]): CodeValue {
  return parts.reduce<CodeValue>((left, right, index) => {
    if (index === 0 || /^[/~]/.test(textOf(right) ?? '')) return right
    const slash = /\/$/.test(textOf(left) ?? '') ? '' : '/'
    return concat(concat(left, codeText(slash)), right)
  }, codeText(''))
}

/** The words of a command given as a list; undefined when it is no list. */
export function wordsOf(value: CodeValue | undefined): readonly Word[] | undefined {
  if (value?.kind !== 'list') return undefined
  return value.items.map(wordOf)
}

export function wordOf(value: CodeValue): Word {
  const form = formOf(value)
  return {
    source: exactForm(form) ?? form.map((piece) => piece.text).join(''),
    forms: [form],
    splits: value.kind !== 'text' && value.kind !== 'thing',
  }
}
