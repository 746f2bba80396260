import {
  concatForms,
  exactForm,
  type Form,
  itemForms,
  type Piece,
  textPiece,
  unknownWord,
  type Word,
} from '../../words/words.ts'

/** The things that `xargs`, `parallel` and `fd` put into the command they run for each. */

/** The words with every marker replaced; where there is none, the thing stands at the end. */
export function withEach(words: readonly Word[], markers: readonly string[], each: Word): readonly Word[] {
  const marked = words.some((word) => markers.some((marker) => word.source.includes(marker)))
  if (!marked) return [...words, each]
  return words.map((word) => markers.reduce((changed, marker) => withItem(changed, marker, each), word))
}

/** The word with every `marker` in it replaced by what it stands for. */
export function withItem(word: Word, marker: string, by: Word | undefined): Word {
  if (by === undefined || !word.forms.some((form) => form.some((piece) => piece.text.includes(marker))))
    return word
  const forms = word.forms.flatMap((form) =>
    by.forms.map((value) => concatForms(...form.map((piece) => withMarker(piece, marker, value)))),
  )
  return forms.length > 64 ? unknownWord(word.source) : { source: word.source, forms, splits: by.splits }
}

function withMarker(piece: Piece, marker: string, value: Form): Form {
  if (piece.kind !== 'text') return [piece]
  const parts = piece.text.split(marker)
  return concatForms(
    ...parts.flatMap((text, index) => (index === 0 ? [[{ ...piece, text }]] : [value, [{ ...piece, text }]])),
  )
}

/** What is read from standard input, as words. */
export function listItemsOf(input: readonly Form[] | undefined, gap: RegExp): readonly Word[] {
  const [only] = input ?? []
  const text = only === undefined || input === undefined || input.length > 1 ? undefined : exactForm(only)
  if (text !== undefined) {
    return text
      .split(gap)
      .filter((item) => item !== '')
      .map(itemWord)
  }
  return input === undefined
    ? [unknownWord('standard input')]
    : [{ source: 'standard input', forms: input.flatMap((form) => itemForms(form, gap)), splits: true }]
}

/** Quotes are taken away, as xargs does, unless an option tells it not to. */
function itemWord(item: string): Word {
  const bare = item.replace(/["'\\]/g, '')
  const forms = bare === item ? [[textPiece(item)]] : [[textPiece(bare)], [textPiece(item)]]
  return { source: item, forms, splits: false }
}

export function merged(words: readonly Word[]): Word {
  return { source: 'standard input', forms: words.flatMap((word) => word.forms), splits: false }
}
