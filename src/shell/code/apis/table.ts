import { eachWord } from '../../../core/word-list.ts'
import type { ApiEffect } from '../outcome.ts'

/**
 * What the calls of a language do. A name with a dot must be reached by that name; one that begins with `.` is taken
 * for what it is, whatever it is called on.
 */
export type ApiTable = ReadonlyMap<string, ApiEffect>

export function table(...entries: readonly (readonly [names: string, effect: ApiEffect])[]): ApiTable {
  return new Map(entries.flatMap(([names, effect]) => eachWord(names.replaceAll('::', '.'), effect)))
}
