import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { Guard, GuardInput, GuardMatch } from '../../../core/guard.ts'
import type { Json } from '../../../core/json.ts'
import { type PathForm, resolveForm } from '../../../shell/words/paths.ts'
import { exactForm, isWhollyUnknown, textPiece } from '../../../shell/words/words.ts'
import { caughtChange, changedPaths, type PathChange } from '../../analysis/changed-paths.ts'
import { pathsOfText } from '../../analysis/embedded-paths.ts'
import { oncePerEvent } from '../../analysis/once-per-event.ts'
import { commandText } from '../../analysis/shell-of.ts'
import { PATH_CHANGES } from '../../analysis/topics.ts'
import { detector, onTopics, type ShellGuard, shellGuard } from '../shell-guard.ts'
import { findsGuarded } from './found-files.ts'
import { type Guarded, guardedFrom, matchGuarded } from './guarded-path.ts'
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
      return searchedFor(change, guard.mentions) ||
        mayBeMentioned(change, whose, guarded, event, facts) ||
        findsGuarded(change, whose, guard.mentions, event, facts)
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

/**
 * `ls ~/.claude/settings.json; rm $_`: which file that is cannot be worked out, and a protected one is named beside it.
 * There are more ways to hand a value on than can be followed.
 */
function mayBeMentioned(
  change: PathChange,
  whose: Whose,
  guarded: Guarded,
  event: Event,
  facts: Facts,
): boolean {
  if (change.guessed === true || !isUnclear(change.path)) return false
  // What a search finds is told from its pattern.
  if (searches(change.detail)) return false
  const text = commandText(event) ?? ''
  if (isFromOutside(change.source, text)) return false
  const name = exactForm(change.path.parts.at(-1) ?? [])
  return mentioned(event, facts).some(
    (path) =>
      isNamed(path, whose, guarded) ||
      (name !== undefined &&
        foldersOf(path).some((folder) => isNamed(below(folder, name, facts), whose, guarded))),
  )
}

/** Its folder, or what it is at all, is not known. */
function isUnclear({ anchored, parts }: PathForm): boolean {
  return !anchored || parts.some((part) => isWhollyUnknown(part))
}

/** `$OUT`, where nothing in the line gives it a value: what it is was not handed on here. */
function isFromOutside(source: string, text: string): boolean {
  const name = /^["']?\$\{?([A-Za-z_]\w*)\}?["']?$/.exec(source)?.[1]
  return name !== undefined && !SET_BY_SHELL.test(name) && !new RegExp(`(?<![$\\w{])${name}\\b`).test(text)
}

const SET_BY_SHELL = /^(?:_|MATCH|match|REPLY|BASH_REMATCH|DIRSTACK|dirstack|MAPFILE|BASH_ARGV|argv)$/

/** The file, or the folder that is made for an agent: not one above, in which there is much else. */
function isNamed(path: PathForm, whose: Whose, guarded: Guarded): boolean {
  if (matchGuarded(path, whose, guarded, false) === 'yes') return true
  const last = exactForm(path.parts.at(-1) ?? []) ?? ''
  return /^\.[a-z]|^holdpoint$/i.test(last) && matchGuarded(path, whose, guarded, true) === 'yes'
}

const FOLDERS_MAX = 8

/** The folders above that have the name of one for settings. */
function foldersOf({ text = '' }: PathForm): readonly string[] {
  const names = text.split('/')
  const found = names.flatMap((name, at) =>
    /^\.[a-z]|^holdpoint$/i.test(name) ? [names.slice(0, at + 1).join('/')] : [],
  )
  return found.slice(0, FOLDERS_MAX)
}

function below(folder: string, name: string, { home }: Facts): PathForm {
  return resolveForm([textPiece(`${folder}/${name}`)], { cwd: undefined, home })
}

const mentioned = oncePerEvent((event: Event, facts: Facts): readonly PathForm[] =>
  pathsOfText(commandText(event) ?? '').map((form) =>
    resolveForm(form, { cwd: facts.cwd, home: facts.home }),
  ),
)

function searches(detail: PathChange['detail'] | undefined): boolean {
  const chain = [...(Array.isArray(detail?.via) ? detail.via : []), detail?.program ?? '']
  return chain.some((each) => /^(?:find|fd)/.test(String(each)))
}

/** The result of a search is unknown, but the search pattern may name a protected file. */
function searchedFor({ path, fragment, whole, detail }: PathChange, mentions: RegExp): boolean {
  if (!whole || !path.parts.some((part) => part.some((piece) => piece.kind !== 'text'))) return false
  return searches(detail) && mentions.test(fragment.replace(EXCLUDED, ''))
}

const EXCLUDED = /(?:-not|!|\\!)\s+-i?(?:path|wholename|name)\s+\S+|\S+\s+-prune|(?:-E|--exclude)[\s=]\S+/g

function doubt({ source }: PathChange): string {
  return `which file ${source} is, is known only at run time`
}
