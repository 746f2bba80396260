import type { View } from './inline.ts'
import { type Library, type Page, titleOf } from './pages.ts'
import { type StyledText, unpainted, wrap } from './wrap.ts'

export interface SearchResult {
  readonly topic: string
  readonly title: string
  readonly lines: readonly { readonly line: number; readonly text: string }[]
}

/**
 * Finds pages that have every word, ignoring case, and their lines: those with all words, or otherwise those
 * with any of them. Pages with a word in their title come first, then pages with more lines.
 */
export function search(
  library: Library,
  words: readonly string[],
  pages: readonly Page[] = library.pages,
): SearchResult[] {
  const wanted = wordsIn(words)
  if (wanted.length === 0) return []
  const found = pages.flatMap((page) => {
    const markdown = library.read(page)
    const title = titleOf(page, markdown)
    const everything = `${page.topic}\n${title}\n${markdown}`.toLowerCase()
    if (!wanted.every((word) => everything.includes(word))) return []
    const inTitle = wanted.filter((word) => `${page.topic} ${title}`.toLowerCase().includes(word)).length
    return [{ inTitle, topic: page.topic, title, lines: linesWith(markdown, wanted) }]
  })
  return found
    .toSorted((left, right) => right.inTitle - left.inTitle || right.lines.length - left.lines.length)
    .map(({ topic, title, lines }) => ({ topic, title, lines }))
}

/** Words are searched for one by one, quoted or not. */
function wordsIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.toLowerCase().split(/\s+/)).filter((word) => word !== '')
}

function linesWith(markdown: string, wanted: readonly string[]): SearchResult['lines'] {
  const lines = markdown.split('\n').map((text, index) => ({ line: index + 1, text: readable(text) }))
  const has = (text: string, word: string) => text.toLowerCase().includes(word)
  const all = lines.filter(({ text }) => wanted.every((word) => has(text, word)))
  return all.length > 0 ? all : lines.filter(({ text }) => wanted.some((word) => has(text, word)))
}

/** A line of Markdown without its marks. */
function readable(line: string): string {
  return line
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*\|\s*|\s*\|\s*$/g, '')
    .replaceAll(/\s+\|\s+/g, ' · ')
    .replaceAll(/\*\*|^#+ |^\s*[-*>] /g, '')
    .trim()
}

const LINES_SHOWN = 5

export function searchText(found: readonly SearchResult[], words: readonly string[], view: View): string {
  const { bold, code, dim } = view.style
  const blocks = found.map(({ topic, title, lines }) => {
    const more = lines.length - LINES_SHOWN
    const shown = lines.slice(0, LINES_SHOWN).flatMap(({ line, text }) => {
      const number = String(line).padStart(5)
      return wrap(highlighted(text, wordsIn(words), bold), Math.max(16, view.width - 7), { cut: true }).map(
        ({ shown }, at) => (at === 0 ? `${dim(number)}  ${shown}` : `${' '.repeat(7)}${shown}`),
      )
    })
    const rest = more > 0 ? [dim(`       and ${more} more lines`)] : []
    return [`${code(topic)}  ${title}`, ...shown, ...rest].join('\n')
  })
  const sum = `${found.length} ${found.length === 1 ? 'page' : 'pages'}. Read one with \`holdpoint docs <topic>\`.`
  return `${[...blocks, sum].join('\n\n')}\n`
}

/** The words of the search are highlighted. */
function highlighted(text: string, wanted: readonly string[], paint: StyledText['paint']): StyledText[] {
  const spans: StyledText[] = []
  const lower = text.toLowerCase()
  let at = 0
  while (at < text.length) {
    const next = wanted
      .map((word) => ({ word, from: lower.indexOf(word, at) }))
      .filter(({ from }) => from >= 0)
      .toSorted((left, right) => left.from - right.from || right.word.length - left.word.length)[0]
    if (next === undefined) break
    spans.push({ text: text.slice(at, next.from), paint: unpainted })
    spans.push({ text: text.slice(next.from, next.from + next.word.length), paint })
    at = next.from + next.word.length
  }
  return [...spans, { text: text.slice(at), paint: unpainted }]
}
