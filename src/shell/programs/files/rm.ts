import { isSet, readOptions } from '../../arguments/options.ts'
import { hasUnknown } from '../../words/words.ts'
import { program } from '../program.ts'
import { isInert } from './inert.ts'
import { deletions } from './reached.ts'

const OPTIONS = `
  r|R|recursive f|force d|dir v|verbose i I interactive=? one-file-system P W x preserve-root=?
  no-preserve-root help version
`

export const rm = program('rm', {
  does: ({ command }) => {
    const read = readOptions(command.args, OPTIONS)
    if (isInert(read)) return []
    const recursive = isSet(read, 'recursive')
    const [doubt] = read.doubtful
    return read.operands.flatMap((target) => {
      // `rm $FLAGS dist`: the flags may make it recursive. Of `rm $FILE` nothing is known that would be worth a doubt.
      const perhaps = !recursive && doubt !== undefined && !target.forms.some(hasUnknown)
      const how = perhaps
        ? { recursive: true, unsure: `${doubt.source} may make it recursive` }
        : { recursive }
      return deletions(target, command.cwd, how)
    })
  },
  files: { operands: 'delete' },
  keeps: { kind: 'removes' },
})
