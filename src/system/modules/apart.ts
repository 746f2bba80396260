/**
 * Which functions do not share a process for now. One that ended, held or changed its process runs alone, until it has
 * behaved well for a while. If it is unknown which of several did, they are divided in two halves, again and again: the
 * harmless half shares a process again.
 */
export interface Apart {
  /** The calls of one process: the group itself, a part of it, or one function. */
  laneOf(group: string, unit: string): { readonly lane: string; readonly isAlone: boolean }
  /** It is known who it was. */
  blame(unit: string): void
  /** One of these did it. */
  suspect(units: readonly string[]): void
  /** They ran together, and their process is as it was before. */
  clear(units: readonly string[]): void
}

/** Far more functions than one machine has. A forgotten one is found again. */
const UNITS_MAX = 10_000
const GOOD_RUNS = 10

export function createApart(): Apart {
  /** How often it behaved well in a row. */
  const alone = new Map<string, number>()
  const halves = new Map<string, string>()
  const blame = (unit: string) => {
    if (alone.size >= UNITS_MAX) alone.clear()
    halves.delete(unit)
    alone.set(unit, 0)
  }
  return {
    blame,
    laneOf: (group, unit) => {
      if (alone.has(unit)) return { lane: `${group}\n${unit}`, isAlone: true }
      const half = halves.get(unit)
      return { lane: half === undefined ? group : `${group}\n${half}`, isAlone: false }
    },
    suspect: (units) => {
      const all = [...new Set(units)]
      const [only] = all
      if (only !== undefined && all.length === 1) {
        blame(only)
        return
      }
      if (halves.size >= UNITS_MAX) halves.clear()
      const middle = Math.ceil(all.length / 2)
      for (const [i, unit] of all.entries())
        halves.set(unit, `${halves.get(unit) ?? ''}${i < middle ? 0 : 1}`)
    },
    clear: (units) => {
      for (const unit of units) {
        halves.delete(unit)
        const runs = alone.get(unit)
        if (runs === undefined) continue
        if (runs + 1 < GOOD_RUNS) alone.set(unit, runs + 1)
        else alone.delete(unit)
      }
    },
  }
}
