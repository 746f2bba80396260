import type { Word } from '../words/words.ts'

/** `/s`, `/q`: an option as Windows writes it. Twice the slash where a Unix shell there would take it for a path. */
export function isWindowsOption(word: string): boolean {
  return /^(\/{1,2}[a-z])+(:\S*)?$/i.test(word)
}

export function isWindowsCall(args: readonly Word[]): boolean {
  return args.some((word) => isWindowsOption(word.source))
}
