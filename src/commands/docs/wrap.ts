import { cellsOf } from '../../tools/report/terminal-width.ts'

export type Paint = (text: string) => string

/** A piece of text in one style. */
export interface StyledText {
  readonly text: string
  readonly paint: Paint
  /** Stays on one line if it fits there: a command to copy. */
  readonly isWhole?: boolean
}

/** One line with its colour codes, and how many terminal cells it takes: colours take none. */
export interface WrappedLine {
  readonly shown: string
  readonly cells: number
}

export const unpainted: Paint = (text) => text

/** A line break that the author wrote. Other newlines in a text are spaces. */
export const LINE_BREAK: StyledText = { text: '\n', paint: unpainted }

interface WrapOptions {
  /** Cut words that are longer than a line. By default they are not cut, so that an address can be copied. */
  readonly cut?: boolean
}

/** Styled text in lines of at most `width` cells. */
export function wrap(
  spans: readonly StyledText[],
  width: number,
  { cut = false }: WrapOptions = {},
): WrappedLine[] {
  const lines: StyledText[][] = [[]]
  let used = 0
  for (const word of wordsOf(spans, width)) {
    if (word === 'break') {
      lines.push([])
      used = 0
      continue
    }
    for (const part of cut ? pieces(word, width) : [word]) {
      const cells = cellsIn(part)
      if (used > 0 && used + 1 + cells > width) {
        lines.push([])
        used = 0
      }
      const line = lines.at(-1) ?? []
      if (used > 0)
        line.push({ text: ' ', paint: line.at(-1)?.paint === part[0]?.paint ? paintOf(part) : unpainted })
      line.push(...part)
      used += cells + (used > 0 ? 1 : 0)
    }
  }
  return lines.map((line) => ({ shown: painted(line), cells: cellsIn(line) }))
}

/** Words are separated by spaces; one word can have parts in several styles: **bold**ly. */
function wordsOf(spans: readonly StyledText[], width: number): (readonly StyledText[] | 'break')[] {
  const words: (StyledText[] | 'break')[] = []
  let word: StyledText[] = []
  const finish = () => {
    if (word.length > 0) words.push(word)
    word = []
  }
  for (const span of spans) {
    if (span === LINE_BREAK) {
      finish()
      words.push('break')
      continue
    }
    const { text, paint, isWhole = false } = span
    const parts = isWhole && cellsOf(text) <= width ? [text] : text.split(/[ \t\n]+/)
    for (const [index, part] of parts.entries()) {
      if (index > 0) finish()
      if (part !== '') word.push({ text: part, paint })
    }
  }
  finish()
  return words
}

/** A word in parts that fit; a word that fits is one part. */
function pieces(word: readonly StyledText[], width: number): StyledText[][] {
  const parts: StyledText[][] = [[]]
  let used = 0
  for (const { text, paint } of word) {
    for (const character of text) {
      const cells = cellsOf(character)
      if (used > 0 && used + cells > width) {
        parts.push([])
        used = 0
      }
      parts.at(-1)?.push({ text: character, paint })
      used += cells
    }
  }
  return parts
}

function paintOf(spans: readonly StyledText[]): Paint {
  return spans[0]?.paint ?? unpainted
}

function cellsIn(spans: readonly StyledText[]): number {
  return spans.reduce((sum, { text }) => sum + cellsOf(text), 0)
}

/**
 * Neighbouring parts in the same style are coloured together, so that colours are switched only where they
 * change.
 */
function painted(spans: readonly StyledText[]): string {
  const runs: { text: string; paint: Paint }[] = []
  for (const { text, paint } of spans) {
    const last = runs.at(-1)
    if (last?.paint === paint) last.text += text
    else runs.push({ text, paint })
  }
  return runs.map(({ text, paint }) => paint(text)).join('')
}
