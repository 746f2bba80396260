import { type Event, toolOf } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import { textAt } from '../../../core/json.ts'
import { wordList, wordSet } from '../../../core/word-list.ts'
import { isSearch } from '../../../shell/words/found.ts'
import { isInside } from '../../../shell/words/paths.ts'
import { mayMatch } from '../../../shell/words/patterns.ts'
import { exactForm, type Form } from '../../../shell/words/words.ts'
import type { PathChange } from '../../analysis/changed-paths.ts'
import { PROTECTED_FILES, type Whose } from './places.ts'

/**
 * Does a search (`find`, `fd`, `locate`, `grep -l`) list one of the guarded files, and does the command then change
 * what was listed? Where a search looks and which names it asks for is known; what it finds is not.
 */
export function findsGuarded(
  change: PathChange,
  whose: Whose,
  mentions: RegExp,
  event: Event,
  facts: Facts,
): boolean {
  const { parts } = change.path
  const at = parts.findIndex((part) => part.some(isSearch))
  if (at < 0 || change.guessed === true || !looksWhereGuarded(change, at, facts)) return false
  const line = searchedText(event, change)
  if (leavesHiddenOut(line)) return false
  const tail = parts.slice(at + 1)
  const name = tail.at(-1)
  if (name === undefined) return mentions.test(line.replace(EXCLUDED, ''))
  if (tail.length > 1 || !saysName(name)) return false
  const isAsked = NAMES[whose].some((each) => mayMatch(name, each))
  return isAsked && !mentions.test((line.match(EXCLUDED) ?? []).join(' '))
}

/** Guarded files lie in the project and in the home folder: a search below `src` does not find them. */
function looksWhereGuarded({ path }: PathChange, at: number, { cwd, home }: Facts): boolean {
  if (!path.anchored) return true
  const names = path.parts.slice(0, at).map(exactForm)
  if (names.includes(undefined)) return true
  const root = `/${names.join('/')}`
  return isInside(cwd, root) || isInside(home, root)
}

function searchedText(event: Event, { fragment }: PathChange): string {
  return textAt(toolOf(event)?.input ?? {}, 'command') ?? fragment
}

/** `fd` and `rg` pass over names that begin with a dot, unless they are told not to. */
function leavesHiddenOut(line: string): boolean {
  const searches = line.match(/\b(?:find|fd|fdfind|rg|locate|plocate|mlocate|mdfind|[ef]?grep)\b/g) ?? []
  return (
    searches.length > 0 &&
    searches.every((each) => /^(?:fd|fdfind|rg)$/.test(each)) &&
    !/\s(?:-[a-zA-Z.]*[Hu][a-zA-Z.]*|--hidden|--unrestricted|-\.)(?=\s)/.test(line)
  )
}

const EXCLUDED =
  /(?:-not|!|\\!)\s+-i?(?:path|wholename|name)\s+\S+|\S+\s+-prune|(?:-E|--exclude|--exclude-dir|-g\s*['"]?!)[\s=]?\S+|grep\s+-\w*v\w*\s+\S+/g

/** `*.json` asks for any file; `settings*.json` for few. */
function saysName(name: Form): boolean {
  const [first] = name
  const stem = name.map((piece) => (piece.kind === 'text' ? piece.text : '*')).join('')
  if (first === undefined) return false
  return stem.replace(/\.[A-Za-z]*$/, '').replace(/[*.]/g, '').length >= LETTERS_LEAST
}

const LETTERS_LEAST = 3

const OWN_NAMES = wordList(`
  pause.json trust.json exceptions.json installs.json skills.json http.json runtime.json adopted.json head.json
  journal.db spool.jsonl session.jsonl hook.sock holdpoint-hook holdpoint-node
`)

/** Names that files of every project have: who looks for those means them. */
const ANY_PROJECTS = wordSet('config.json plugin.json daemon.json opencode.json opencode.jsonc holdpoint')

const NAMES: Readonly<Record<Whose, readonly string[]>> = {
  agent: lastNames('agent'),
  own: [...lastNames('own'), ...OWN_NAMES],
}

function lastNames(whose: Whose): readonly string[] {
  const last = PROTECTED_FILES[whose].map(({ names }) => names.at(-1) ?? '')
  return [...new Set(last.filter((name) => !name.includes('*') && !ANY_PROJECTS.has(name)))]
}
