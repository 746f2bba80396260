import { readOptions, valuesOf } from '../../arguments/options.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { namesMatching } from '../../words/regex-names.ts'
import { exactText, type Form, type Word } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import type { LineFilter } from '../aspects/output.ts'
import { LISTS_NAMES } from '../git/git.ts'
import type { ProgramTable } from '../program.ts'
import { plainText } from './line-choice.ts'

const GREP = `
  e|regexp= f|file= m|max-count= A|after-context= B|before-context= C|context= include= exclude= exclude-dir=
  g|glob= t|type= color=? E|extended-regexp P G F|fixed-strings i|ignore-case v|invert-match c|count
  l|files-with-matches q|quiet o L|files-without-match r|recursive R files x|line-regexp w|word-regexp a|text
  s
`

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

/** Of a listing those names come out that hold the letters of the pattern. */
const choosesLines: LineFilter = {
  ofListing: (args) => {
    const texts = args.map((each) => each ?? '?')
    if (texts.some((each) => /^-[a-zA-Z]*[cqlL]/.test(each))) return undefined
    const [pattern, ...files] = texts.filter((each) => !each.startsWith('-'))
    if (pattern === undefined || files.length > 0) return undefined
    if (texts.some((each) => /^-[a-zA-Z]*v/.test(each))) return {}
    return { holding: /^\^?(?:\\?\.)?([\w-]+)\$?$/.exec(pattern)?.[1] }
  },
  ofFile: () => true,
}

function listsIn(args: readonly Word[]): readonly Word[] | undefined {
  if (!args.some((word) => LISTS_NAMES.test(plainText(word)))) return undefined
  return args.filter((word) => !/^-/.test(plainText(word))).slice(1)
}

/** It says only how often, or in which files. After a letter that takes a value the rest of the word is that value. */
const files = {
  patternFirst: true,
  onlyAsks: (words: readonly string[]) =>
    words.some((word) => /^-[^efmABCdD-]{0,12}[cqlL]|^--(?:quiet|silent|count|files-with)/.test(word)),
} as const

const RG =
  'pre= pre-glob= hostname-bin= e|regexp= f|file= g|glob= t|type= T|type-not= A= B= C= m= M= d= j= r='
const AG = 'pager= A= B= C= G= W= m= depth= ignore='

/** Programs that look for text in files. */
export const GREPS: ProgramTable = {
  'grep egrep': { files, lists: filteredNames, listsIn, choosesLines, passesOn: true },
  fgrep: { files, lists: filteredNames, listsIn, choosesLines },
  'zgrep ack': { files: { patternFirst: true }, listsIn },
  rg: {
    starts: codeInOptions(RG, 'pre', 'hostname-bin'),
    files: {
      patternFirst: true,
      onlyAsks: (words) =>
        words.some((word) => /^-[^efgmABCtTrjMEd-]{0,12}[cql]|^--(?:quiet|count|files-with)/.test(word)),
    },
    lists: filteredNames,
    listsIn,
    passesOn: true,
  },
  ag: { starts: codeInOptions(AG, 'pager'), files: { patternFirst: true }, listsIn },
}
