import { wordList } from '../../core/word-list.ts'

const LISTS = new Map<string, readonly string[]>()

/** The words of a text in a specification. Kept, because a daemon asks for the same few again and again. */
export function listedWords(text: string): readonly string[] {
  const known = LISTS.get(text)
  if (known !== undefined) return known
  const words = wordList(text)
  LISTS.set(text, words)
  return words
}
