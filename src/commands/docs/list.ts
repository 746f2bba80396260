import { cellsOf } from '../../tools/report/terminal-width.ts'
import { GROUPS, GUARDS, UNSORTED } from './groups.ts'
import type { View } from './inline.ts'
import { type Library, type Page, titleOf } from './pages.ts'
import { unpainted, wrap } from './wrap.ts'

const TOPIC_COLUMN_MAX = 32
/** On a narrow screen, long topics get a separate line. */
const NARROW_CELLS = 60
const NARROW_COLUMN = 18

/** Every group with its pages. There are too many guards to list, so they are only counted. */
export function listText(library: Library, view: View): string {
  const { bold, dim } = view.style
  const column = Math.min(
    view.width < NARROW_CELLS ? NARROW_COLUMN : TOPIC_COLUMN_MAX,
    Math.max(...library.pages.filter(({ group }) => group !== GUARDS).map(({ topic }) => cellsOf(topic))),
  )
  const groups = [...GROUPS.map(({ title }) => title), UNSORTED].flatMap((title) => {
    const pages = inGroup(library.pages, title)
    if (pages.length === 0) return []
    const rows = pages.flatMap((page) =>
      rowLines(page.topic, titleOf(page, library.read(page)), column, view),
    )
    return [[bold(title), ...rows].join('\n')]
  })
  const guards = library.pages.filter(({ group, topic }) => group === GUARDS && topic !== 'guards')
  const packs = new Set(guards.map(({ topic }) => topic.split('/')[0]))
  const counted = `${guards.length} guards in ${packs.size} packs; one page each`
  return [
    'Read a page with `holdpoint docs <topic>`. Search all pages with `holdpoint docs --search <words>`.',
    ...groups,
    [
      bold(GUARDS),
      ...rowLines('guards', counted, column, view),
      dim('  For example: holdpoint docs safety/git/force-push'),
    ].join('\n'),
  ]
    .map((part, index) => (index === 0 ? wrapped(part, view) : part))
    .join('\n\n')
    .concat('\n')
}

/** The guards of a pack or of a part of it. */
export function guardsText(guards: readonly Page[], library: Library, view: View): string {
  const column = Math.max(...guards.map(({ topic }) => topic.length))
  const isNarrow = column + 20 > view.width
  return guards
    .flatMap((page) => rowLines(page.topic, titleOf(page, library.read(page)), isNarrow ? 0 : column, view))
    .join('\n')
    .concat('\n')
}

/** The order of the group; pages without a group are sorted by name. */
function inGroup(pages: readonly Page[], title: string): readonly Page[] {
  const topics = GROUPS.find((group) => group.title === title)?.topics ?? []
  return pages
    .filter(({ group }) => group === title)
    .toSorted((left, right) => topics.indexOf(left.topic) - topics.indexOf(right.topic))
}

/** `topic title`: the title is wrapped in its own column, or below the topic if the topic is too long. */
function rowLines(topic: string, title: string, column: number, view: View): string[] {
  const indent = 2
  const isBeside = cellsOf(topic) <= column
  const left = isBeside ? indent + column + 2 : indent * 2
  const lines = wrap([{ text: title, paint: unpainted }], Math.max(16, view.width - left)).map(
    ({ shown }) => shown,
  )
  const name = view.style.code(topic)
  const first = `${' '.repeat(indent)}${name}`
  if (!isBeside) return [first, ...lines.map((line) => `${' '.repeat(left)}${line}`)]
  return lines.map((line, at) =>
    at === 0 ? `${first}${' '.repeat(column - cellsOf(topic) + 2)}${line}` : `${' '.repeat(left)}${line}`,
  )
}

function wrapped(text: string, view: View): string {
  return wrap([{ text, paint: unpainted }], view.width)
    .map(({ shown }) => shown)
    .join('\n')
}
