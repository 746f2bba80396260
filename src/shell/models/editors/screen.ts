import { optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import { writes } from '../../programs/files/writing.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'

const VIM = optionTable('c= S= s u= U= i= w= W= t= T= r= L= cmd= e E n R M N')
const ED = optionTable('p|prompt= s|quiet|silent G l r|restricted v|verbose E help')

/** ed writes what it is told on its input; the others what their commands (`-c wq`) say. Opened by hand, nothing. */
export function screenEditor({ name, command }: ModelCall): readonly ShellEffect[] {
  if (name === 'ed') {
    return readOptions(command.args, ED).operands.flatMap((word) => writes(word, command.cwd))
  }
  const read = readOptions(command.args, VIM)
  const files = read.operands.filter((word) => !isOrder(word))
  const orders = [...valuesOf(read, 'c', 'cmd'), ...read.operands.filter(isOrder)]
  const texts = orders.map((word) => exactText(word) ?? '')
  const saves = texts.some((text) => /(^|[|:+\s])(w|wq|wqa?|wa|x|xa|xit|up|update)!?(\s|\||$)/.test(text))
  const others = texts.flatMap((text) => {
    const found = /(?:^|[|:+\s])(?:w|write|sav|saveas)!?\s+([^\s|!][^\s|]*)/.exec(text)
    return found === null ? [] : [exactWord(found[1] ?? '')]
  })
  const byInput = name === 'ex' && command.redirections.some(({ operator }) => operator.startsWith('<'))
  return [...(saves || byInput ? files : []), ...others].flatMap((word) => writes(word, command.cwd))
}

/** `+wq`: a command among the files. */
function isOrder(word: Word): boolean {
  return /^\+/.test(exactText(word) ?? '')
}
