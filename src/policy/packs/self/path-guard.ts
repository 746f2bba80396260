import type { Guard, GuardInput, GuardMatch } from '../../../core/guard.ts'
import type { Json } from '../../../core/json.ts'
import { caughtChange, changedPaths, type PathChange } from '../../analysis/changed-paths.ts'
import { PATH_CHANGES } from '../../analysis/topics.ts'
import { detector, onTopics, type ShellGuard, shellGuard } from '../shell-guard.ts'
import { findsGuarded } from './found-files.ts'
import { guardedFrom, matchGuarded } from './guarded-path.ts'
import type { Whose } from './places.ts'

interface PathGuard extends Omit<ShellGuard, 'match' | 'detectors'> {
  readonly whose: Whose
}

/** A guard that protects a set of files from every change, through any tool. Reading them is allowed. */
export function pathGuard({ whose, ...guard }: PathGuard): Guard {
  const judge = (change: PathChange, { event, facts, options }: GuardInput): GuardMatch | null => {
    const guarded = guardedFrom(options, facts.home)
    const whole = change.whole && !isWrittenElsewhere(change)
    const match = matchGuarded(change.path, whose, guarded, whole, isLost(change))
    if (match === 'no')
      return searchedFor(change, guard.mentions) || findsGuarded(change, whose, guard.mentions, event, facts)
        ? { ...caughtChange(change, guard.maybe), unsure: doubt(change) }
        : null
    const caught = caughtChange(change, `${change.does} ${change.source}`)
    if (isRepair(change, options.repairable))
      return { ...caught, unsure: 'Holdpoint cannot read this file, and this may repair it' }
    return match === 'yes' ? caught : { ...caught, unsure: caught.unsure ?? doubt(change) }
  }
  return shellGuard({
    ...guard,
    match: '*',
    detectors: [detector(onTopics([PATH_CHANGES], changedPaths), judge)],
  })
}

/** A policy file of the project that cannot be read is repaired by writing it: the user is asked. */
function isRepair({ path, does, whole }: PathChange, repairable: Json | undefined): boolean {
  const isWritten = does !== 'deletes' && !whole
  return isWritten && Array.isArray(repairable) && path.text !== undefined && repairable.includes(path.text)
}

/** `ssh host 'tar xz'` fills a folder of that machine; what it holds otherwise is not known. */
function isWrittenElsewhere({ does, detail }: PathChange): boolean {
  const via = Array.isArray(detail?.via) ? detail.via.map(String) : []
  return (
    does === 'writes' &&
    via.some((how) => /^(?:ssh|mosh|autossh)\b/.test(how) && !/localhost|127\.0\.0\.1/.test(how))
  )
}

/** No longer in its place: deleted or moved. */
function isLost({ whole, does, detail }: PathChange): boolean {
  return whole && (does === 'deletes' || detail?.program === 'mv')
}

/** The result of a search is unknown, but the search pattern may name a protected file. */
function searchedFor({ path, fragment, whole, detail }: PathChange, mentions: RegExp): boolean {
  if (!whole || !path.parts.some((part) => part.some((piece) => piece.kind !== 'text'))) return false
  const chain = [...(Array.isArray(detail?.via) ? detail.via : []), detail?.program ?? '']
  const searches = chain.some((each) => /^(?:find|fd)/.test(String(each)))
  return searches && mentions.test(fragment.replace(EXCLUDED, ''))
}

const EXCLUDED = /(?:-not|!|\\!)\s+-i?(?:path|wholename|name)\s+\S+|\S+\s+-prune|(?:-E|--exclude)[\s=]\S+/g

function doubt({ source }: PathChange): string {
  return `which file ${source} is, is known only at run time`
}
