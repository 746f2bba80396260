import type { JsonObject } from '../../core/json.ts'
import type { Batch, BatchedCall, ModuleRequest } from './host/protocol.ts'

/**
 * A batch as it is sent. Values that several calls have in common, the event or the environment, are found by their
 * identity and written once.
 */
export function encodeBatch(id: number, isAlone: boolean, requests: readonly ModuleRequest[]): string {
  const lines: string[] = []
  const known = new Map<object, number>()
  const lineOf = (value: object): number => {
    const there = known.get(value)
    if (there !== undefined) return there
    known.set(value, lines.length)
    return lines.push(JSON.stringify(value)) - 1
  }
  const calls = requests.map(({ event, context, ...part }): BatchedCall => {
    const own: Record<string, JsonObject[string]> = {}
    const shared: Record<string, number> = {}
    for (const key of Object.keys(context)) {
      const value = context[key]
      if (typeof value === 'object' && value !== null) shared[key] = lineOf(value)
      else if (value !== undefined) own[key] = value
    }
    return { ...part, event: lineOf(event), context: own, shared }
  })
  const head: Batch = { id, isAlone, calls }
  return `${[JSON.stringify(head), ...lines].join('\n')}\n\n`
}
