import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText } from '../../words/words.ts'
import type { ProgramCall, ProgramTable } from '../program.ts'
import { sent } from './net.ts'

/** Asking for a name sends the name: one that is put together at run time may carry anything. */
export const LOOKUPS: ProgramTable = {
  'dig nslookup host drill ping': { does: lookedUp },
}

/** A variable that a secret is kept in, as a part of the name. */
const SECRET = /^\$\{?\w*(?:KEY|TOKEN|SECRET|PASS|PWD|CRED)/i

function lookedUp({ command }: ProgramCall): readonly ShellEffect[] {
  const made = command.args.filter((word) =>
    word.forms.some((form) =>
      form.some(
        (piece, at) =>
          piece.kind === 'unknown' &&
          (/^(\$\(|`|…)/.test(piece.text) ||
            (SECRET.test(piece.text) && form[at + 1]?.text.startsWith('.') === true)),
      ),
    ),
  )
  return made.map((word) => {
    const text = exactText(word) ?? word.forms[0]?.at(-1)?.text ?? ''
    const zone = /([\w-]+\.[\w.-]+)$/.exec(text)?.[1]
    return { ...sent(zone, 'text'), unsure: 'the name it looks up is put together at run time' }
  })
}
