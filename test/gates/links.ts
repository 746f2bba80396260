import { posix } from 'node:path'
import { lexer, walkTokens } from 'marked'

/**
 * Relative links of Markdown pages must lead to a file or folder, and `#place` to a heading of that page. Returns
 * complaints.
 */
export function checkLinks(pages: ReadonlyMap<string, string>, isThere: (path: string) => boolean): string[] {
  const headings = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]))
  return [...pages].flatMap(([path, text]) =>
    hrefsOf(text).flatMap((href) => {
      const complaint = checkLink(path, href, headings, isThere)
      return complaint === undefined ? [] : [`${path} links to ${href}: ${complaint}`]
    }),
  )
}

const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

function checkLink(
  from: string,
  href: string,
  headings: ReadonlyMap<string, ReadonlySet<string>>,
  isThere: (path: string) => boolean,
): string | undefined {
  if (ELSEWHERE.test(href)) return undefined
  if (href.startsWith('/')) return 'write a path relative to the page.'
  const [file = '', anchor] = href.split('#')
  const path = file === '' ? from : posix.join(posix.dirname(from), decodeURI(file)).replace(/\/$/, '')
  if (path.startsWith('../') || path === '..') return 'that is outside the repository.'
  if (!isThere(path)) return `there is no ${path}.`
  const anchors = headings.get(path)
  if (anchor === undefined || anchors === undefined || anchors.has(anchor)) return undefined
  return `${path} has no heading #${anchor}.`
}

/** Links and images of a page. Code is not read. */
function hrefsOf(text: string): string[] {
  const hrefs: string[] = []
  void walkTokens(lexer(text), (token) => {
    if (token.type === 'link' || token.type === 'image') hrefs.push(String(token.href))
    if (token.type !== 'html') return
    for (const [, href = ''] of token.raw.matchAll(/\b(?:href|src)\s*=\s*["']([^"']*)["']/gi))
      hrefs.push(href)
  })
  return hrefs
}

/** The anchors that code hosts give to headings: lower case, no punctuation, spaces as hyphens, repeats counted. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  void walkTokens(lexer(text), (token) => {
    if (token.type !== 'heading') return
    const name = String(token.text)
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    let unique = name
    for (let count = 1; anchors.has(unique); count += 1) unique = `${name}-${count}`
    anchors.add(unique)
  })
  return anchors
}
