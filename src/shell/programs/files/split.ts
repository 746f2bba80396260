import { readOptions } from '../../arguments/options.ts'
import { fileAt, putFile } from '../../expand/line-files.ts'
import { concatForms, exactWord, textPiece } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { program } from '../program.ts'
import { writing } from './writing.ts'

const OPTIONS = `
  a|suffix-length= b|bytes= C|line-bytes= l|lines= n|number= t|separator= filter= additional-suffix= d x e u
`

export const split = program('split', {
  does: writing(OPTIONS, 1),
  starts: codeInOptions(OPTIONS, 'filter'),
  passesOn: true,
  // The first part of a file that is split has the ending `aa`, or the one that the options ask for.
  leaves: (args, shell) => {
    const [source, prefix = exactWord('x')] = readOptions(args, OPTIONS).operands
    for (const file of source === undefined ? [] : (fileAt(source, shell) ?? [])) {
      for (const end of ['aa', 'a', 'aaa', '00', '0', '000']) {
        const forms = prefix.forms.map((form) => concatForms(form, [textPiece(end)]))
        putFile(shell, { ...prefix, forms }, file)
      }
    }
  },
})
