import type { Effect } from '../../effect.ts'
import { exactText } from '../../words.ts'
import type { ModelCall } from '../model.ts'
import { sent } from './net.ts'

/** Asking for a name sends the name: one that is put together at run time may carry anything. */
export function lookupEffects({ command }: ModelCall): readonly Effect[] {
  const made = command.args.filter((word) =>
    word.forms.some((form) =>
      form.some((piece) => /^(\$\(|`|…)/.test(piece.text) && piece.kind === 'unknown'),
    ),
  )
  return made.map((word) => {
    const text = exactText(word) ?? word.forms[0]?.at(-1)?.text ?? ''
    const zone = /([\w-]+\.[\w.-]+)$/.exec(text)?.[1]
    return { ...sent(zone, 'text'), unsure: 'the name it looks up is put together at run time' }
  })
}
