/** The words of a text, in order. A list of plain words is easier to read and to change as text. */
export function wordList(text: string): readonly string[] {
  return text.match(/\S+/g) ?? []
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(wordList(text))
}

/** The same value for each of the words, as rows of a table. */
export function eachWord<const Value>(text: string, value: Value): readonly (readonly [string, Value])[] {
  return wordList(text).map((word) => [word, value])
}
