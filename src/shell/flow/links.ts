import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileEffect, type FoundEffect, isFileEffect, pathOf } from '../vocabulary/effect.ts'
import { baseName, isInside, type PathForm, resolvePath } from '../words/paths.ts'
import { concatForms, exactForm, exactText, type Form, textPiece } from '../words/words.ts'

/** A link that this line makes. */
interface Link {
  readonly path: string
  readonly target: string
}

/** No honest line makes more and then works through them. */
const LINKS_MAX = 16

/** What is done through links that the line itself makes: `ln -s / x; rm -rf x/etc`. Those on the disk are not known here. */
export function linkEffects(
  found: readonly FoundEffect[],
  commands: readonly SimpleCommand[],
  home: string,
): readonly FoundEffect[] {
  if (!commands.some(({ name }) => name === 'ln')) return []
  const links: Link[] = []
  const reached: FoundEffect[] = []
  for (const command of commands) {
    for (const each of found) {
      if (each.command !== command || !isFileEffect(each.effect) || links.length === 0) continue
      reached.push(...through(each.effect, links, home).map((effect) => ({ effect, command })))
    }
    if (command.name === 'ln' && links.length < LINKS_MAX) links.push(...madeBy(command, home))
  }
  return reached
}

const LN = optionTable(`
  t|target-directory= S|suffix= backup=? s|symbolic f|force n|no-dereference r|relative T|no-target-directory
  v|verbose b i|interactive L P
`)

/** The name that is given may be a folder: then the link is in it. */
function madeBy({ args, cwd }: SimpleCommand, home: string): readonly Link[] {
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

function through(effect: FileEffect, links: readonly Link[], home: string): readonly FileEffect[] {
  const path = pathOf(effect, home)
  return links.flatMap((link) => {
    const form = followed(path, link, effect.kind)
    return form === undefined ? [] : [{ ...effect, form }]
  })
}

/** Where the path leads. To delete a link, or to ask about it, leaves alone what it leads to. */
function followed(path: PathForm, link: Link, kind: FileEffect['kind']): Form | undefined {
  const names = link.path.split('/').filter((name) => name !== '')
  if (!path.anchored || !names.every((name, at) => exactForm(path.parts[at] ?? []) === name)) return undefined
  const rest = path.parts.slice(names.length)
  if (rest.length === 0 && !path.folder && (kind === 'delete' || kind === 'metadata')) return undefined
  return concatForms([textPiece(link.target)], ...rest.map((part) => [textPiece('/'), ...part]))
}
