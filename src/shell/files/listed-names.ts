import { optionTable, type ReadOptions, readOptions, valuesOf } from '../arguments/options.ts'
import { searchedNames } from '../fd.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { readCommands } from '../walk/read-commands.ts'
import { LISTED } from '../words/found.ts'
import { namesMatching } from '../words/regex-names.ts'
import { concatForms, exactText, type Form, patternForm, textPiece, type Word } from '../words/words.ts'

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
  if (search === undefined || !listsByContent(search)) return []
  const operands = search.args.filter((each) => !/^-/.test(exactText(each) ?? ''))
  const folders = operands.slice(search.name === 'git' ? 2 : 1)
  const named = folders.flatMap((each) => each.forms)
  const inside: Form = [{ kind: 'unknown', text: LISTED }]
  return named.length === 0
    ? [concatForms([textPiece('./')], inside)]
    : named.map((form) => concatForms(form, [textPiece('/')], inside))
}

function listsByContent({ name, args }: SimpleCommand): boolean {
  const texts = args.map((word) => exactText(word) ?? '')
  const program = name === 'git' && texts[0] === 'grep' ? 'grep' : (name ?? '')
  return (
    /^(?:[efz]?grep|rg|ag|ack)$/.test(program) &&
    texts.some((text) => /^-[a-zA-Z]*[lL]|^--files-with(?:out)?-match(?:es)?$|^--files$/.test(text))
  )
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
/** What comes in goes out, all of it or some. */
const PASSES = new Set(['cat', 'head', 'sort', 'tail', 'tee', 'uniq'])

function lastSearch(commands: readonly SimpleCommand[]): SimpleCommand | undefined {
  return commands.findLast(({ name }) => !PASSES.has(name ?? ''))
}

function namesFrom(search: SimpleCommand): readonly Form[] {
  switch (search.name) {
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'rg':
      return filteredNames(search)
    case 'locate':
    case 'plocate':
    case 'mlocate':
    case 'mdfind':
      return locatedNames(search)
    case 'fd':
    case 'fdfind':
      return searchedNames(search.args)
    default:
      return []
  }
}

const GREP = optionTable(`
  e|regexp= f|file= m|max-count= A|after-context= B|before-context= C|context= include= exclude= exclude-dir=
  g|glob= t|type= color=? E|extended-regexp P G F|fixed-strings i|ignore-case v|invert-match c|count
  l|files-with-matches q|quiet o L|files-without-match r|recursive R files x|line-regexp w|word-regexp a|text
  s
`)

/** Lines of what came in. A count, or what is left after taking some out, says nothing. */
function filteredNames({ args, inputs, name }: SimpleCommand): readonly Form[] {
  const read = readOptions(args, GREP)
  const given = (...names: readonly string[]) => read.options.some((each) => names.includes(each.name))
  if (inputs === undefined || given('invert-match', 'count', 'quiet', 'files', 'recursive', 'R')) return []
  const patterns = valuesOf(read, 'regexp')
  const all = (patterns.length > 0 ? patterns : read.operands.slice(0, 1)).map(
    (word) => exactText(word) ?? '',
  )
  // With files to look in, it is their lines that come out.
  if (read.operands.length > (patterns.length > 0 ? 0 : 1)) return []
  const fixed = given('fixed-strings') || name === 'fgrep'
  const shorter = inputs.some(listsHidden)
  return all
    .map((text) => text.toLowerCase())
    .flatMap((text) => namesMatching(fixed ? escaped(text) : text, shorter))
}

/** `ls -a | grep env`: one folder, and who asks for its hidden files means them. */
function listsHidden({ name, args }: SimpleCommand): boolean {
  return name === 'ls' && args.some((word) => /^-\w*[aA]|^--(?:all|almost-all)$/.test(exactText(word) ?? ''))
}

function escaped(text: string): string {
  return text.replace(/[\\*+?{}()[\]|^$.]/g, '\\$&')
}

const LOCATE = optionTable('l|n|limit= d|database= r|regexp= regex= i b|basename c|count onlyin= name=')

/** A part of the path, or a pattern for all of it. */
function locatedNames({ args }: SimpleCommand): readonly Form[] {
  const read: ReadOptions = readOptions(args, LOCATE)
  if (read.options.some(({ name }) => name === 'count')) return []
  const plain = [...read.operands, ...valuesOf(read, 'name')].map((word) =>
    (exactText(word) ?? '').replace(/^\\/, ''),
  )
  const named = plain.flatMap((text) =>
    /[*?[]/.test(text) ? [patternForm(text.slice(text.lastIndexOf('/') + 1))] : namesMatching(escaped(text)),
  )
  return [
    ...named,
    ...valuesOf(read, 'regexp', 'regex').flatMap((word) => namesMatching(exactText(word) ?? '')),
  ]
}
