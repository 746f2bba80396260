import type { Deed } from '../outcome.ts'

/**
 * What the calls of a language do. A name with a dot must be reached by that name; one that begins with `.` is taken
 * for what it is, whatever it is called on.
 */
export type Deeds = ReadonlyMap<string, Deed>

export function table(...entries: readonly (readonly [names: string, deed: Deed])[]): Deeds {
  return new Map(
    entries.flatMap(([names, deed]) =>
      names.split(' ').map((name) => [name.replaceAll('::', '.'), deed] as const),
    ),
  )
}
