import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { baseName, isInside, resolvePath } from '../words/paths.ts'
import { exactText } from '../words/words.ts'
import type { Link } from './program.ts'

const LN = optionTable(`
  t|target-directory= S|suffix= backup=? s|symbolic f|force n|no-dereference r|relative T|no-target-directory
  v|verbose b i|interactive L P
`)

/** The name that is given may be a folder: then the link is in it. */
export function madeBy({ args, cwd }: SimpleCommand, home: string): readonly Link[] {
  const read = readOptions(args, LN)
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
