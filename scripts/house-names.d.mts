/** Types of house-names.mjs, for its tests. */
export const SHARED_NAMES: ReadonlyMap<string, string>

export function sharedNames(
  texts: Iterable<readonly [string, string]>,
): ReadonlyMap<string, readonly string[]>

export function countsForNames(file: string): boolean
