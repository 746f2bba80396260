import { programOf } from '../programs/index.ts'
import type { CodeSource, SimpleCommand } from '../vocabulary/command.ts'

export function codeSourceOf(command: SimpleCommand): CodeSource | undefined {
  const { name, opaque } = command
  const program = programOf(name)
  if (name !== undefined && writtenOnTheSpot(command)) return { from: 'text' }
  if (program?.codeFrom !== undefined) return program.codeFrom(command)
  return opaque === undefined ? programFile(command) : { from: 'text' }
}

/** `bash <(curl …)`: the script is no longer among the words of a command that was seen through. */
function writtenOnTheSpot({ name, opaque, inputs, redirections, fragment }: SimpleCommand): boolean {
  if (opaque === undefined || redirections.some((each) => each.operator.startsWith('<'))) return false
  if (/\/dev\/(?:stdin|fd\/0)\b/.test(fragment)) return false
  if (programOf(name)?.inThisShell === true || /\s[<=]\(/.test(fragment)) return true
  return inputs === undefined && /[$`]/.test(fragment)
}

/** `./x`, `/tmp/x`: a file that is run as it is. Windows also looks for it here. */
function programFile(command: SimpleCommand): CodeSource | undefined {
  const slashed = command.word.forms.some((form) =>
    form.some((piece) => piece.text.includes('/') || /\.(?:exe|bat|cmd)$/i.test(piece.text)),
  )
  return slashed ? { from: 'file', word: command.word } : undefined
}
