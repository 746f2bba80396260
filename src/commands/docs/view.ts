import { posix } from 'node:path'
import pc from 'picocolors'
import type { View } from './inline.ts'
import type { Page } from './pages.ts'
import { unpainted } from './wrap.ts'

const WIDTH_MIN = 40
const WIDTH_MAX = 100

interface Terminal {
  /** 0 or undefined: not known, as in a pipe. */
  readonly columns: number | undefined
  readonly isColoured: boolean
}

/** How the page is shown: links to other pages become the command that shows them. */
export function viewOf(page: Pick<Page, 'path'>, pages: readonly Page[], terminal: Terminal): View {
  const { bold, italic, cyan, underline, dim } = pc.createColors(terminal.isColoured)
  const style = terminal.isColoured
    ? { bold, italic, code: cyan, link: underline, dim, isPlain: false }
    : { bold: unpainted, italic: unpainted, code: unpainted, link: unpainted, dim: unpainted, isPlain: true }
  const columns = terminal.columns || WIDTH_MAX
  return {
    width: Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, columns)),
    style,
    target: (href) => linkTarget(href, page.path, pages),
  }
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:|^\/\//i

function linkTarget(href: string, from: string, pages: readonly Page[]): string | undefined {
  if (HAS_SCHEME.test(href)) return href
  const [path = ''] = href.split('#')
  // A heading on the same page needs no target.
  if (path === '') return undefined
  const file = posix.join(posix.dirname(from), path).replace(/\/$/, '')
  const page = pages.find((each) => each.path === file || each.path === `${file}/README.md`)
  return page === undefined ? file : `holdpoint docs ${page.topic}`
}
