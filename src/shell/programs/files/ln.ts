import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { baseName, isInside, resolvePath } from '../../words/paths.ts'
import { exactText } from '../../words/words.ts'
import { type Link, program } from '../program.ts'
import { leavesCopies, PLACING_OPTIONS, placed } from './placing.ts'

const OPTIONS = [
  PLACING_OPTIONS,
  's|symbolic r|relative L|logical P|physical d|F|directory h|no-dereference w',
].join(' ')

export const ln = program('ln', {
  // A link in the place of a folder (`-n`, `-T`) takes everything in it away.
  does: (call) =>
    placed(call, OPTIONS, {
      alone: true,
      replaces: (read) => isSet(read, 'no-clobber') || isSet(read, 'no-target-directory'),
    })?.written ?? [],
  files: { writesLast: true },
  links: madeLinks,
  leaves: leavesCopies,
  keeps: { kind: 'copies' },
})

/** The name that is given may be a folder: then the link is in it. */
function madeLinks({ args, cwd }: SimpleCommand, home: string): readonly Link[] {
  const read = readOptions(args, OPTIONS)
  const folder = exactText(valuesOf(read, 'target-directory')[0])
  const [source, name = folder ?? '.'] = read.operands.map(exactText)
  if (source === undefined || read.operands.length > 2) return []
  const path = resolvePath(name, { cwd, home })
  if (path === undefined) return []
  const inside = `${path === '/' ? '' : path}/${baseName(source)}`
  return [path, inside].flatMap((each): readonly Link[] => {
    // What a link says counts from where the link is.
    const target = resolvePath(source, { cwd: each.slice(0, each.lastIndexOf('/')) || '/', home })
    return target === undefined || isInside(target, each) ? [] : [{ path: each, target }]
  })
}
