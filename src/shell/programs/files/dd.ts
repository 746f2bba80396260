import { fileAt, putFile } from '../../expand/line-files.ts'
import { exactText, exactWord, type Form, type Word } from '../../words/words.ts'
import { program } from '../program.ts'
import { writes } from './writing.ts'

export const dd = program('dd', {
  does: ({ command }) =>
    command.args.flatMap((word) => {
      const forms = word.forms.flatMap((form) => afterKey(form, 'of='))
      return forms.length === 0 ? [] : writes({ ...word, forms }, command.cwd)
    }),
  files: { writesAfter: 'of=' },
  passesOn: true,
  leaves: (args, shell, { forms }) => {
    const [from, to] = [keyValue(args, 'if='), keyValue(args, 'of=')]
    if (to === undefined) return
    const source = from === undefined ? undefined : fileAt(exactWord(from), shell)
    if (source !== undefined) for (const file of source) putFile(shell, exactWord(to), file)
    else if (from === undefined && forms !== undefined) putFile(shell, exactWord(to), { kind: 'text', forms })
  },
})

function keyValue(args: readonly Word[], key: string): string | undefined {
  return args
    .map((word) => exactText(word) ?? '')
    .find((text) => text.startsWith(key))
    ?.slice(key.length)
}

export function afterKey(form: Form, key: string): readonly Form[] {
  const [first, ...rest] = form
  if (first?.kind !== 'text' || !first.text.startsWith(key)) return []
  const text = first.text.slice(key.length)
  return [text === '' ? rest : [{ kind: 'text', text }, ...rest]]
}
