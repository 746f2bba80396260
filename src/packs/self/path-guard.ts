import { type Change, caughtChange, changedPaths } from '../changed-paths.ts'
import type { Caught, Guard, GuardInput } from '../guard.ts'
import { look, type ShellGuard, shellGuard } from '../shell-guard.ts'
import { guardedFrom, matchGuarded } from './guarded-path.ts'
import type { Whose } from './places.ts'

interface PathGuard extends Omit<ShellGuard, 'match' | 'looks'> {
  readonly whose: Whose
}

/** A guard of certain files against every change, through any tool. Looking at them stays free. */
export function pathGuard({ whose, ...guard }: PathGuard): Guard {
  const judge = (change: Change, { facts, options }: GuardInput): Caught | null => {
    const guarded = guardedFrom(options, facts.home)
    const match = matchGuarded(change.path, whose, guarded, change.whole, isLost(change))
    if (match === 'no')
      return searchedFor(change, guard.mentions)
        ? { ...caughtChange(change, guard.maybe), unsure: doubt(change) }
        : null
    const caught = caughtChange(change, `${change.does} ${change.source}`)
    return match === 'yes' ? caught : { ...caught, unsure: caught.unsure ?? doubt(change) }
  }
  return shellGuard({ ...guard, match: '*', looks: [look(changedPaths, judge)] })
}

/** Gone from its place, deleted or moved. */
function isLost({ whole, does, detail }: Change): boolean {
  return whole && (does === 'deletes' || detail?.program === 'mv')
}

/** What a search finds is not known; but what it looks for may be the very thing. */
function searchedFor({ path, fragment, whole, detail }: Change, mentions: RegExp): boolean {
  if (!whole || !path.parts.some((part) => part.some((piece) => piece.kind !== 'text'))) return false
  const chain = [...(Array.isArray(detail?.via) ? detail.via : []), detail?.program ?? '']
  const searches = chain.some((each) => /^(?:find|fd)/.test(String(each)))
  return searches && mentions.test(fragment.replace(EXCLUDED, ''))
}

const EXCLUDED = /(?:-not|!|\\!)\s+-i?(?:path|wholename|name)\s+\S+|\S+\s+-prune|(?:-E|--exclude)[\s=]\S+/g

function doubt({ source }: Change): string {
  return `which file ${source} is, is known only at run time`
}
