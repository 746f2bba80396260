/** The words of a text, in order. A list of plain words is easier to read and to change as text. */
export function wordList(text: string): readonly string[] {
  return text.match(/\S+/g) ?? []
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(wordList(text))
}
