import { exactText, type Word } from './words.ts'

/** `-` and its like, where a program is given a file. */
export function isStandardInput(word: Word): boolean {
  return ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(exactText(word) ?? '')
}

/** Written by a command at that moment, or read from a descriptor that one writes to. */
export function isMade(script: Word): boolean {
  return script.forms.some(([first]) => {
    if (first?.kind === 'unknown') return first.text.startsWith('<(')
    return first !== undefined && /^\/(dev|proc\/(self|thread-self|\d+))\/fd\//.test(first.text)
  })
}

/** A file by its plain name: no option, no device. */
export function isFileOperand(word: Word): boolean {
  return /^(?!-|\/(?:dev|proc)\/)[\w./-]+$/.test(exactText(word) ?? '?')
}
