import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { namesMatching } from '../words/regex-names.ts'
import { exactText, type Form } from '../words/words.ts'

const GREP = optionTable(`
  e|regexp= f|file= m|max-count= A|after-context= B|before-context= C|context= include= exclude= exclude-dir=
  g|glob= t|type= color=? E|extended-regexp P G F|fixed-strings i|ignore-case v|invert-match c|count
  l|files-with-matches q|quiet o L|files-without-match r|recursive R files x|line-regexp w|word-regexp a|text
  s
`)

/** Lines of what came in. A count, or what is left after taking some out, says nothing. */
export function filteredNames({ args, inputs, name }: SimpleCommand): readonly Form[] {
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
