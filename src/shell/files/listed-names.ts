import { programOf } from '../programs/index.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { readCommands } from '../walk/read-commands.ts'
import { LISTED } from '../words/found.ts'
import { concatForms, type Form, textPiece, type Word } from '../words/words.ts'

/**
 * The files that a word may name which a search has listed: `… | grep '\.env$' | xargs cat`, `cat $(locate id_rsa)`.
 * The word itself is known only at run time; what the search was told says which names it lets through.
 */
export function listedNames(word: Word, command: SimpleCommand): readonly Form[] {
  const search = searchBehind(word, command)
  return search === undefined ? [] : namesFrom(search).map(below)
}

/** The folders below which a search by content lists files: `grep -rl x DIR`, `git grep -l x`. */
export function listedFolders(word: Word, command: SimpleCommand): readonly Form[] {
  const search = searchBehind(word, command)
  const folders = programOf(search?.name)?.listsIn?.(search?.args ?? [])
  if (folders === undefined) return []
  const named = folders.flatMap((each) => each.forms)
  const inside: Form = [{ kind: 'unknown', text: LISTED }]
  return named.length === 0
    ? [concatForms([textPiece('./')], inside)]
    : named.map((form) => concatForms(form, [textPiece('/')], inside))
}

function below(name: Form): Form {
  return concatForms([{ kind: 'unknown', text: LISTED }, textPiece('/')], name)
}

function searchBehind(word: Word, command: SimpleCommand): SimpleCommand | undefined {
  const text = word.forms.flat().find((piece) => piece.kind === 'unknown')?.text ?? ''
  if (text === 'standard input') return lastSearch(command.inputs ?? [])
  const [, inner] = /^(?:\$\(|`)(.*)[)`]$/s.exec(text) ?? []
  if (inner === undefined || !SEARCHES.test(inner)) return undefined
  const analysis = readCommands(inner, { cwd: command.cwd ?? '/', home: '/' })
  return analysis.judged ? lastSearch(analysis.commands) : undefined
}

const SEARCHES = /\b(?:[ef]?grep|rg|p?locate|mlocate|mdfind|fd|fdfind)\b/

/** What comes in goes out of some programs, all of it or a part: those are not the search. */
function lastSearch(commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  return commands.findLast(({ name }) => {
    const program = programOf(name)
    return program?.lists !== undefined || (program?.choosesLines ?? program?.filters) === undefined
  })
}

function namesFrom(search: SimpleCommand): readonly Form[] {
  return programOf(search.name)?.lists?.(search) ?? []
}
