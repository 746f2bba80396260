import type { CodeSource, SimpleCommand } from '../../vocabulary/command.ts'
import { isStandardInput } from '../../words/standard-input.ts'
import { exactText, type Word } from '../../words/words.ts'

export function shellSource(command: SimpleCommand): CodeSource | undefined {
  const { args } = command
  let readsInput = false
  for (let at = 0; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text === undefined || !/^[-+]./.test(text))
      return readsInput ? { from: 'input' } : scriptSource(args[at])
    if (/^-(?:[a-zA-Z]*c$|-?[cC]om|EncodedCommand)/.test(text))
      return command.opaque === undefined ? undefined : { from: 'text' }
    // With `-n` it only checks the grammar.
    if (/^--(?:version|help)$|^-[a-zA-Z]*n[a-zA-Z]*$/.test(text)) return undefined
    if (text === '--') return args[at + 1] === undefined ? { from: 'input' } : scriptSource(args[at + 1])
    if (/^-[a-zA-Z]*s/.test(text)) readsInput = true
    if (/^(?:[-+][a-zA-Z]*[oO]|--(?:rcfile|init-file))$/.test(text)) at += 1
  }
  return { from: 'input' }
}

export function scriptSource(word: Word | undefined): CodeSource | undefined {
  if (word === undefined) return undefined
  if (isStandardInput(word)) return { from: 'input' }
  return isSubstitution(word) ? { from: 'text' } : { from: 'file', word }
}

export function valueAfter(args: readonly Word[], option: RegExp): Word | undefined {
  return args.find((_, at) => option.test(exactText(args[at - 1]) ?? ''))
}

/** With `-c`, `-e`, `-m` the code is on the line or in a module; else it is the first operand, or standard input. */
export function interpreterSource(command: SimpleCommand): CodeSource | undefined {
  for (const word of command.args) {
    const text = exactText(word)
    if (text === 'run') continue
    if (text === undefined || !/^-./.test(text)) return scriptSource(word)
    if (
      /^-(?:[a-zA-Z]*[cemprE]$|-(?:eval|print|version|help|check|test)|[VhvEm])/.test(text) &&
      !/^-(?:[uBsSIEqW]|Wd?)$/.test(text)
    ) {
      return command.opaque === undefined ? undefined : { from: 'text' }
    }
  }
  return { from: 'input' }
}

function isSubstitution(word: Word): boolean {
  return word.forms.some((form) =>
    form.some((piece) => piece.kind === 'unknown' && /^(?:[<$]\(|`|=\()/.test(piece.text)),
  )
}
