import type { Word } from './words.ts'

/** A word for people: patterns stay, `‹$X›` is what is not known. */
export function spellWord(word: Word): string {
  const forms = word.forms.map((form) => {
    return form.map((piece) => (piece.kind === 'unknown' ? `‹${piece.text}›` : piece.text)).join('')
  })
  const [only = ''] = forms
  if (forms.length > 1) return `{${forms.join('|')}}`
  const blank = word.forms.some((form) =>
    form.some((piece) => piece.kind === 'text' && /\s/.test(piece.text)),
  )
  return only === '' || blank ? `'${only}'` : only
}
