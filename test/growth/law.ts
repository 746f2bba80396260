/** How work may grow with size. Work is counted (steps, calls, bytes, instructions), never timed. */
export type Law = 'flat' | 'logarithmic' | 'linear' | 'quadratic'

export interface Point {
  readonly size: number
  readonly work: number
}

/** Counts differ a little with the digits of a number in a path or the pages of a file, so no law is exact. */
const FLAT_MAX = 1.2
const DECADE_MAX = 1.5
const UNIT_MAX = 1.3

/**
 * Why the points break the law, or undefined. A curve has three points or more, each ten times the size of the one
 * before: two points fit every law.
 */
export function breachOf(law: Law, points: readonly Point[]): string | undefined {
  if (points.length < 3) return `three sizes or more are needed, not ${points.length}`
  for (const [index, { size, work }] of points.entries()) {
    const previous = points[index - 1]
    if (!(work > 0)) return `no work was counted at ${size}: the counter does not see the subject`
    if (previous !== undefined && size !== previous.size * 10)
      return `${size} is not ten times ${previous.size}`
  }
  return BREACHES[law](points)
}

const BREACHES: Readonly<Record<Law, (points: readonly Point[]) => string | undefined>> = {
  flat(points) {
    const [first] = points
    const worst = points.find(({ work }) => first !== undefined && work > first.work * FLAT_MAX)
    return worst && `not flat: ${shown(points)}`
  },
  // A tree gains a level now and then, so a decade may add nothing and the next one a level: what it adds is compared
  // with what one level may cost, which is less than all the work at the smallest size.
  logarithmic(points) {
    const [first] = points
    const added = steps(points).map(({ work }) => work)
    const most = (first?.work ?? 0) * DECADE_MAX
    return added.some((work) => work > most) ? `not logarithmic: ${shown(points)}` : undefined
  },
  // What one more unit costs must not grow: a fixed cost is left out, and n log n is refused too.
  linear(points) {
    const units = steps(points).map(({ size, work }) => work / size)
    const [first = 0] = units
    return units.some((unit) => unit > first * UNIT_MAX) ? `not linear: ${shown(points)}` : undefined
  },
  // Only where the size itself has a limit: what one more unit costs grows with the size, and no faster.
  quadratic(points) {
    const units = steps(points).map(({ size, work }) => work / size)
    const isBroken = units.some((unit, index) => index > 0 && unit > (units[index - 1] ?? 0) * 10 * UNIT_MAX)
    return isBroken ? `not quadratic: ${shown(points)}` : undefined
  },
}

/** What each size adds to the one before. */
function steps(points: readonly Point[]): readonly Point[] {
  return points.slice(1).map(({ size, work }, index) => {
    const before = points[index] ?? { size: 0, work: 0 }
    return { size: size - before.size, work: work - before.work }
  })
}

function shown(points: readonly Point[]): string {
  return points.map(({ size, work }) => `${work} at ${size}`).join(', ')
}
