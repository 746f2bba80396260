import { fileAt, putFile } from '../../expand/line-files.ts'
import { exactText, exactWord } from '../../words/words.ts'
import { type Program, program } from '../program.ts'
import { leavesCopies } from './placing.ts'
import { writing } from './writing.ts'

/** `rename .txt .sh x.txt`, `rename 's/txt/sh/' x.txt` */
const leavesRenamed: NonNullable<Program['leaves']> = (args, shell) => {
  const words = args.filter((word) => !/^-/.test(exactText(word) ?? ''))
  const [, from = exactText(words[0]) ?? '', to] =
    /^[sy]\/([^/]*)\/([^/]*)\//.exec(exactText(words[0]) ?? '') ?? []
  const isPerl = to !== undefined
  const by = to ?? exactText(words[1]) ?? ''
  for (const word of words.slice(isPerl ? 1 : 2)) {
    const name = exactText(word)
    for (const file of name === undefined ? [] : (fileAt(word, shell) ?? []))
      putFile(shell, exactWord((name ?? '').replace(from.replace(/\\(.)/g, '$1'), by)), file)
  }
}

export const rename = program('rename', {
  does: writing('e= f|force v|verbose n|nono|no-act s|symlink', 1),
  leaves: leavesRenamed,
})
export const prename = program('prename', { leaves: leavesRenamed })
export const mmv = program('mmv', { does: writing('', 1), leaves: leavesCopies })
