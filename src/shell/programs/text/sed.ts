import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { fileAt, putFile } from '../../expand/line-files.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import { findProgram, type Interpreter } from '../aspects/interpreter.ts'
import { writes } from '../files/writing.ts'
import { type Program, type ProgramCall, program } from '../program.ts'
import { byCount, plainText } from './line-choice.ts'
import { eachLine } from './lines.ts'

const SED = `
  e|expression= f|file= i|I|in-place=? l|line-length= n|quiet|silent E|r|regexp-extended s|separate
  u|unbuffered z|null-data b|binary a H posix debug sandbox help version
`
const LANGUAGE: Interpreter = {
  language: 'sed',
  readsInput: false,
  find: findProgram('e', 'f', 'l', /^--expression$/, true),
}
/** `sed -i`, `perl -pi -e`: nothing is shown. */
export const inPlace = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word))

export const sed = program('sed', {
  does: edited,
  interprets: LANGUAGE,
  files: {
    patternFirst: true,
    // `s/=.*//`: only the names of settings are left.
    onlyAsks: (words) => words.some((word) => /^s([/|#,])=\.\*\$?\1\1g?$/.test(word)),
    inPlace,
  },
  filters: { options: (args) => !args.includes(undefined), change: substituted },
  choosesLines: {
    ofListing: byCount,
    ofFile: (args) => !args.some((word) => /^s(\W)/.test(plainText(word))),
  },
  passesOn: true,
  copiesOut: (args) => /^s([/|#,])[^&]*\1\1g?$/.test(plainText(args[0])),
  leaves: changedInPlace,
  keeps: { kind: 'nothing' },
})
function edited({ command }: ProgramCall): readonly ShellEffect[] {
  const read = readOptions(command.args, SED)
  if (isSet(read, 'help') || isSet(read, 'version')) return []
  const inPlace = read.options.some((option) => option.name === 'in-place')
  // BSD writes `-i ''`, where GNU would take the empty word for the script.
  const operands = inPlace && exactText(read.operands[0]) === '' ? read.operands.slice(1) : read.operands
  const given = [...valuesOf(read, 'expression'), ...valuesOf(read, 'file')]
  const scripts = given.length > 0 ? valuesOf(read, 'expression') : operands.slice(0, 1)
  const files = inPlace ? operands.slice(given.length > 0 ? 0 : 1) : []
  return [...files, ...scripts.flatMap(writtenByScript)].flatMap((word) => writes(word, command.cwd))
}

/** `w file` as a command, or as a flag of `s`; the file is the rest of the line. */
function writtenByScript(script: Word): readonly Word[] {
  const lines = (exactText(script) ?? '').split('\n').slice(0, 100)
  return lines.flatMap((line) => {
    const command = /^(?:[\d,$]*|\/[^/]*\/)\s*[wW]\s+(\S+)$/.exec(line)
    const flag = /^(?:[\d,$]*|\/[^/]*\/)\s*s([^\w\s]).*\1.*\1[gpIiMm\d]*w\s+(\S+)$/.exec(line.slice(0, 400))
    const file = command?.[1] ?? flag?.[2]
    return file === undefined ? [] : [exactWord(file)]
  })
}

/** `s/a/b/` and `s/a/b/g` of plain text. */
function substituted(line: string, args: readonly string[]): string | undefined {
  const [, , from, to, flags] =
    /^s([/|#,])([^\\[\].*^$+?(){}|/#,]*)\1([^\\&/|#,]*)\1(g?)$/.exec(
      args.length === 1 ? (args[0] ?? '') : '',
    ) ?? []
  if (from === undefined || to === undefined || from === '') return undefined
  return eachLine((each) => (flags === 'g' ? each.replaceAll(from, () => to) : each.replace(from, () => to)))(
    line,
  )
}

/** What is left in a file of this line is something else than what was written there. */
export function changedInPlace(...[args, shell]: Parameters<NonNullable<Program['leaves']>>): void {
  if (shell.files.size === 0 || !args.some((word) => /^-[a-zA-Z]*i/.test(plainText(word)))) return
  for (const word of args) if (fileAt(word, shell) !== undefined) putFile(shell, word, { kind: 'unknown' })
}
