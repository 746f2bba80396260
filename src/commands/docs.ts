import type { Caller } from './caller.ts'
import type { View } from './docs/inline.ts'
import { guardsText, listText } from './docs/list.ts'
import { show } from './docs/pager.ts'
import { type Library, openLibrary, type Page, titleOf } from './docs/pages.ts'
import { renderPage } from './docs/render.ts'
import { search, searchText } from './docs/search.ts'
import { findPage, guardsBelow, unknownTopic } from './docs/topics.ts'
import { viewOf } from './docs/view.ts'

interface DocsOptions {
  readonly list?: boolean
  readonly search?: readonly string[]
  readonly json?: boolean
}

/**
 * Shows the documentation of this version: the list of pages, one page, or the lines that contain some words.
 */
export async function docs(caller: Caller, topic: string | undefined, options: DocsOptions): Promise<void> {
  const library = openLibrary()
  const page = topic === undefined ? undefined : findPage(library.pages, topic)
  const guards = topic === undefined || page !== undefined ? [] : guardsBelow(library.pages, topic)
  if (topic !== undefined && page === undefined && guards.length === 0) {
    throw unknownTopic(library.pages, topic)
  }
  const chosen = page === undefined ? guards : [page]
  const pages = chosen.length === 0 ? library.pages : chosen
  if (options.search !== undefined)
    return searchPages(caller, library, pages, options.search, options.json === true)
  if (options.json === true)
    return print(
      caller,
      options.list !== true && page !== undefined ? pageJson(page, library) : listJson(pages, library),
    )
  const view = viewFor(caller, library, page)
  if (page !== undefined && options.list !== true) return show(caller, renderPage(library.read(page), view))
  return show(caller, chosen.length === 0 ? listText(library, view) : guardsText(chosen, library, view))
}

async function searchPages(
  caller: Caller,
  library: Library,
  pages: readonly Page[],
  words: readonly string[],
  asJson: boolean,
): Promise<void> {
  const found = search(library, words, pages)
  if (found.length === 0) caller.exitCode = 1
  if (asJson) return print(caller, { version: 1, words, pages: found })
  if (found.length > 0) return show(caller, searchText(found, words, viewFor(caller, library)))
  caller.stderr.write(
    'No page has all of these words. Try fewer words, or list the pages with `holdpoint docs`.\n',
  )
}

function pageJson(page: Page, library: Library): object {
  const markdown = library.read(page)
  return { version: 1, ...page, title: titleOf(page, markdown), markdown }
}

function listJson(pages: readonly Page[], library: Library): object {
  return { version: 1, pages: pages.map((page) => ({ ...page, title: titleOf(page, library.read(page)) })) }
}

function print(caller: Caller, value: object): void {
  caller.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** Pipes get plain text, even if a build server asks all programs for colours. */
function viewFor(caller: Caller, library: Library, page: Pick<Page, 'path'> = { path: 'README.md' }): View {
  const isColoured =
    caller.colours.isColorSupported && (caller.stdout.isTTY || caller.env.FORCE_COLOR !== undefined)
  const columns = caller.stdout.columns ?? Number(caller.env.COLUMNS)
  return viewOf(page, library.pages, { columns, isColoured })
}
