import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { withoutControls } from './harmless.ts'
import { known, spansOf, type View } from './inline.ts'
import { tableLines } from './table.ts'
import { wrap } from './wrap.ts'

const CODE_INDENT = '    '
const QUOTE = '│ '

/**
 *
 * Renders a Markdown page as text for a terminal.
 *
 * @example
 * renderPage('# Trust\n\nRun `holdpoint trust`.', view)
 *
 */
export function renderPage(markdown: string, view: View): string {
  return `${blockLines(lexer(markdown), view).join('\n')}\n`
}

/** Blocks with one blank line between them. */
function blockLines(tokens: readonly Token[], view: View, isTight = false): string[] {
  const lines: string[] = []
  for (const token of known(tokens)) {
    const block = blockOf(token, view)
    if (block.length === 0) continue
    if (lines.length > 0 && !isTight) lines.push('')
    lines.push(...block)
  }
  return lines
}

function blockOf(token: MarkedToken, view: View): string[] {
  switch (token.type) {
    case 'heading':
      return headingLines(token, view)
    case 'code':
      return codeLines(token.text, view)
    case 'table':
      return tableLines(token, view)
    case 'list':
      return listLines(token, view)
    case 'blockquote': {
      const mark = view.style.dim(QUOTE)
      return blockLines(token.tokens, narrower(view, QUOTE.length)).map((line) => `${mark}${line}`.trimEnd())
    }
    case 'hr':
      return [view.style.dim('─'.repeat(view.width))]
    case 'space':
    case 'def':
      return []
    case 'html':
      return htmlLines(token.text, view)
    case 'paragraph':
      return textLines(token.tokens, view)
    case 'text':
      return textLines(token.tokens ?? [token], view)
    default:
      return textLines([token], view)
  }
}

function textLines(tokens: readonly Token[], view: View): string[] {
  return wrap(spansOf(tokens, view), view.width).map(({ shown }) => shown)
}

/** What a browser would show: the text between tags, without comments. */
function htmlLines(html: string, view: View): string[] {
  const text = html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .trim()
  return text === '' ? [] : textLines([{ type: 'text', raw: text, text }], view)
}

/** Underlined as in plain text files, so that headings are visible in a pipe too. */
function headingLines({ depth, tokens }: Tokens.Heading, view: View): string[] {
  const { bold, dim } = view.style
  const mark = depth <= 2 ? '' : `${'#'.repeat(depth)} `
  const lines = wrap(spansOf(tokens, view, bold), view.width - mark.length)
  if (mark !== '') return lines.map(({ shown }, at) => (at === 0 ? `${dim(mark)}${shown}` : shown))
  const rule = (depth === 1 ? '=' : '-').repeat(Math.max(...lines.map(({ cells }) => cells)))
  return [...lines.map(({ shown }) => shown), dim(rule)]
}

/** Never wrapped: a broken line of code cannot be copied. */
function codeLines(text: string, view: View): string[] {
  return withoutControls(text)
    .replaceAll('\t', '    ')
    .split('\n')
    .map((line) => (line === '' ? '' : `${CODE_INDENT}${view.style.code(line)}`))
}

function listLines({ items, ordered, start, loose }: Tokens.List, view: View): string[] {
  return items.flatMap((item, index) => {
    const mark = `${ordered ? `${Number(start) + index}.` : '-'} ${boxOf(item)}`
    const tokens = item.tokens.filter(({ type }) => type !== 'checkbox')
    const lines = blockLines(tokens, narrower(view, mark.length), !item.loose)
    const shown = (lines.length === 0 ? [''] : lines).map((line, at) =>
      `${at === 0 ? view.style.dim(mark) : ' '.repeat(mark.length)}${line}`.trimEnd(),
    )
    return loose && index > 0 ? ['', ...shown] : shown
  })
}

/** The checkbox of a task; in an item of several paragraphs it is in the text of the first. */
function boxOf({ tokens }: Tokens.ListItem): string {
  const [first] = known(tokens)
  if (first?.type !== 'checkbox') return ''
  return first.checked ? '[x] ' : '[ ] '
}

/** Deeply nested text keeps a readable width, even if the line gets too long. */
const WIDTH_MIN = 20

function narrower(view: View, cells: number): View {
  return { ...view, width: Math.max(WIDTH_MIN, view.width - cells) }
}
