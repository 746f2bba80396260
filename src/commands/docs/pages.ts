import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { HoldpointError } from '../../core/errors.ts'
import { wordList } from '../../core/word-list.ts'
import { packageRoot } from '../../system/package.ts'
import { groupOf } from './groups.ts'
import { withoutControls } from './harmless.ts'

/** One page of the documentation in the package. */
export interface Page {
  /** What the user types: `rules`, `safety/git/force-push`. */
  readonly topic: string
  /** From the root of the package, with forward slashes: `docs/guide/rules.md`. */
  readonly path: string
  readonly group: string
}

export interface Library {
  readonly pages: readonly Page[]
  /** The Markdown of a page. */
  read(page: Page): string
}

/**
 * The pages of this package, without reading any of them.
 *
 * @example
 * const { pages, read } = openLibrary()
 * const rules = pages.find(({ topic }) => topic === 'rules')
 */
export function openLibrary(root: string = packageRoot()): Library {
  if (!existsSync(join(root, 'docs', 'guards', 'README.md'))) {
    throw new HoldpointError({
      code: 'INTERNAL',
      message: 'The documentation is missing in this installation.',
      fix: 'Install Holdpoint again.',
    })
  }
  const paths = new Set([
    ...ROOT_PAGES.filter((name) => existsSync(join(root, name))),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join('docs', name.split(sep).join('/')))
      .filter((path) => path.endsWith('.md')),
  ])
  const pages = [...paths].sort().map(pageAt)
  return { pages, read: ({ path }) => withoutControls(readFileSync(join(root, path), 'utf8')) }
}

const ROOT_PAGES = wordList('README SECURITY VERSIONING CHANGELOG ARCHITECTURE CONTRIBUTING RELEASING').map(
  (name) => `${name}.md`,
)
const GUARD = /^docs\/guards\/(.+)\.md$/

function pageAt(path: string): Page {
  const guard = GUARD.exec(path)?.[1]
  const isGuard = guard !== undefined && guard !== 'README'
  const topic = isGuard ? guard : topicAt(path)
  return { topic, path, group: groupOf(topic, isGuard || topic === 'guards') }
}

/** `docs/hosts/README.md` has the topic `hosts`; every other page has the name of its file. */
function topicAt(path: string): string {
  const name = posix.basename(path, '.md')
  const folder = posix.dirname(path)
  return (name === 'README' && folder !== '.' ? posix.basename(folder) : name).toLowerCase()
}

/** The page in one line: its first heading; for a guard, what the guard is about. */
export function titleOf(page: Page, markdown: string): string {
  const act = page.topic.includes('/') ? /^\*\*(.+?)\.?\*\*/m.exec(markdown)?.[1] : undefined
  const heading = /^# +(.+)$/m.exec(markdown)?.[1]
  return (act ?? heading ?? page.topic).replaceAll('`', '').trim()
}
