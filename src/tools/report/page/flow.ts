import type { RouteFigure } from '../../../policy/metrics/figures.ts'
import { grouped } from '../words.ts'
import { fixed } from './bars.ts'
import { cut, escaped } from './escape.ts'

const WIDTH = 880
const LEFT = 270
const RIGHT = WIDTH - LEFT
const NODE = 10
const GAP = 12
const SLOT_MIN = 18
const ROUTES_MAX = 18
const LABEL_CHARACTERS_MAX = 36

/** Callers on the left, called agents on the right, a ribbon for each pair. Empty if there are no calls. */
export function flowChart(all: readonly RouteFigure[]): string {
  const routes = all.slice(0, ROUTES_MAX)
  if (routes.length === 0) return ''
  const ribbons = routes.map((route) => ({ ...route, thick: thicknessOf(route, routes) }))
  const left = placed(ribbons, ({ from }) => from)
  // Agents called by the same callers are placed next to each other, so that fewer ribbons cross.
  const byCaller = [...ribbons].sort((a, b) => (left.get(a.from)?.y ?? 0) - (left.get(b.from)?.y ?? 0))
  const right = placed(byCaller, ({ to }) => to)
  const height = Math.max(...[...left.values(), ...right.values()].map((node) => node.y + node.room))
  const used = new Map<string, number>()
  const paths = byCaller.map((ribbon) => {
    const y1 = take(used, `from ${ribbon.from}`, left.get(ribbon.from), ribbon.thick)
    const y2 = take(used, `to ${ribbon.to}`, right.get(ribbon.to), ribbon.thick)
    return pathOf(ribbon, y1, y2)
  })
  const more = all.length - routes.length
  const rest =
    more === 0
      ? ''
      : `<text class="dim" x="${WIDTH / 2}" y="${fixed(height + 18)}" text-anchor="middle">and ${more} more in the table</text>`
  const nodes = [...nodesOf(left, LEFT - NODE, 'end'), ...nodesOf(right, RIGHT, 'start')]
  const top = routes
    .slice(0, 5)
    .map(({ from, to, count }) => `${from} called ${to} ${times(count)}`)
    .join(', ')
  return `<svg role="img" aria-label="${escaped(`Calls between agents: ${top}. The table below has all of it.`)}" viewBox="0 0 ${WIDTH} ${fixed(height + (more === 0 ? 2 : 28))}">${paths.join('')}${nodes.join('')}${rest}</svg>`
}

interface Ribbon extends RouteFigure {
  readonly thick: number
}

interface Node {
  readonly y: number
  readonly tall: number
  /** Including the space for its label. */
  readonly room: number
  readonly count: number
}

/** By the square root, so that one call is still visible next to a thousand. */
function thicknessOf({ count }: RouteFigure, routes: readonly RouteFigure[]): number {
  const largest = Math.max(...routes.map((route) => route.count))
  return Math.max(3, 26 * Math.sqrt(count / largest))
}

function placed(ribbons: readonly Ribbon[], nameOf: (ribbon: Ribbon) => string): ReadonlyMap<string, Node> {
  const sums = new Map<string, { tall: number; count: number }>()
  for (const ribbon of ribbons) {
    const known = sums.get(nameOf(ribbon)) ?? { tall: 0, count: 0 }
    sums.set(nameOf(ribbon), { tall: known.tall + ribbon.thick, count: known.count + ribbon.count })
  }
  let y = 2
  return new Map(
    [...sums].map(([name, { tall, count }]) => {
      const room = Math.max(SLOT_MIN, tall)
      const node = { y, tall, room, count }
      y += room + GAP
      return [name, node]
    }),
  )
}

/** The next free part of a node, from its top. */
function take(used: Map<string, number>, key: string, node: Node | undefined, thick: number): number {
  const start = used.get(key) ?? (node === undefined ? 0 : node.y + (node.room - node.tall) / 2)
  used.set(key, start + thick)
  return start
}

function pathOf({ from, to, count, thick }: Ribbon, y1: number, y2: number): string {
  const middle = WIDTH / 2
  const [a, b, c, d] = [y1, y2, y2 + thick, y1 + thick].map(fixed)
  const path = `M${LEFT} ${a}C${middle} ${a} ${middle} ${b} ${RIGHT} ${b}L${RIGHT} ${c}C${middle} ${c} ${middle} ${d} ${LEFT} ${d}Z`
  return `<path class="ribbon" d="${path}"><title>${escaped(`${from} called ${to} ${times(count)}`)}</title></path>`
}

function nodesOf(nodes: ReadonlyMap<string, Node>, x: number, anchor: 'start' | 'end'): string[] {
  return [...nodes].map(([name, { y, tall, room, count }]) => {
    const text = `${cut(name, LABEL_CHARACTERS_MAX)} (${grouped(count)})`
    const box =
      anchor === 'end'
        ? { x: 0, at: x - 8, width: x - 8 }
        : { x: x + NODE + 8, at: 0, width: WIDTH - x - NODE - 8 }
    // An inner svg clips, so a label of any width stays next to its node.
    return `<rect class="plain" x="${x}" y="${fixed(y + (room - tall) / 2)}" width="${NODE}" height="${fixed(tall)}"/><svg x="${box.x}" y="${fixed(y)}" width="${box.width}" height="${fixed(room)}"><text x="${box.at}" y="${fixed(room / 2)}" text-anchor="${anchor}" dominant-baseline="central">${escaped(text)}</text></svg>`
  })
}

function times(count: number): string {
  return count === 1 ? 'once' : `${grouped(count)} times`
}
