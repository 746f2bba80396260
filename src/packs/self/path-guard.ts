import { type Change, caughtChange, changedPaths } from '../changed-paths.ts'
import type { Caught, Guard } from '../guard.ts'
import { shellOf, unreadable } from '../shell-of.ts'
import { strongest } from '../strongest.ts'
import { guardedFrom, matchGuarded } from './guarded-path.ts'
import type { Whose } from './places.ts'

interface PathGuard extends Pick<Guard, 'id' | 'title' | 'why' | 'instead' | 'modes' | 'examples'> {
  readonly whose: Whose
  /** Words that make a command that cannot be read suspicious, and what it may then do. */
  readonly mentions: RegExp
  readonly maybe: string
}

/** A guard of certain files against every change, through any tool. Looking at them stays free. */
export function pathGuard({ whose, mentions, maybe, ...guard }: PathGuard): Guard {
  return {
    ...guard,
    on: ['PreToolUse'],
    match: '*',
    check({ event, facts, options }) {
      const analysis = shellOf(event, facts)
      if (!analysis.judged) return unreadable(event, analysis.why, mentions, maybe)
      const guarded = guardedFrom(options, facts.home)
      return strongest(changedPaths(event, facts), (change): Caught | null => {
        const match = matchGuarded(change.path, whose, guarded, change.whole, isLost(change))
        if (match === 'no')
          return searchedFor(change, mentions)
            ? { ...caughtChange(change, maybe), unsure: doubt(change) }
            : null
        const caught = caughtChange(change, `${change.does} ${change.source}`)
        return match === 'yes' ? caught : { ...caught, unsure: caught.unsure ?? doubt(change) }
      })
    },
  }
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
