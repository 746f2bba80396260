import { isSet, optionTable, readOptions, valuesOf } from '../../arguments/options.ts'
import { writes } from '../../programs/files/writing.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'

const SED = optionTable(`
  e|expression= f|file= i|I|in-place=? l|line-length= n|quiet|silent E|r|regexp-extended s|separate
  u|unbuffered z|null-data b|binary a H posix debug sandbox help version
`)

export function sedEffects({ command }: ModelCall): readonly ShellEffect[] {
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
