import { programOf } from '../programs/index.ts'
import type { Link } from '../programs/program.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileEffect, type FoundEffect, isFileEffect, pathOf } from '../vocabulary/effect.ts'
import type { PathForm } from '../words/paths.ts'
import { concatForms, exactForm, type Form, textPiece } from '../words/words.ts'

/** No honest line makes more and then works through them. */
const LINKS_MAX = 16

/** What is done through links that the line itself makes: `ln -s / x; rm -rf x/etc`. Those on the disk are not known here. */
export function linkEffects(
  found: readonly FoundEffect[],
  commands: readonly SimpleCommand[],
  home: string,
): readonly FoundEffect[] {
  if (!commands.some(({ name }) => programOf(name)?.links !== undefined)) return []
  const links: Link[] = []
  const reached: FoundEffect[] = []
  for (const command of commands) {
    for (const each of found) {
      if (each.command !== command || !isFileEffect(each.effect) || links.length === 0) continue
      reached.push(...through(each.effect, links, home).map((effect) => ({ effect, command })))
    }
    const made = programOf(command.name)?.links
    if (made !== undefined && links.length < LINKS_MAX) links.push(...made(command, home))
  }
  return reached
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
