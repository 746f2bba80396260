import type { Batch, BatchedCall, ModulePart, ModuleRequest } from './host/protocol.ts'

/** A call, and the function that it is for. */
export interface UnitCall {
  readonly unit: string
  readonly request: ModuleRequest
}

/**
 * Writes batches for one process. Values that several calls have in common, such as the event, are found by their identity
 * and written once; a part is written when the process is asked for it first.
 */
export function createBatchWriter(): (id: number, isAlone: boolean, calls: readonly UnitCall[]) => string {
  const numbers = new Map<string, number>()
  return (id, isAlone, asked) => {
    const lines: string[] = []
    const known = new Map<object, number>()
    const lineOf = (value: object): number => {
      const there = known.get(value)
      if (there !== undefined) return there
      known.set(value, lines.length)
      return lines.push(JSON.stringify(value)) - 1
    }
    const parts: ModulePart[] = []
    const numberOf = (unit: string, part: ModulePart): number => {
      const there = numbers.get(unit)
      if (there !== undefined) return there
      parts.push(part)
      numbers.set(unit, numbers.size)
      return numbers.size - 1
    }
    const calls = asked.map(({ unit, request: { part, event, shared, own, args } }): BatchedCall => {
      const number = numberOf(unit, part)
      return args === undefined
        ? [number, lineOf(event), lineOf(shared), own]
        : [number, lineOf(event), lineOf(shared), own, args]
    })
    const head: Batch = { id, isAlone, parts, calls }
    return `${[JSON.stringify(head), ...lines].join('\n')}\n\n`
  }
}
