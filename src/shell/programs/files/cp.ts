import { exactText } from '../../words/words.ts'
import { program } from '../program.ts'
import { leavesCopies, PLACING_OPTIONS, placed } from './placing.ts'
import { reached } from './reached.ts'

const OPTIONS = [
  PLACING_OPTIONS,
  `
    a|archive r|R|recursive d p preserve=? no-preserve= P|no-dereference L H l s|symbolic-link
    x|one-file-system parents reflink=? sparse= c X attributes-only link dereference remove-destination
    strip-trailing-slashes copy-contents keep-directory-symlink
  `,
].join(' ')

export const cp = program('cp', {
  does: (call) => {
    const copied = placed(call, OPTIONS)
    if (copied === undefined) return []
    const { sources, target, written } = copied
    // What is written over with nothing is gone.
    const emptied = sources.every((word) => exactText(word) === '/dev/null')
    return emptied ? [...written, ...reached('delete', target, call.command.cwd, {})] : written
  },
  files: { writesLast: true, showsKeys: true },
  leaves: leavesCopies,
  keeps: { kind: 'copies' },
})

export const ditto = program('ditto', {
  files: { writesLast: true },
  leaves: leavesCopies,
  keeps: { kind: 'copies' },
})
export const link = program('link', { keeps: { kind: 'copies' } })
