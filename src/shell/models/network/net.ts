import { type FileName, type NetEffect, namedFiles } from '../../vocabulary/effect.ts'
import type { Form, Word } from '../../words/words.ts'

/** What the models of network programs are made of. */

export function fetched(host: string | undefined, to: FileName | 'output' | 'nothing'): NetEffect {
  const base = { kind: 'net', direction: 'in', host } as const
  return to === 'nothing' ? base : to === 'output' ? { ...base, stream: true } : { ...base, file: to }
}

export function sent(host: string | undefined, what: FileName | 'input' | 'text'): NetEffect {
  const base = { kind: 'net', direction: 'out', host } as const
  return what === 'text' ? base : what === 'input' ? { ...base, stream: true } : { ...base, file: what }
}

/** The files of a word whose text begins with, or holds, a mark that makes the rest a file: `@f`, `name=@f`. */
export function markedFiles(word: Word, mark: RegExp, cwd: string | undefined): readonly FileName[] {
  const forms = word.forms.flatMap((form) => {
    const rest = afterMark(form, mark)
    return rest === undefined ? [] : [rest]
  })
  return forms.length === 0 ? [] : namedFiles({ source: word.source, forms, splits: false }, cwd)
}

function afterMark(form: Form, mark: RegExp): Form | undefined {
  const [head, ...rest] = form
  const found = head?.kind === 'text' ? mark.exec(head.text) : null
  if (head === undefined || found === null) return undefined
  const text = head.text.slice(found.index + found[0].length)
  return text === '' ? rest : [{ ...head, text }, ...rest]
}

/** `-` names standard input or output. */
export function isDash(file: FileName): boolean {
  return file.source === '-' && file.form.length === 1
}
