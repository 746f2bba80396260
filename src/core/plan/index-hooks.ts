import type { EventKind } from '../event.ts'
import type { Hook } from '../hook.ts'
import type { Plan } from './plan.ts'

/** The hooks by the names they match, so that an event finds its own without asking all. */
export function indexHooks(hooks: readonly Hook[]): Plan['index'] {
  const index: Partial<Record<EventKind, { byName: Record<string, number[]>; rest: number[] }>> = {}
  for (const [order, hook] of hooks.entries()) {
    index[hook.on] ??= { byName: {}, rest: [] }
    const kind = index[hook.on]
    const { subject, orRunsCommands } = hook.match
    if (subject?.kind !== 'names' || orRunsCommands === true) kind?.rest.push(order)
    else {
      for (const name of subject.names) {
        if (kind === undefined) continue
        const list = Object.hasOwn(kind.byName, name) ? kind.byName[name] : undefined
        if (list === undefined) Object.defineProperty(kind.byName, name, { value: [order], enumerable: true })
        // The same name twice in one hook: the list is in order, so it would be its last.
        else if (list.at(-1) !== order) list.push(order)
      }
    }
  }
  return index
}
