import type { Language } from '../../vocabulary/command.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'

/** Files whose contents a program runs, and how they are read. */
export interface ScriptFiles {
  /** The files among its arguments, or those it looks for by itself. */
  files(args: readonly Word[]): readonly Word[]
  /** The language of the file, where it is one … */
  readonly language?: Language
  /** … or the commands in it. */
  commands?(text: string): readonly string[]
}

export function operandFiles(args: readonly Word[]): readonly Word[] {
  return args
    .filter((word) => !/^-/.test(exactText(word) ?? ''))
    .map((word) => {
      const test = /^([^:]+\.\w+)::/.exec(exactText(word) ?? '')?.[1]
      return test === undefined ? word : exactWord(test)
    })
}

export function filesAfter(option: RegExp): ScriptFiles['files'] {
  return (args) =>
    args.flatMap((word, at) => {
      if (at > 0 && option.test(exactText(args[at - 1]) ?? '')) return [word]
      const [name = '', value] = (exactText(word) ?? '').split('=', 2)
      return value !== undefined && option.test(name) ? [exactWord(value)] : []
    })
}

export const filesCalled =
  (...names: readonly string[]) =>
  () =>
    names.map(exactWord)

export function matchesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((found) => found[1] ?? '')
}
