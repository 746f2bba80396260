import type { MarkedToken, Token } from 'marked'
import { withoutControls } from './harmless.ts'
import { LINE_BREAK, type Paint, type StyledText } from './wrap.ts'

/** How each kind of text is printed. */
export interface Style {
  readonly bold: Paint
  readonly italic: Paint
  readonly code: Paint
  readonly link: Paint
  readonly dim: Paint
  /** No colours: code is shown in backquotes, because nothing else would mark it. */
  readonly isPlain: boolean
}

export interface View {
  /** Width of a line in terminal cells. */
  readonly width: number
  readonly style: Style
  /** The target of a link as text for a terminal; undefined if the link text is enough. */
  target(href: string): string | undefined
}

/** Only the lexer's own tokens: `Generic` is for extensions, and none is registered. */
export function known(tokens: readonly Token[]): readonly MarkedToken[] {
  return tokens as readonly MarkedToken[]
}

/** The inline part of a page, from tokens to styled text. */
export function spansOf(tokens: readonly Token[], view: View, paint: Paint = (text) => text): StyledText[] {
  return known(tokens).flatMap((token) => spansOfOne(token, view, paint))
}

function spansOfOne(token: MarkedToken, view: View, paint: Paint): StyledText[] {
  const { style } = view
  const inside = (tokens: readonly Token[], more: Paint) => spansOf(tokens, view, (text) => more(paint(text)))
  switch (token.type) {
    case 'strong':
      return inside(token.tokens, style.bold)
    case 'em':
      return inside(token.tokens, style.italic)
    case 'codespan': {
      const text = withoutControls(token.text)
      return [{ text: style.isPlain ? `\`${text}\`` : text, paint: (each) => style.code(paint(each)) }]
    }
    case 'link':
      return linkSpans(token, view, paint)
    case 'image':
      return [{ text: textOf(token.text), paint }]
    case 'br':
      return [LINE_BREAK]
    case 'checkbox':
      return [{ text: token.checked ? '[x] ' : '[ ] ', paint }]
    case 'html':
      // A tag only tells a browser how to show the text around it, and a comment is not shown.
      return /^<br\b/i.test(token.text) ? [LINE_BREAK] : []
    case 'text':
      return token.tokens === undefined
        ? [{ text: textOf(token.text), paint }]
        : spansOf(token.tokens, view, paint)
    case 'escape':
      return [{ text: withoutControls(token.text), paint }]
    case 'del':
      return spansOf(token.tokens, view, paint)
    default:
      return [{ text: textOf(token.raw), paint }]
  }
}

/** `text (target)`, or only the text if it already is the target. */
function linkSpans(token: Extract<MarkedToken, { type: 'link' }>, view: View, paint: Paint): StyledText[] {
  const label = spansOf(token.tokens, view, (text) => view.style.link(paint(text)))
  const target = view.target(token.href)
  if (target === undefined || isTarget(token.text.replaceAll('`', ''), target)) return label
  const dimmed: Paint = (text) => view.style.dim(paint(text))
  return [
    ...label,
    { text: ' ', paint },
    { text: `(${withoutControls(target)})`, paint: dimmed, isWhole: target.startsWith('holdpoint ') },
  ]
}

/** The id of a guard needs no target, and tables have many of them. */
function isTarget(text: string, target: string): boolean {
  const isGuard = text.includes('/') && target === `holdpoint docs ${text}`
  return isGuard || target === text || target === `mailto:${text}`
}

/**
 * Character references are decoded. The lexer has decoded numeric ones already, so control characters may be
 * in the text again.
 */
function textOf(text: string): string {
  return withoutControls(
    text.replaceAll(/&(\w+|#39);/g, (whole, name: string) => REFERENCES.get(name) ?? whole),
  )
}

const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', '\u00a0'],
  ['hellip', '…'],
  ['mdash', '—'],
  ['ndash', '–'],
])
