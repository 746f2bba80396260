import { concatForms, type Form, type Word } from '../words/words.ts'

/** The assignments a word may be, as `env`, `sudo` and `export` read it. */
export function assignedBy(
  word: Word,
): readonly { readonly name: string; readonly value: Form; readonly append: boolean }[] {
  return word.forms.flatMap((form) => {
    const [first, ...rest] = form
    const found = first?.kind === 'text' ? /^([A-Za-z_]\w*(?:%%)?)(\+?)=(.*)$/s.exec(first.text) : null
    if (found === null) return []
    const [, name = '', plus = '', text = ''] = found
    return [{ name, value: concatForms([{ kind: 'text', text }], rest), append: plus === '+' }]
  })
}
